"""Brings the columns of any DataFrame to five types: whole numbers, numbers, bool, dates, text."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from frem_core.datasets.tables.checks import check_known
from frem_core.datasets.tables.column_types import TypedColumn, text_column, typed_column
from frem_core.errors import DataError


def tidy_column(name: str, column: pd.Series) -> TypedColumn:
    """Gives a column one of the types that the rest of the package knows.

    Categories stay categories: whoever made them said what they are.
    """
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return TypedColumn(column.reset_index(drop=True))
    if isinstance(dtype, pd.PeriodDtype):
        return TypedColumn(column.dt.to_timestamp().reset_index(drop=True))
    if pd.api.types.is_datetime64_any_dtype(dtype):
        naive = column.dt.tz_convert("UTC").dt.tz_localize(None) if _has_zone(column) else column
        return TypedColumn(naive.reset_index(drop=True))
    if pd.api.types.is_timedelta64_dtype(dtype):
        return TypedColumn(column.dt.total_seconds().reset_index(drop=True) / 86_400, "is in days")
    if pd.api.types.is_bool_dtype(dtype) and not column.isna().any():
        return TypedColumn(pd.Series(column.to_numpy(dtype=bool)))
    if pd.api.types.is_complex_dtype(dtype):
        raise DataError(f"Column '{name}' holds complex numbers; split or remove it.")
    if pd.api.types.is_numeric_dtype(dtype):
        return TypedColumn(_plain_numbers(column))
    return typed_column(pa.chunked_array([_texts(column)]))


def tidy_text(column: pd.Series) -> TypedColumn:
    """The same column as text: 3.0 is "3" where all numbers are whole, categories stay."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return TypedColumn(column.reset_index(drop=True))
    if pd.api.types.is_float_dtype(column.dtype):
        known = column.dropna()
        if (known == known.round()).all():
            column = column.astype("Int64")
    return text_column(pa.chunked_array([_texts(column)]))


def retyped(
    frame: pd.DataFrame, *, as_text: Collection[str], as_numbers: Collection[str]
) -> pd.DataFrame:
    """Gives columns the type their owner names, where it was guessed wrongly.

    Args:
        frame: a table from `read_table`.
        as_text: columns that are categories.
        as_numbers: columns that are numbers; cells that are none are missing from then on.

    Raises:
        DataError: there is no such column, it is named twice, or it holds no number at all.
    """
    columns = [str(name) for name in frame.columns]
    for name in (*as_text, *as_numbers):
        check_known("re-typed", name, columns)
        if name in as_text and name in as_numbers:
            raise DataError(f"Column '{name}' cannot be text and numbers at once; choose one.")
    changes = {name: tidy_text(frame[name]).values for name in as_text}
    for name in as_numbers:
        numbers = pd.to_numeric(tidy_text(frame[name]).values, errors="coerce")
        if numbers.isna().all():
            raise DataError(f"No cell of column '{name}' is a number; leave it as text.")
        changes[name] = numbers.astype(np.float64)
    return frame.assign(**changes) if changes else frame


def _has_zone(column: pd.Series) -> bool:
    return getattr(column.dt, "tz", None) is not None


def _plain_numbers(column: pd.Series) -> pd.Series:
    if pd.api.types.is_signed_integer_dtype(column.dtype) and not column.isna().any():
        return pd.Series(column.to_numpy(dtype=np.int64))
    return pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan))


def _texts(column: pd.Series) -> pa.Array:
    if isinstance(column.dtype, pd.StringDtype):
        try:
            return pa.array(column, pa.string(), from_pandas=True)
        except (pa.ArrowException, UnicodeError):
            pass  # lone surrogates: cell by cell, below
    return pa.array([_text(cell) for cell in column.astype(object)], pa.string())


def _text(cell: Any) -> str | None:
    if cell is None or cell is pd.NA or cell is pd.NaT:
        return None
    if isinstance(cell, float | np.floating):
        return None if np.isnan(cell) else repr(float(cell))
    # Lone surrogates cannot be stored; they become replacement characters.
    return str(cell).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
