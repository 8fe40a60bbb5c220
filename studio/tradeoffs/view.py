"""Which scores a viewer looks at, read from the address."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from frem_core.evaluation import available_scores, get_score
from frem_core.metrics import Metric
from studio.tradeoffs.subject import Subject

SPLITS: Final = {"test": "Test rows", "train": "Training rows"}
_FIRST: Final = {
    ("prediction", "classification"): "accuracy",
    ("prediction", "regression"): "mae",
    ("fairness", "dp"): "gdp",
    ("fairness", "eo"): "geo",
}


@dataclass(frozen=True)
class View:
    """The axes of the chart.

    Attributes:
        prediction: the score along y.
        fairness: the score along x.
        split: ``"test"`` or ``"train"``.
    """

    prediction: Metric
    fairness: Metric
    split: str

    @property
    def scores(self) -> dict[str, str]:
        """The view as arguments of `front_points`."""
        return {
            "prediction": self.prediction.name,
            "fairness": self.fairness.name,
            "split": self.split,
        }

    @property
    def key(self) -> str:
        """Names the view in keys of widgets whose values make sense for these axes only."""
        return f"{self.prediction.name}-{self.fairness.name}-{self.split}"


def scores_for(subject: Subject, purpose: str) -> list[str]:
    """Names of the scores of one purpose that the task defines."""
    names = available_scores(subject.task)
    return [name for name in names if get_score(name).purpose == purpose]


def current_view(subject: Subject) -> View:
    """The axes in the address; what is missing or not defined for the task is the usual one."""
    chosen = {}
    for purpose, kind in (("prediction", subject.task), ("fairness", subject.notion)):
        given = st.query_params.get(purpose, "")
        known = given in scores_for(subject, purpose)
        chosen[purpose] = get_score(given if known else _FIRST[purpose, kind])
    split = st.query_params.get("split", "test")
    return View(**chosen, split=split if split in SPLITS else "test")
