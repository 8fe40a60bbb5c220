"""Checks that every column of numbers must pass, and the words for columns in messages."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.errors import DataError, did_you_mean

# Larger numbers cannot be squared or averaged safely; in tables they are always mistakes.
_LARGEST = 1e100


def check_finite(name: str, values: NDArray[np.float64]) -> None:
    """Refuses infinite and absurdly large values; missing ones may stay."""
    bad = np.abs(values) > _LARGEST
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise DataError(
            f"Column '{name}' has infinite or absurdly large values ({int(bad.sum()):,}, the first "
            f"is {values[row]:g}); correct them or leave them empty."
        )


def check_not_empty(name: str, column: pd.Series) -> None:
    """Refuses a column without a single known value."""
    if not column.notna().any():
        raise DataError(
            f"Column '{name}' is empty: no row has a value. Remove it or choose other columns."
        )


def check_known(role: str, name: str, columns: Sequence[str]) -> None:
    """Refuses a name that is not a column, with the closest one as a proposal."""
    if name not in columns:
        hint = did_you_mean(name, columns)
        if len(columns) == 1:
            hint = " The table has one column only; name another separator."
        raise DataError(
            f"There is no {role} column '{name}'; the columns are {listed(columns)}." + hint
        )


def listed(names: Iterable[str], most: int = 8) -> str:
    """Names for a sentence, cut short when there are many."""
    every = list(names)
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + rest
