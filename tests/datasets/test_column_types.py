import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from frem_core.datasets.tables.column_types import typed_column
from frem_core.datasets.tables.tidy_frame import tidy_column
from frem_core.datasets.tables.written_numbers import read_written_numbers
from frem_core.errors import DataError


def typed(cells, mark="."):
    return typed_column(pa.chunked_array([pa.array(cells, pa.string())]), mark)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", " 2 ", "-3"], [1, 2, -3]),
        (["1", "", "3"], [1, None, 3]),
        (["1.5", "2e3", "-.5"], [1.5, 2000, -0.5]),
        (["1,234", "12,345,678.9", "7"], [1234, 12345678.9, 7]),
        (["1 234", "1 234 567"], [1234, 1234567]),
        (["12 %", "7.5%"], [12, 7.5]),
        (["$1,000", "$7.50"], [1000, 7.5]),
        (["-3 €", "4 €"], [-3, 4]),
    ],
)
def test_numbers(cells, expected):
    found = typed(cells).values
    assert [None if np.isnan(value) else value for value in found] == expected


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,5", "-2,25"], [1.5, -2.25]),
        (["1.234,5", "1.234.567"], [1234.5, 1234567]),
        (["12,5 %", "3%"], [12.5, 3]),
        (["1 234,5", "2"], [1234.5, 2]),
        (["1,5e3", "2"], [1500, 2]),
    ],
)
def test_numbers_with_decimal_comma(cells, expected):
    assert typed(cells, ",").values.tolist() == expected


@pytest.mark.parametrize(
    "cells",
    [
        ["5 %", "0.05"],  # may mean 5 or 0.05
        ["$5", "5 €"],
        ["1,23,4", "5"],
        ["12a", "3"],
        ["%", "€"],
        ["e5", "3"],
        ["0x1F", "2"],
        ["2020-13-45", "2020-01-01"],
        ["true", "maybe"],
    ],
)
def test_text_stays_text(cells):
    assert typed(cells).values.tolist() == cells


def test_a_zero_before_three_digits_is_no_thousands_group():
    assert read_written_numbers(["0.123", "1,5"], ",") is None
    assert read_written_numbers(["1.234", "1,5"], ",").values.tolist() == [1234, 1.5]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["2020-02-29", "1999-12-31"], ["2020-02-29", "1999-12-31"]),
        (["2020-02-29 13:45:00", "1999-12-31"], ["2020-02-29 13:45", "1999-12-31"]),
        (
            ["2020-02-29T12:00:00Z", "2020-02-29T12:00:00+02:00"],
            ["2020-02-29 12:00", "2020-02-29 10:00"],
        ),
        (["31.12.2020", "1.2.2020"], ["2020-12-31", "2020-02-01"]),
        (["12/31/2020", "1/2/2020"], ["2020-12-31", "2020-01-02"]),
        (["31/12/2020", "1/2/2020"], ["2020-12-31", "2020-02-01"]),
        (["05-Mar-1980", "17-Dec-1999"], ["1980-03-05", "1999-12-17"]),
    ],
)
def test_dates(cells, expected):
    found = typed(cells)
    assert found.values.tolist() == [pd.Timestamp(text) for text in expected]
    assert "dates" in found.remark


def test_booleans_and_missing_ones():
    assert typed(["true", "FALSE"]).values.tolist() == [True, False]
    found = typed(["True", "", "False"]).values
    assert found.tolist()[::2] == [1.0, 0.0]
    assert np.isnan(found[1])


def test_missing_words_and_empty_columns():
    found = typed(["a", "NA", "?", "-", "n/a", "null", "b"]).values
    assert found.isna().tolist() == [False, True, True, True, True, True, False]
    assert typed(["", "NA"]).values.isna().all()
    assert len(typed([]).values) == 0


def test_a_late_exception_decides():
    assert typed([*map(str, range(5000)), "x"]).values.dtype == "str"
    assert typed([*["2020-01-01"] * 5000, "never"]).values.dtype == "str"
    assert typed(["", *map(str, range(5000))]).values.dtype == np.float64


def test_infinity_and_huge_numbers_are_numbers():
    assert np.isinf(typed(["inf", "1"]).values[0])
    assert typed(["9999999999999999999999", "1"]).values[0] == 1e22


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pd.Series([1, None, 3], dtype="Int64"), [1.0, None, 3.0]),
        (pd.Series([True, None], dtype="boolean"), [1.0, None]),
        (pd.Series([True, False], dtype=object), [True, False]),
        (pd.Series([1, 2], dtype="uint8"), [1, 2]),
        (pd.Series([decimal.Decimal("1.50"), None]), [1.5, None]),
        (pd.Series(["1", 2, 3.5], dtype=object), [1, 2, 3.5]),
        (pd.Series(pd.to_timedelta([1.5, 2], unit="D")), [1.5, 2.0]),
        (pd.Series(pd.arrays.SparseArray([0.0, 2.0])), [0.0, 2.0]),
        (pd.Series([[1], {2}, "x"], dtype=object), ["[1]", "{2}", "x"]),
        (pd.Series(["a", "\ud800"], dtype=object), ["a", "\ufffd"]),
        (pd.Series([datetime.date(2020, 1, 2)]), [pd.Timestamp("2020-01-02")]),
        (pd.Series(pd.period_range("2020-01", periods=1, freq="M")), [pd.Timestamp("2020-01-01")]),
        (
            pd.Series(pd.to_datetime(["2020-01-01 00:00"]).tz_localize("Europe/Berlin")),
            [pd.Timestamp("2019-12-31 23:00")],
        ),
    ],
)
def test_columns_of_any_frame(column, expected):
    found = tidy_column("c", column).values
    assert [None if pd.isna(value) else value for value in found] == expected


def test_complex_numbers_are_refused():
    with pytest.raises(DataError, match="Column 'c' holds complex numbers"):
        tidy_column("c", pd.Series([1j]))
