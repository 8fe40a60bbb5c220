"""The best run that keeps promises: "HGR at most 0.2, then the highest accuracy"."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from frem_core.pareto.objectives import Direction, columns, signs


def best_under_constraints(
    frame: pd.DataFrame,
    objective: str,
    direction: Direction,
    *,
    at_most: Mapping[str, float] | None = None,
    at_least: Mapping[str, float] | None = None,
    by: str | None = None,
) -> pd.DataFrame:
    """Returns the best row that meets every constraint, or the best one of each group.

    Args:
        frame: one row per run, or per averaged setting.
        objective: the score to be as good as possible.
        direction: whether more (``"max"``) or less (``"min"``) of it is better.
        at_most: upper limits by column; a missing score never meets a limit.
        at_least: lower limits by column.
        by: column of the groups, e.g. ``"method"``; None compares all rows with each other.

    Returns:
        One row, or one per group that has any, best first; empty when no row meets all limits.
        Of equal rows the first one is taken.

    >>> runs = pd.DataFrame({"accuracy": [0.9, 0.8, 0.7], "hgr": [0.5, 0.2, 0.1]})
    >>> best_under_constraints(runs, "accuracy", "max", at_most={"hgr": 0.2}).index.tolist()
    [1]
    """
    upper, lower = dict(at_most or {}), dict(at_least or {})
    values = columns(frame, [objective, *upper, *lower])
    score = values[:, 0] * signs([direction])[0]
    meets = np.isfinite(score)
    for position, limit in enumerate(upper.values(), start=1):
        meets &= values[:, position] <= limit
    for position, limit in enumerate(lower.values(), start=1 + len(upper)):
        meets &= values[:, position] >= limit
    rows = np.flatnonzero(meets)
    ordered = frame.iloc[rows[np.argsort(-score[rows], kind="stable")]]
    return ordered.head(1) if by is None else ordered.drop_duplicates(by)
