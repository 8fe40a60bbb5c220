"""Non-dominated sets: what remains when everything that is worse in all respects is dropped."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.pareto.objectives import Direction, Objectives, columns, gains
from frem_core.types import Floats

_BLOCK = 512


def non_dominated(points: ArrayLike, directions: Sequence[Direction]) -> NDArray[np.bool_]:
    """Tells which points no other point dominates.

    a dominates b when a is at least as good in every objective and better in one. Equal points
    do not dominate each other. A point with a missing value is never on the front.

    Args:
        points: (n, k) values of k objectives.
        directions: ``"max"`` or ``"min"`` for each of the k columns.

    Returns:
        (n,) true for the points of the front.

    >>> non_dominated([[0.9, 0.5], [0.8, 0.1], [0.7, 0.3]], ["max", "min"]).tolist()
    [True, True, False]
    """
    better = gains(points, directions)
    mask: NDArray[np.bool_] = np.all(np.isfinite(better), axis=1)
    known = better[mask]
    mask[mask] = _front_of_two(known) if known.shape[1] == 2 else _front_of_many(known)
    return mask


def pareto_front(frame: pd.DataFrame, objectives: Objectives) -> pd.DataFrame:
    """Returns the rows of a table that no other row dominates, ordered along the front.

    Args:
        frame: one row per run, as `Store.runs.frame` gives it.
        objectives: direction by column, e.g. ``{"test.accuracy": "max", "test.hgr": "min"}``.

    Returns:
        The rows of the front, best in the first objective last.

    >>> frame = pd.DataFrame({"accuracy": [0.9, 0.8, 0.7], "hgr": [0.5, 0.1, 0.3]})
    >>> pareto_front(frame, {"accuracy": "max", "hgr": "min"}).index.tolist()
    [1, 0]
    """
    names, directions = list(objectives), list(objectives.values())
    values = columns(frame, names)
    rows = np.flatnonzero(non_dominated(values, directions))
    order = np.argsort(gains(values, directions)[rows, 0], kind="stable")
    return frame.iloc[rows[order]]


def _front_of_two(better: Floats) -> NDArray[np.bool_]:
    """One sweep from the best first objective down, in O(n log n)."""
    mask = np.zeros(len(better), dtype=bool)
    if not len(better):
        return mask
    order = np.lexsort((-better[:, 1], -better[:, 0]))
    first, second = better[order, 0], better[order, 1]
    # Best second objective among points that are strictly better in the first one.
    best_so_far = np.maximum.accumulate(second)
    group_start = np.searchsorted(-first, -first, side="left")
    best_before = np.where(group_start > 0, best_so_far[group_start - 1], -np.inf)
    # Within a group of equal firsts only its best second survives; it comes first in the order.
    mask[order] = (second > best_before) & (second == second[group_start])
    return mask


def _front_of_many(better: Floats) -> NDArray[np.bool_]:
    """Compares blocks of points with all others, in O(n²k) time and O(n) memory per block."""
    mask = np.ones(len(better), dtype=bool)
    for start in range(0, len(better), _BLOCK):
        block = better[start : start + _BLOCK, None, :]  # (b, 1, k)
        as_good = np.all(better[None] >= block, axis=2)  # (b, n)
        better_somewhere = np.any(better[None] > block, axis=2)
        mask[start : start + _BLOCK] = ~np.any(as_good & better_somewhere, axis=1)
    return mask
