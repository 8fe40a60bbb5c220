"""What a user asks of a model: at most this unfair, at least this accurate."""

import math
from dataclasses import dataclass
from typing import Final

import pandas as pd
import streamlit as st

from frem_core.pareto import best_under_constraints
from frem_core.words import decimals
from studio.address import decimal_in_address, to_address
from studio.tradeoffs.points import reference_of
from studio.tradeoffs.view import View

_GOALS: Final = {"prediction": "Best prediction", "fairness": "Fairest model"}
_DIGITS: Final = 3


@dataclass(frozen=True)
class Limits:
    """What a user asks for.

    Attributes:
        at_most: largest fairness score.
        at_least: smallest prediction score.
        goal: which of the two to make as good as possible within the limits.
    """

    at_most: float
    at_least: float
    goal: str

    def best(self, points: pd.DataFrame) -> pd.DataFrame:
        """The best point of each method that keeps the limits, best first."""
        within = {"at_most": {"fairness": self.at_most}, "at_least": {"prediction": self.at_least}}
        if self.goal == "fairness":
            return best_under_constraints(points, "fairness", "min", by="method", **within)
        return best_under_constraints(points, "prediction", "max", by="method", **within)


def current_limits(points: pd.DataFrame) -> Limits:
    """The limits in the address; at first half the unfairness of the reference, any prediction."""
    (_, highest), (lowest, top) = _ranges(points)
    reference = reference_of(points)
    digits = decimals(float(points["fairness"].max()))
    worst = float(points["fairness"].max() if reference is None else reference["fairness"])
    at_most, at_least = decimal_in_address("at_most"), decimal_in_address("at_least")
    goal = st.query_params.get("goal", "prediction")
    return Limits(
        at_most=min(max(round(worst / 2, digits) if at_most is None else at_most, 0.0), highest),
        at_least=min(max(lowest if at_least is None else at_least, lowest), top),
        goal=goal if goal in _GOALS else "prediction",
    )


def show_limits(view: View, points: pd.DataFrame, limits: Limits) -> None:
    """Draws what to look for and the two limits; they go through the address."""
    (low, high), (worst, best) = _ranges(points)
    digits = decimals(float(points["fairness"].max()))
    st.segmented_control(
        "Look for",
        list(_GOALS),
        format_func=_GOALS.__getitem__,
        default=limits.goal,
        required=True,
        key=f"tradeoffs-goal-{limits.goal}",
        on_change=to_address,
        args=("goal", f"tradeoffs-goal-{limits.goal}"),
    )
    left, right = st.columns(2, gap="large")
    key = f"tradeoffs-at-most-{view.key}"
    left.slider(
        f"At most this unfair ({view.fairness.symbol})",
        low,
        high,
        value=limits.at_most,
        step=10**-digits,
        format=f"%.{digits}f",
        key=key,
        on_change=to_address,
        args=("at_most", key),
    )
    key = f"tradeoffs-at-least-{view.key}"
    right.slider(
        f"At least this accurate ({view.prediction.axis_symbol})",
        worst,
        best,
        value=limits.at_least,
        step=10**-_DIGITS,
        format=f"%.{_DIGITS}f",
        key=key,
        on_change=to_address,
        args=("at_least", key),
    )


def _ranges(points: pd.DataFrame) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ranges of both sliders, rounded so that they seldom change while points come in."""
    largest = float(points["fairness"].max())
    places = decimals(largest) - 1
    high = max(math.ceil(largest * 10**places), 1) / 10**places
    step = 0.01
    worst = math.floor(float(points["prediction"].min()) / step) * step
    best = math.ceil(float(points["prediction"].max()) / step) * step
    return (0.0, high), (round(worst, 2), round(max(best, worst + step), 2))
