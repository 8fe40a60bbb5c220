"""Reads the sensitive column: a number that varies, or dates as years; or several of them."""

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from frem_core.attributes import Attributes, read_attributes, years
from frem_core.datasets.tables.checks import check_finite, listed
from frem_core.datasets.tables.column_types import typed_column
from frem_core.errors import DataError

MIN_DISTINCT = 3
FEW_DISTINCT = 10
MOST_LEVELS = 30


def read_sensitive(
    name: str, column: pd.Series, *, fewest: int = MIN_DISTINCT
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Turns a column without missing values into numbers in its own units, with notes.

    Args:
        name: of the column.
        column: its values.
        fewest: distinct values there must be; training needs three, two groups can be audited.

    Raises:
        DataError: the column is text, constant or has too few distinct values.
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
    if len(distinct) < fewest:
        raise DataError(
            f"The sensitive column '{name}' has {len(distinct)} distinct values; at least "
            f"{fewest} are needed. This tool is for continuous attributes such as age, "
            "income or a share; for groups use a method for groups."
        )
    if len(distinct) < FEW_DISTINCT:
        notes = (
            *notes,
            f"'{name}' has {len(distinct)} different values only: between them nothing is known, "
            "so curves are steps, and a bandwidth (γ) below their distance changes nothing.",
        )
    return values, notes


def read_several(
    columns: pd.DataFrame,
) -> tuple[str, NDArray[np.float64], Attributes | None, tuple[str, ...]]:
    """Turns one or several columns without missing values into numbers and categories.

    Returns:
        Name and values of the first that is a number, all of them where there are several, and
        notes. Text, and numbers with fewer than three distinct values, count as categories.

    Raises:
        DataError: none is a number that varies, or one is the same in every row.
    """
    names = [str(name) for name in columns.columns]
    if len(names) == 1:
        values, notes = read_sensitive(names[0], columns.iloc[:, 0])
        return names[0], values, None, notes
    read: dict[str, pd.Series] = {}
    first: tuple[str, NDArray[np.float64]] | None = None
    all_notes: tuple[str, ...] = ()
    for name in names:
        column = columns[name]
        if column.nunique() < 2:
            raise DataError(
                f"The sensitive column '{name}' is {column.iloc[0]} in every row; choose one that "
                "varies."
            )
        if is_category(column):
            _check_levels(name, column)
            read[name] = column.astype("str")
            continue
        values, notes = read_sensitive(name, column)
        read[name] = pd.Series(values)
        all_notes += notes
        first = first or (name, values)
    if first is None:
        raise DataError(
            f"None of the sensitive columns {', '.join(names)} is a number with at least "
            f"{MIN_DISTINCT} values. This tool is for continuous attributes such as age, income or "
            "a share, by themselves or together with groups; for groups alone use a method for "
            "groups."
        )
    return *first, read_attributes(pd.DataFrame(read), len(columns)), all_notes


def is_category(column: pd.Series) -> bool:
    """Whether a column, beside others, counts as categories: text, or fewer than three numbers."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = _without_categories(column)
    is_number = pd.api.types.is_numeric_dtype(column.dtype) and column.dtype != bool
    is_date = pd.api.types.is_datetime64_any_dtype(column.dtype)
    return not (is_number or is_date) or column.nunique() < MIN_DISTINCT


def _check_levels(name: str, column: pd.Series) -> None:
    levels = column.nunique()
    if levels > MOST_LEVELS:
        raise DataError(
            f"The sensitive column '{name}' has {levels:,} different texts; a category has at most "
            f"{MOST_LEVELS}. Group its values, or write numbers."
        )


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
