"""The points of the chart and what is calculated from them, kept until a run finishes."""

import pandas as pd
import streamlit as st

from frem_core.figures import constant_of, front_points
from frem_core.figures.front_points import OBJECTIVES, scored_runs
from frem_core.figures.run_titles import setting_columns
from frem_core.pareto import (
    hypervolume_interval,
    method_fronts,
    possible_area,
    reference_point,
)
from studio.tradeoffs.question import Question
from studio.tradeoffs.view import View
from studio.words import Point, own_units


def points_of(question: Question, view: View) -> pd.DataFrame:
    """One row per setting, FREM first and the reference without fairness last.

    To what `front_points` gives, ``units`` is added: the prediction in the target's own units.
    """
    points = _points(question.version, view.key, question.runs, view.scores)
    rows = points.to_dict("records")
    return points.assign(
        units=[own_units(view.prediction, row["prediction"], row, question.target) for row in rows]
    )


def hypervolumes_of(
    question: Question, view: View, points: pd.DataFrame
) -> tuple[pd.DataFrame, tuple[float, float]]:
    """Size of each method's front in per cent of the possible area, and the corner it is from.

    The corner is the best constant's prediction and the unfairness of the model without fairness;
    what is not known of it is the worst that any run reached.
    """
    reference = reference_of(points)
    corner = (
        constant_of(points),
        None if reference is None else float(reference["fairness"]),
    )
    return _hypervolumes(question.version, view.key, corner, question.runs, view.scores)


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
    version: object,
    view: str,
    corner: tuple[float | None, float | None],
    _runs: pd.DataFrame,
    _scores: dict[str, str],
) -> tuple[pd.DataFrame, tuple[float, float]]:
    scored = scored_runs(_runs, **_scores)
    worst = reference_point(scored, OBJECTIVES)
    reference = (
        worst[0] if corner[0] is None else corner[0],
        worst[1] if corner[1] is None else corner[1],
    )
    settings = setting_columns(scored)
    means = method_fronts(scored, OBJECTIVES, setting=settings)
    whole = possible_area(means, OBJECTIVES, reference=reference)
    share = 100 / whole if whole > 0 else 0.0
    rows = []
    for method, own in scored.groupby("method", sort=False):
        size = hypervolume_interval(own, OBJECTIVES, reference=reference, setting=settings)
        ends = (min(share * end, 100.0) for end in (size.low, size.high))
        rows.append((method, share * size.value, *ends, size.seeds))
    table = pd.DataFrame(rows, columns=["method", "share", "low", "high", "seeds"])
    return table.sort_values("share", ascending=False, ignore_index=True), reference
