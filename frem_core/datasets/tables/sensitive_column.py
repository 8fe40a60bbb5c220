"""Reads the sensitive column: a number that varies, or dates as years."""

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from frem_core.datasets.tables.checks import check_finite, listed
from frem_core.datasets.tables.column_types import typed_column
from frem_core.errors import DataError

MIN_DISTINCT = 3


def read_sensitive(name: str, column: pd.Series) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Turns a column without missing values into numbers in its own units, with notes.

    Raises:
        DataError: the column is text, constant or has fewer than three distinct values.
    """
    notes: tuple[str, ...] = ()
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = _without_categories(column)
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        values = years(column)
        notes = (f"The dates of '{name}' became years (1 July 1990 is 1990.5).",)
    elif pd.api.types.is_numeric_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64)
    else:
        raise _not_numeric(name, column)
    check_finite(name, values)
    distinct = np.unique(values)
    if len(distinct) == 1:
        raise DataError(
            f"The sensitive column '{name}' is {distinct[0]:g} in every row; "
            "choose one that varies."
        )
    if len(distinct) < MIN_DISTINCT:
        raise DataError(
            f"The sensitive column '{name}' has {len(distinct)} distinct values; at least "
            f"{MIN_DISTINCT} are needed. This tool is for continuous attributes such as age, "
            "income or a share; for groups use a method for groups."
        )
    return values, notes


def years(dates: pd.Series) -> NDArray[np.float64]:
    """Dates as years with a fraction: 1 July 1990 is about 1990.5."""
    year: NDArray[np.float64] = dates.dt.year.to_numpy(dtype=np.float64)
    length = np.where(dates.dt.is_leap_year, 366.0, 365.0)
    seconds = dates.dt.hour * 3600 + dates.dt.minute * 60 + dates.dt.second
    day = dates.dt.day_of_year.to_numpy(dtype=np.float64) - 1.0
    year += (day + seconds.to_numpy(dtype=np.float64) / 86_400) / length
    return year


def _without_categories(column: pd.Series) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column.cat.categories.dtype):
        return column.astype(np.float64)
    texts = [str(value) for value in column]
    return typed_column(pa.chunked_array([pa.array(texts, pa.string())])).values


def _not_numeric(name: str, column: pd.Series) -> DataError:
    numbers = pd.to_numeric(column, errors="coerce")
    stray = column[numbers.isna()]
    examples = listed((f"'{text}'" for text in stray.drop_duplicates().iloc[:4]), most=3)
    return DataError(
        f"The sensitive column '{name}' is not numeric: {len(stray):,} of {len(column):,} values "
        f"are text, such as {examples}. Write numbers (45, not '45 years'; 12.5 or '12.5 %' "
        "throughout) or choose another column."
    )
