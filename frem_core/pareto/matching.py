"""Runs of different methods that predict equally well, so that only their fairness differs."""

import numpy as np
import pandas as pd

from frem_core.pareto.objectives import columns


def nearest_on_score(frame: pd.DataFrame, score: str, value: float, *, by: str) -> pd.DataFrame:
    """Returns the row of each group whose score is nearest to a value.

    Args:
        frame: one row per run.
        score: column to match on; rows without a value are left out.
        value: what to match.
        by: column of the groups, e.g. ``"method"``.

    Returns:
        One row per group, nearest first; of equally near rows the first one is taken.

    >>> runs = pd.DataFrame({"method": ["a", "a", "b"], "accuracy": [0.9, 0.8, 0.7]})
    >>> nearest_on_score(runs, "accuracy", 0.82, by="method").index.tolist()
    [1, 2]
    """
    distance = np.abs(columns(frame, [score])[:, 0] - value)
    rows = np.flatnonzero(np.isfinite(distance))
    ordered = frame.iloc[rows[np.argsort(distance[rows], kind="stable")]]
    return ordered.drop_duplicates(by)
