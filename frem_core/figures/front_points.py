"""From runs in the store to the points of a trade-off chart."""

from typing import Any, Final, Literal

import pandas as pd

from frem_core.figures.run_titles import WEIGHT, setting_columns, setting_words
from frem_core.pareto import method_fronts

OBJECTIVES: Final[dict[str, Literal["max", "min"]]] = {"prediction": "max", "fairness": "min"}


def front_points(
    runs: pd.DataFrame, *, prediction: str, fairness: str, split: str = "test"
) -> pd.DataFrame:
    """Averages finished runs over seeds and marks each method's front.

    Args:
        runs: as ``Store.runs.frame`` returns; a run that occurs twice counts once.
        prediction: registered name of the prediction score.
        fairness: registered name of the fairness score.
        split: ``"test"`` or ``"train"``.

    Returns:
        One row per method and setting, FREM first and the model without fairness last, ready for
        :func:`frem_core.figures.pareto_fronts_figure`: ``point`` (the beginning of the id of its
        first run), ``method``, ``words`` (what sets it apart from the method's other points),
        ``fairness_weight``, ``prediction`` and ``fairness`` as charts show them (1 − MAE) with
        ``.se``, ``seeds``, ``on_front`` and ``runs`` (their ids). Empty without scored runs.
    """
    scored = scored_runs(runs, prediction=prediction, fairness=fairness, split=split)
    if scored.empty:
        return pd.DataFrame(columns=_COLUMNS)
    settings = setting_columns(scored)
    key = ["method", *settings]
    points = method_fronts(scored, OBJECTIVES, setting=settings)
    members = scored.groupby(key, dropna=False, sort=True)["id"].agg(tuple).reset_index()
    points["runs"] = members["id"]
    points["point"] = [names[0][:12] for names in points["runs"]]
    points["fairness_weight"] = points[WEIGHT]
    points["words"] = setting_words(points, settings)
    rank = points["method"].map(_RANK).fillna(1)
    order = rank.sort_values(kind="stable").index
    return points.loc[order, _COLUMNS].reset_index(drop=True)


# Charts and legends begin with FREM and end with what everything is compared to.
_RANK: Final = {"frem": 0, "unfair": 2}
_COLUMNS: Final = [
    "point",
    "method",
    "words",
    "fairness_weight",
    "prediction",
    "prediction.se",
    "fairness",
    "fairness.se",
    "seeds",
    "on_front",
    "runs",
]


def scored_runs(
    runs: pd.DataFrame, *, prediction: str, fairness: str, split: str = "test"
) -> pd.DataFrame:
    """Finished runs that have both scores, each once, with ``prediction`` and ``fairness`` added.

    Settings that are lists become text, so that runs can be grouped by them.
    """
    from frem_core.evaluation import get_score  # here: the scores bring torch with them

    names = {"prediction": f"{split}.{prediction}", "fairness": f"{split}.{fairness}"}
    if not set(names.values()) <= set(runs.columns):
        return runs.iloc[:0].assign(prediction=float("nan"), fairness=float("nan"))
    done = runs[runs["state"] == "done"].drop_duplicates("id").copy()
    done["prediction"] = done[names["prediction"]].map(get_score(prediction).axis_value)
    done["fairness"] = done[names["fairness"]].map(get_score(fairness).axis_value)
    for column in done.columns[done.columns.str.startswith("config.")]:
        if done[column].dtype == object:
            done[column] = done[column].map(_plain)
    return done.dropna(subset=["prediction", "fairness"])


def _plain(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
