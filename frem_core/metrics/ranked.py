"""Places of scores, and how many rows, and positive ones, have at most each."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.metrics.neighbours.rising_values import Rows, rising_order
from frem_core.types import Floats


def ranks(scores: Floats) -> Floats:
    """The place of each score from the lowest, 1; equal ones share the mean of theirs.

    Those of ``scipy.stats``, which takes longer to load than most scores to compute.

    >>> ranks(np.array([0.5, 0.1, 0.5]))
    array([2.5, 1. , 2.5])
    """
    return np.asarray(pd.Series(scores).rank(), dtype=np.float64)


def rows_up_to(scores: Floats, positive: NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """Counts for the different scores in rising order, with a 0 before them.

    Args:
        scores: (n,).
        positive: which rows are, (n,).

    Returns:
        How many rows have at most each score, and how many of them are positive.

    Example:
        >>> rows, hits = rows_up_to(np.array([0.5, 0.1, 0.5]), np.array([True, False, False]))
        >>> rows.tolist(), hits.tolist()
        ([0, 1, 3], [0, 0, 1])
    """
    order = rising_order(scores)
    rising = scores[order]
    rows = np.flatnonzero(np.concatenate([[True], rising[1:] != rising[:-1], [True]]))
    hits = np.concatenate([[0], np.cumsum(positive[order])])
    return rows, hits[rows]
