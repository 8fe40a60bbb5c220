"""How single dimensions of a representation differ between groups of the sensitive attribute."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.audit.groups import QuantileGroups, box_statistics


def between_group_share(table: ArrayLike, groups: QuantileGroups) -> NDArray[np.float64]:
    """The share of each column's variance that lies between the groups (correlation ratio η²).

    ``η² = Σ_g n_g (mean_g - mean)² / Σ_i (x_i - mean)²``: 0 when all groups have the same mean, 1
    when the group determines the value. A constant column has 0.

    Args:
        table: columns, (n, m).
        groups: groups of the n rows.

    Returns:
        One number per column, (m,).

    >>> from frem_core.audit import quantile_groups
    >>> between_group_share([[0, 1], [0, 2], [1, 1], [1, 2]], quantile_groups([1, 1, 2, 2], 2))
    array([1., 0.])
    """
    values = np.asarray(table, dtype=np.float64)
    centred = values - values.mean(axis=0)
    rows = np.bincount(groups.codes)
    sums = np.zeros((len(rows), values.shape[1]))
    np.add.at(sums, groups.codes, centred)
    between = (sums**2 / rows[:, None]).sum(axis=0)
    total = (centred**2).sum(axis=0)
    # A column whose variance is rounding has none.
    varies = total > 1e-13 * (values**2).sum(axis=0)
    shares = np.divide(between, total, out=np.zeros_like(total), where=varies)
    clipped: NDArray[np.float64] = shares.clip(0.0, 1.0)
    return clipped


def dimension_boxes(
    table: ArrayLike, groups: QuantileGroups, dimensions: list[int], *, standardise: bool
) -> pd.DataFrame:
    """Box plots of some dimensions over the groups.

    Args:
        table: representation, (n, m).
        groups: groups of the n rows.
        dimensions: columns to look at, counted from 0.
        standardise: whether each dimension is shown in its own standard deviations around its
            mean; otherwise a shrunken representation would look fair.

    Returns:
        One row per dimension and group: ``dimension`` (counted from 1), ``between_groups`` (its
        :func:`between_group_share`) and the columns of :func:`frem_core.audit.box_statistics`.
    """
    values = np.asarray(table, dtype=np.float64)
    shares = between_group_share(values, groups)
    parts = []
    for number in dimensions:
        column = values[:, number]
        if standardise:
            column = (column - column.mean()) / (column.std() or 1.0)
        boxes = box_statistics(column, groups)
        boxes.insert(0, "dimension", number + 1)
        boxes.insert(1, "between_groups", shares[number])
        parts.append(boxes)
    return pd.concat(parts, ignore_index=True)
