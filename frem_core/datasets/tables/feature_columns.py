"""Cleans feature columns and writes down what was left out or converted, and why."""

import re
from collections import defaultdict

import numpy as np
import pandas as pd

from frem_core.datasets.encoding import MISSING_LEVEL
from frem_core.datasets.tables.checks import check_finite, check_not_empty, listed
from frem_core.errors import DataError
from frem_core.types import ColumnKind

MAX_LEVELS = 100
_IDENTIFIER = re.compile(r"(.*[_ .-])?(id|uuid|guid|index|row|rownames|unnamed: 0)", re.IGNORECASE)

_SENTENCES = {
    "numbering": "Left out, because they only number or name the rows: {}.",
    "constant": "Left out, because they have one value only: {}.",
    "many": "Left out, because they are text with too many different values: {}.",
    "dates": "Dates became days since 1 January 1970: {}.",
    "booleans": "True and false became 1 and 0: {}.",
    "numbers": "Missing numbers become the median of the training rows: {}.",
    "categories": f"Missing categories became a category of their own, '{MISSING_LEVEL}': {{}}.",
}


def is_numbering(name: str, column: pd.Series) -> bool:
    """Tells whether a column only counts the rows (1, 2, 3, …) or names each one."""
    if not pd.api.types.is_integer_dtype(column.dtype) or len(column) < 3:
        return False
    values = column.to_numpy(dtype=np.int64)
    if (np.diff(values) == 1).all():
        return True
    return bool(_IDENTIFIER.fullmatch(name)) and column.is_unique


class FeatureCleaner:
    """Cleans columns one by one and remembers what happened to which.

    Attributes:
        kinds: the columns that became numbers, by what they were before.
    """

    def __init__(self) -> None:
        self.kinds: dict[str, ColumnKind] = {}
        self._happened: defaultdict[str, list[str]] = defaultdict(list)

    def leave_out(self, name: str, reason: str) -> None:
        """Remembers a column that was left out."""
        self._happened[reason].append(name)

    def clean(self, name: str, column: pd.Series) -> pd.Series | None:
        """Returns numbers or categories, or None for a column without use."""
        check_not_empty(name, column)
        if isinstance(column.dtype, pd.CategoricalDtype | pd.StringDtype):
            return self._text(name, column)
        if pd.api.types.is_datetime64_any_dtype(column.dtype):
            self._happened["dates"].append(name)
            self.kinds[name] = "date"
            column = days(column)
        elif pd.api.types.is_bool_dtype(column.dtype):
            self._happened["booleans"].append(name)
            self.kinds[name] = "boolean"
            column = column.astype(np.int64)
        return self._numbers(name, column)

    @property
    def notes(self) -> list[str]:
        """One sentence for each thing that happened."""
        return [
            sentence.format(listed(self._happened[reason]))
            for reason, sentence in _SENTENCES.items()
            if self._happened[reason]
        ]

    def _numbers(self, name: str, column: pd.Series) -> pd.Series | None:
        values = column.to_numpy(dtype=np.float64)
        check_finite(name, values)
        missing = np.isnan(values)
        known = values[~missing]
        if (known == known[0]).all():
            self.leave_out(name, "constant")
            return None
        if missing.any():
            self._happened["numbers"].append(f"{name} ({int(missing.sum()):,})")
        return column

    def _text(self, name: str, column: pd.Series) -> pd.Series | None:
        missing = column.isna().to_numpy()
        n_levels = column.nunique()
        if n_levels == 1 and not missing.any():
            self.leave_out(name, "constant")
            return None
        if n_levels > min(MAX_LEVELS, (~missing).sum() / 2):
            example = str(column[~missing].iloc[0])[:20]
            self.leave_out(f"{name} ({n_levels:,}, e.g. '{example}')", "many")
            return None
        found, levels = pd.factorize(column)
        names, position = np.unique([str(level) for level in levels], return_inverse=True)
        names, codes = names.tolist(), position[found]
        if missing.any():
            self._happened["categories"].append(f"{name} ({int(missing.sum()):,})")
            if MISSING_LEVEL not in names:
                names.append(MISSING_LEVEL)
            codes = np.where(missing, names.index(MISSING_LEVEL), codes)
        values = pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype="str"))
        return pd.Series(values, index=column.index)


def days(dates: pd.Series) -> pd.Series:
    """Dates as days since 1 January 1970, missing ones as NaN."""
    # Whole seconds: the years 0 to 9999 fit, which nanoseconds do not.
    seconds = dates.to_numpy().astype("datetime64[s]")
    days = seconds.astype(np.int64) / 86_400
    return pd.Series(np.where(np.isnat(seconds), np.nan, days), index=dates.index)


def check_some_left(columns: dict[str, pd.Series], notes: list[str]) -> None:
    """Refuses a table of which no feature is left."""
    if not columns:
        raise DataError(
            "No feature is left to learn from. "
            + " ".join(notes)
            + " Choose other feature columns."
        )
