import stat
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

from frem_core.errors import DataError
from studio.tables import (
    find_table,
    forget_table,
    keep_table,
    kept_tables,
    load_frame,
    load_sample,
    tables_folder,
)

ID = "0123456789abcdef0123"


def test_a_table_comes_back_as_it_was(home: Path, clinic: pd.DataFrame) -> None:
    clinic.attrs["frem_notes"] = ("Numbers were read with a decimal comma.",)
    keep_table(clinic, table_id=ID, name="klinik – ü.csv")
    found = find_table(ID)
    assert (found.name, found.rows, found.columns) == ("klinik – ü.csv", 300, 5)
    assert found.kept_at <= datetime.now(UTC)
    frame = load_frame(ID)
    pd.testing.assert_frame_equal(frame, clinic, check_dtype=False)
    assert tuple(frame.attrs["frem_notes"]) == clinic.attrs["frem_notes"]


def test_a_sample_has_the_first_rows_only(home: Path) -> None:
    keep_table(pd.DataFrame({"n": range(25_000)}), table_id=ID, name="n.csv")
    assert load_sample(ID)["n"].tolist() == list(range(10_000))
    keep_table(pd.DataFrame({"n": pd.Series([], dtype="float64")}), table_id=ID, name="n.csv")
    assert list(load_sample(ID).columns) == ["n"]


def test_only_the_owner_can_read(home: Path, clinic: pd.DataFrame) -> None:
    keep_table(clinic, table_id=ID, name="clinic.csv")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE(tables_folder().stat().st_mode) == 0o700
    for path in tables_folder().iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_columns_of_text_and_numbers_are_kept_as_text(home: Path) -> None:
    mixed = pd.DataFrame({"mixed": pd.Series(["a", 1, None, 2.5], dtype="object"), "n": range(4)})
    keep_table(mixed, table_id=ID, name="mixed.xlsx")
    frame = load_frame(ID)
    assert frame["mixed"].tolist()[:2] == ["a", "1"]
    assert frame["mixed"].isna().tolist() == [False, False, True, False]


def test_newest_first_and_forgotten_ones_are_gone(home: Path, clinic: pd.DataFrame) -> None:
    keep_table(clinic, table_id=ID, name="old.csv")
    other = ID[::-1]
    keep_table(clinic, table_id=other, name="new.csv")
    (tables_folder() / f"{'f' * 20}.parquet").write_bytes(b"damaged")
    assert {table.name for table in kept_tables()} == {"old.csv", "new.csv"}
    forget_table(other)
    forget_table(other)
    assert [table.name for table in kept_tables()] == ["old.csv"]
    with pytest.raises(DataError, match="not kept"):
        load_frame(other)


@pytest.mark.parametrize("table_id", ["", "../x", "A" * 20, "0" * 19, "0" * 21, "0" * 19 + "/"])
def test_an_id_cannot_lead_out_of_the_folder(home: Path, table_id: str) -> None:
    for use in (find_table, load_frame, load_sample, forget_table):
        with pytest.raises(DataError, match="names no table"):
            use(table_id)


def test_a_failed_write_leaves_nothing(home: Path) -> None:
    class Odd:
        def __str__(self) -> str:
            raise RuntimeError("cannot be shown")

    with pytest.raises(RuntimeError):
        keep_table(pd.DataFrame({"x": [Odd(), 1]}), table_id=ID, name="x.csv")
    assert list(tables_folder().iterdir()) == []
