"""The answer to the example's question, in one sentence, from the runs that are finished."""

from typing import Final

import pandas as pd

from frem_core.figures.front_points import front_points
from frem_core.pareto import best_under_constraints

_PREDICTION, _FAIRNESS = "mae", "hgr"
_SHARE: Final = 0.5


def answer_of(runs: pd.DataFrame) -> str | None:
    """Says what FREM costs where it at least halves the dependence; None while that is unknown.

    Args:
        runs: the runs of the example, finished or not.
    """
    points = front_points(runs, prediction=_PREDICTION, fairness=_FAIRNESS)
    ordinary = points[points["method"] == "unfair"]
    fair = points[points["method"] == "frem"]
    if ordinary.empty or fair.empty:
        return None
    before = ordinary.iloc[0]
    limit = _SHARE * float(before["fairness"])
    best = best_under_constraints(fair, "prediction", "max", at_most={"fairness": limit})
    if best.empty:
        least = fair["fairness"].min()
        return (
            f"**So far:** without fairness the dependence (HGR) is {before['fairness']:.2f}; FREM "
            f"brings it down to {least:.2f} at most. More models are to come or more fairness is "
            "needed."
        )
    after = best.iloc[0]
    lost = float(before["prediction"] - after["prediction"])
    cost = (
        f"costs {100 * lost:.1f} points of accuracy" if lost > 0.0005 else "costs no accuracy here"
    )
    so_far = "" if (runs["state"] == "done").all() else " so far"
    return (
        f"**The answer{so_far}:** at least halving the dependence on the share of Black residents "
        f"(HGR from {before['fairness']:.2f} to {after['fairness']:.2f}) {cost}: the mean error "
        f"goes from {1 - before['prediction']:.3f} to {1 - after['prediction']:.3f} with FREM, "
        f"{after['words']}."
    )
