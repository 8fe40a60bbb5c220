"""Finds the type of a text column: numbers, true/false, dates, or text after all."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from frem_core.datasets.tables.written_numbers import read_written_numbers

# Cells that mean "not known", whatever the column.
MISSING_TEXTS = (
    *("", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "-NaN", "-nan", "NaT", "None"),
    *("null", "NULL", "Null", "?", "-", "--", ".", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?"),
    *("#NUM!", "#NULL!"),
)
_MISSING = pa.array(MISSING_TEXTS, pa.string())
_BOOLEANS = {"true": True, "false": False}
_ISO_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([T ].*)?")
_DATE_FORMATS = (
    *("%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y", "%m-%d-%Y"),
    *("%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M", "%d/%m/%Y %H:%M", "%d.%m.%Y %H:%M:%S"),
    *("%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M:%S", "%d %B %Y", "%B %d, %Y", "%d %b %Y", "%d-%b-%Y"),
)
_LETTERS = {"%d": "DD", "%m": "MM", "%Y": "YYYY", "%H": "hh", "%M": "mm", "%S": "ss"} | {
    "%B": "Month",
    "%b": "Mon",
}
_FIRST_LOOK = 1000


@dataclass(frozen=True)
class TypedColumn:
    """A column with its type, and a word on the conversion if it was not a plain one.

    Attributes:
        values: numbers, bool, datetime64 or text (``str`` dtype).
        remark: e.g. ``"was read as dates written like DD.MM.YYYY"``, or None.
    """

    values: pd.Series
    remark: str | None = None


def typed_column(texts: pa.ChunkedArray, decimal: str = ".") -> TypedColumn:
    """Gives a text column the one type that all its known cells have.

    Args:
        texts: the cells as text.
        decimal: the decimal mark of the file.
    """
    # What holds for all cells holds for the first ones: most text columns end here.
    if _convert(_known(texts.slice(0, _FIRST_LOOK)), decimal) is None:
        return TypedColumn(_as_text(_known(texts)))
    known = _known(texts)
    return _convert(known, decimal) or TypedColumn(_as_text(known))


def text_column(texts: pa.ChunkedArray) -> TypedColumn:
    """The cells as text, whatever they look like; those that mean "not known" are missing."""
    return TypedColumn(_as_text(_known(texts)))


def _known(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """The cells without surrounding blanks, and null where they mean "not known"."""
    trimmed = pc.utf8_trim_whitespace(texts)
    return pc.if_else(pc.is_in(trimmed, value_set=_MISSING), pa.scalar(None, pa.string()), trimmed)


def _convert(known: pa.ChunkedArray, decimal: str) -> TypedColumn | None:
    if known.null_count == len(known):
        return TypedColumn(pd.Series(np.full(len(known), np.nan)))
    if decimal == "." and (plain := _plain_numbers(known)) is not None:
        return TypedColumn(plain)
    encoded = known.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    distinct = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    for read in (_booleans, _dates, _numbers_with(decimal)):
        found = read(distinct)
        if found is not None:
            return TypedColumn(_spread(found.values, codes), found.remark)
    return None


def _plain_numbers(known: pa.ChunkedArray) -> pd.Series | None:
    try:
        numbers = pc.cast(known, pa.float64())
    except pa.ArrowInvalid:
        return None
    if not known.null_count:
        # From the text, not from the float: large whole numbers keep every digit.
        with suppress(pa.ArrowInvalid):
            numbers = pc.cast(known, pa.int64())
    return pd.Series(numbers.to_numpy())


def _booleans(distinct: list[str]) -> TypedColumn | None:
    values = [_BOOLEANS.get(text.lower()) for text in distinct]
    if None in values:
        return None
    return TypedColumn(pd.Series(values, dtype=bool))


def _dates(distinct: list[str]) -> TypedColumn | None:
    if not distinct[0][:1].isalnum() or not any(letter.isdigit() for letter in distinct[0]):
        return None
    if all(_ISO_DATE.fullmatch(text) for text in distinct):
        dates = pd.to_datetime(pd.Series(distinct), format="ISO8601", errors="coerce", utc=True)
        if dates.notna().all():
            return TypedColumn(dates.dt.tz_localize(None), "was read as dates")
    for layout in _DATE_FORMATS:
        first = pd.to_datetime(pd.Series(distinct[:1]), format=layout, errors="coerce")
        if first.isna().any():
            continue
        dates = pd.to_datetime(pd.Series(distinct), format=layout, errors="coerce")
        if dates.notna().all():
            return TypedColumn(dates, f"was read as dates written like {_as_written(layout)}")
    return None


def _as_written(layout: str) -> str:
    """A date's layout as people know it: DD.MM.YYYY."""
    for code, letters in _LETTERS.items():
        layout = layout.replace(code, letters)
    return layout


def _numbers_with(decimal: str) -> Callable[[list[str]], TypedColumn | None]:
    def read(distinct: list[str]) -> TypedColumn | None:
        written = read_written_numbers(distinct, decimal)
        if written is None:
            return None
        return TypedColumn(pd.Series(written.values), written.remark)

    return read


def _spread(values: pd.Series, codes: np.ndarray) -> pd.Series:
    """Gives each row the value of its distinct text; rows with code −1 are missing."""
    missing = codes < 0
    spread = values.take(np.where(missing, 0, codes)).reset_index(drop=True)
    if not missing.any():
        return spread
    if spread.dtype == bool:
        spread = spread.astype(np.float64)
    return spread.mask(missing)


def _as_text(known: pa.ChunkedArray) -> pd.Series:
    return pd.Series(known.to_pandas(), dtype="str")
