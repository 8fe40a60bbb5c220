"""Which scores decide what is accurate and what is fair, and how they are written."""

from typing import Final

import pandas as pd

from frem_core.evaluation import available_scores, get_score
from frem_core.metrics import Metric

_USUAL: Final = {
    "classification": "accuracy",
    "regression": "mae",
    "dp": "gdp",
    "eo": "geo",
}


def task_of(runs: pd.DataFrame) -> str:
    """``"classification"`` or ``"regression"``."""
    return str(runs["config.task"].iloc[0])


def notion_of(runs: pd.DataFrame) -> str:
    """``"eo"`` when any of the runs was trained for equal opportunity, else ``"dp"``."""
    return "eo" if (runs["config.method.fairness"] == "eo").any() else "dp"


def usual_prediction(runs: pd.DataFrame) -> Metric:
    """The prediction score that the paper puts first for the task of these runs."""
    return get_score(_USUAL[task_of(runs)])


def usual_fairness(runs: pd.DataFrame) -> Metric:
    """The fairness score that the paper puts first for the notion of these runs."""
    metric = get_score(_USUAL[notion_of(runs)])
    return metric if column(metric) in runs else get_score(_USUAL["dp"])


def scores_of(task: str, purpose: str | None = None) -> list[Metric]:
    """All scores of a task, prediction first, or those of one purpose."""
    scores = [get_score(name) for name in available_scores(task)]  # type: ignore[arg-type]
    return [score for score in scores if purpose is None or score.purpose == purpose]


def column(metric: Metric) -> str:
    """The score's column in a table of runs."""
    return f"test.{metric.name}"
