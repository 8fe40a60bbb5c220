import csv
import io

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from frem_core.figures import spreadsheet_csv

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def _cells(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=1))
def test_no_text_cell_starts_like_a_formula(texts: list[str]) -> None:
    for row in _cells(spreadsheet_csv(pd.DataFrame({"text": texts})))[1:]:
        assert not (row and row[0].lstrip(" ").startswith(STARTS))


def test_headers_categories_and_mixed_columns_are_covered_and_numbers_kept() -> None:
    table = pd.DataFrame(
        {
            "=HYPERLINK()": pd.Categorical(["@sum", "b"]),
            "mixed": pd.Series(["+1", 2], dtype="object"),
            "n": [-1.5, 2.0],
            "when": pd.to_datetime(["2020-01-01", "2021-01-01"]),
        }
    )
    header, first, second = _cells(spreadsheet_csv(table))
    assert header == ["'=HYPERLINK()", "mixed", "n", "when"]
    assert first[:3] == ["'@sum", "'+1", "-1.5"]
    assert first[3].startswith("2020-01-01")
    assert second[:3] == ["b", "2", "2.0"]


def test_the_table_itself_is_not_changed() -> None:
    table = pd.DataFrame({"a": ["=1"]})
    spreadsheet_csv(table)
    assert table["a"].tolist() == ["=1"]
