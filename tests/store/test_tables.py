import stat
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frem_core.errors import DataError
from frem_core.store import Tables, table_id_of

FRAME = pd.DataFrame({"age": [30, 40], "name": ["a", "b"]})
ID = table_id_of(b"age,name\n30,a\n40,b\n")


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path / "home" / "tables")


def test_kept_under_its_hash_with_its_name(tables: Tables) -> None:
    kept = tables.keep(FRAME, table_id=ID, name="Menschen <2024>.CSV")
    assert (kept.id, kept.name, kept.rows, kept.columns) == (ID, "Menschen <2024>.CSV", 2, 2)
    pd.testing.assert_frame_equal(tables.load(ID), FRAME)
    [path] = tables.folder.glob("*.parquet")
    assert kept.size == path.stat().st_size
    assert {stat.S_IMODE(one.stat().st_mode) for one in tables.folder.iterdir()} == {0o600}
    assert stat.S_IMODE(tables.folder.stat().st_mode) == 0o700


def test_listed_and_deleted(tables: Tables) -> None:
    assert tables.list() == []
    assert tables.size() == 0
    kept = tables.keep(FRAME, table_id=ID, name="a.csv")
    assert tables.list() == [kept]
    assert tables.size() == kept.size
    tables.delete(ID)
    tables.delete(ID)
    assert list(tables.folder.iterdir()) == []
    with pytest.raises(DataError, match="not kept on this computer"):
        tables.find(ID)


def test_keeping_twice_keeps_one(tables: Tables) -> None:
    tables.keep(FRAME, table_id=ID, name="a.csv")
    tables.keep(FRAME, table_id=ID, name="a.csv")
    assert len(tables.list()) == 1


def test_sample_is_the_beginning(tables: Tables) -> None:
    long = pd.DataFrame({"x": range(25_000)})
    tables.keep(long, table_id=ID, name="long.csv")
    sample = tables.load_sample(ID)
    assert list(sample["x"]) == list(range(10_000))
    tables.keep(long.head(0), table_id=ID, name="empty.csv")
    assert list(tables.load_sample(ID).columns) == ["x"]


def test_mixed_cells_become_text(tables: Tables) -> None:
    mixed = pd.DataFrame({"x": pd.Series([1, "two", None], dtype=object)})
    tables.keep(mixed, table_id=ID, name="mixed.xlsx")
    assert list(tables.load(ID)["x"].dropna()) == ["1", "two"]


@pytest.mark.parametrize("name", ["../../../../etc/x", "", "A" * 20, "0" * 19, "0" * 20 + "/x"])
def test_ids_never_leave_the_folder(tables: Tables, name: str) -> None:
    with pytest.raises(DataError, match="names no table"):
        tables.find(name)


def test_files_of_others_are_ignored(tables: Tables) -> None:
    tables.keep(FRAME, table_id=ID, name="a.csv")
    (tables.folder / "notes.parquet").write_bytes(b"x")
    (tables.folder / f"{'1' * 20}.parquet").write_bytes(b"not parquet")
    assert [table.id for table in tables.list()] == [ID]


def test_id_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x" * 3_000_000)
    assert (
        table_id_of(path)
        == table_id_of(b"x" * 3_000_000)
        == table_id_of(memoryview(b"x" * 3_000_000))
    )
    with pytest.raises(DataError, match="cannot be opened"):
        table_id_of(tmp_path / "absent.csv")


def test_every_flipped_bit_is_noticed(tables: Tables) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(size=300), "name": rng.integers(0, 9, 300)})
    tables.keep(frame, table_id=ID, name="people.csv")
    path = tables.path(ID)
    whole = path.read_bytes()
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"damaged|not kept"):
            tables.load(ID)
        with pytest.raises(DataError, match=r"damaged|not kept"):
            tables.load_sample(ID)
    tables.keep(frame, table_id=ID, name="people.csv")
    pd.testing.assert_frame_equal(tables.load(ID), frame)


def test_tables_of_before_there_were_checksums_load(tables: Tables) -> None:
    tables.keep(FRAME, table_id=ID, name="people.csv")
    next(tables.folder.glob("*.sha256")).unlink()
    pd.testing.assert_frame_equal(tables.load(ID), FRAME)
