import io
import stat
from pathlib import Path

import pytest

from frem_core.store import StoreError, Tables

CONTENT = b"age,paid\n30,1\n"


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path / "home" / "tables")


@pytest.mark.parametrize("kind", ["bytes", "file", "path"])
def test_kept_under_its_hash_with_its_name(tables: Tables, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "upload"
    path.write_bytes(CONTENT)
    content = {"bytes": CONTENT, "file": io.BytesIO(CONTENT), "path": path}[kind]
    kept = tables.keep("People 2024.CSV", content)  # type: ignore[arg-type]
    assert (kept.name, kept.size) == ("People 2024.CSV", len(CONTENT))
    assert kept.path.name == f"{kept.hash}.csv"
    assert kept.path.read_bytes() == CONTENT
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(tables.folder.stat().st_mode) == 0o700
    assert tables.get(kept.hash[:8]) == kept


def test_the_same_bytes_are_kept_once(tables: Tables) -> None:
    first = tables.keep("a.csv", CONTENT)
    assert tables.keep("b.csv", CONTENT) == first
    assert tables.list() == [first]


def test_listing_and_size(tables: Tables) -> None:
    assert tables.list() == []
    assert tables.size() == 0
    tables.keep("a.csv", CONTENT)
    tables.keep("b.csv", CONTENT * 2)
    assert [table.name for table in tables.list()] == ["b.csv", "a.csv"]
    assert tables.size() == 3 * len(CONTENT)


def test_deleting_is_for_good(tables: Tables) -> None:
    kept = tables.keep("a.csv", CONTENT)
    assert tables.delete(kept.hash) == kept
    assert list(tables.folder.iterdir()) == []
    with pytest.raises(StoreError, match="No kept table"):
        tables.delete(kept.hash)


@pytest.mark.parametrize(
    "name", ["../../evil.csv", "x.c/../../sv", "a.json", "b", "c.<script>", ""]
)
def test_names_never_leave_the_folder(tables: Tables, name: str) -> None:
    kept = tables.keep(name, CONTENT)
    assert kept.path.parent == tables.folder
    assert tables.get(kept.hash).path.read_bytes() == CONTENT
    tables.delete(kept.hash)
    assert list(tables.folder.iterdir()) == []


def test_too_short_a_beginning_is_refused(tables: Tables) -> None:
    kept = tables.keep("a.csv", CONTENT)
    with pytest.raises(StoreError, match="No kept table"):
        tables.get(kept.hash[:3])
