"""Looks up node ids: where in the node table the ends of an edge are."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.tables.checks import listed
from frem_core.errors import DataError


class NodeIds:
    """The ids of a node table.

    Numbers and text are the same id when they read the same: 17, 17.0 and "17".

    Args:
        name: the id column, for messages; None when nodes are known by their row number.
        ids: one id a node.
    """

    def __init__(self, name: str | None, ids: pd.Series) -> None:
        self.name = name
        self._index = pd.Index(_plain(ids))
        missing = int(ids.isna().sum())
        if missing:
            raise DataError(f"{missing:,} nodes have no id in column '{name}'; fill or drop them.")
        if not self._index.is_unique:
            repeated = self._index[self._index.duplicated(keep=False)].unique()
            raise DataError(
                f"{len(repeated):,} ids stand in column '{name}' more than once (for example "
                f"{listed(str(one) for one in repeated[:3])}); keep one row for each node."
            )

    @classmethod
    def row_numbers(cls, n_nodes: int) -> "NodeIds":
        """Nodes that are known by their row number, from 0."""
        return cls(None, pd.Series(np.arange(n_nodes)))

    def positions(self, ids: pd.Series) -> NDArray[np.int64]:
        """Returns the row of each id in the node table, −1 for an id that is not there."""
        codes, values = pd.factorize(_plain(ids))
        index, wanted = self._index, pd.Index(values)
        if pd.api.types.is_integer_dtype(index.dtype) != pd.api.types.is_integer_dtype(
            wanted.dtype
        ):
            index, wanted = index.astype(str), wanted.astype(str)
        found: NDArray[np.int64] = index.get_indexer(wanted)[codes].astype(np.int64)
        return found


def _plain(ids: pd.Series) -> pd.Series:
    """Whole numbers as int64, everything else as stripped text."""
    if pd.api.types.is_integer_dtype(ids.dtype) and not ids.hasnans:
        return ids.astype(np.int64)
    if pd.api.types.is_float_dtype(ids.dtype):
        known = ids.dropna()
        if (known == known.round()).all() and known.abs().max() < 2**53:
            return known.astype(np.int64)
    return ids.astype(str).str.strip()
