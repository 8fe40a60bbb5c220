"""The points of the chart and what is calculated from them, kept until a run finishes."""

import pandas as pd
import streamlit as st

from frem_core.figures import front_points
from frem_core.figures.front_points import OBJECTIVES, scored_runs
from frem_core.figures.run_titles import setting_columns
from frem_core.pareto import hypervolume_interval, reference_point
from studio.tradeoffs.question import Question
from studio.tradeoffs.view import View
from studio.words import Point


def points_of(question: Question, view: View) -> pd.DataFrame:
    """One row per setting, FREM first and the reference without fairness last."""
    return _points(question.version, view.key, question.runs, view.scores)


def hypervolumes_of(question: Question, view: View) -> tuple[pd.DataFrame, tuple[float, float]]:
    """Size of each method's front with its interval over seeds, and the common reference point."""
    return _hypervolumes(question.version, view.key, question.runs, view.scores)


def reference_of(points: pd.DataFrame) -> Point | None:
    """The model without fairness; of several the one that predicts best."""
    unfair = points[points["method"] == "unfair"]
    return None if unfair.empty else best_predicting(unfair)


def best_predicting(points: pd.DataFrame) -> Point:
    """The point with the best prediction score."""
    return points.iloc[int(points["prediction"].argmax())].to_dict()


def fairest(points: pd.DataFrame) -> Point:
    """The point with the best fairness score."""
    return points.iloc[int(points["fairness"].argmin())].to_dict()


@st.cache_data(max_entries=64, show_spinner=False)
def _points(
    version: object, view: str, _runs: pd.DataFrame, _scores: dict[str, str]
) -> pd.DataFrame:
    return front_points(_runs, **_scores)


@st.cache_data(max_entries=64, show_spinner=False)
def _hypervolumes(
    version: object, view: str, _runs: pd.DataFrame, _scores: dict[str, str]
) -> tuple[pd.DataFrame, tuple[float, float]]:
    scored = scored_runs(_runs, **_scores)
    reference = reference_point(scored, OBJECTIVES)
    settings = setting_columns(scored)
    rows = []
    for method, own in scored.groupby("method", sort=False):
        size = hypervolume_interval(own, OBJECTIVES, reference=reference, setting=settings)
        rows.append((method, size.value, size.low, size.high, size.seeds))
    table = pd.DataFrame(rows, columns=["method", "hypervolume", "low", "high", "seeds"])
    return table.sort_values("hypervolume", ascending=False, ignore_index=True), reference
