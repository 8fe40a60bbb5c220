"""Files that are not a sound store are refused and stay as they are."""

import gzip
import sqlite3
import stat
from pathlib import Path

import pandas as pd
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from frem_core.store import RunState, Store, StoreError, identity_of
from frem_core.store.migrate import HEAD
from frem_core.store.schema import metadata
from tests.store.examples import add_sweep, config, finish_all, new_run

VERSION_1 = Path(__file__).parent / "assets" / "version_1.db.gz"


def filled_store(folder: Path) -> Path:
    store = Store(folder=folder)
    add_sweep(store, [new_run(seed) for seed in range(40)])
    finish_all(store)
    store.close()
    return folder / "store.db"


def refuse(path: Path, words: str) -> None:
    before = path.read_bytes()
    with pytest.raises(StoreError, match=words):
        Store(folder=path.parent)
    assert path.read_bytes() == before


class TestForeignAndDamagedFiles:
    @pytest.mark.parametrize(
        "content", [b"name,age\nx,1\n" * 100, b"SQLite format 3", b"\0" * 5000], ids=repr
    )
    def test_a_file_that_is_no_database(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "store.db"
        path.write_bytes(content)
        refuse(path, "is not a database. It was left as it is")
        assert [file.name for file in tmp_path.iterdir()] == ["store.db"]

    def test_a_database_of_another_program(self, tmp_path: Path) -> None:
        path = tmp_path / "store.db"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE runs (id)")
        connection.close()
        refuse(path, "belongs to another program")
        assert [file.name for file in tmp_path.iterdir()] == ["store.db"]

    def test_a_store_that_is_cut_short(self, tmp_path: Path) -> None:
        path = filled_store(tmp_path)
        path.write_bytes(path.read_bytes()[: -5 * 4096])
        refuse(path, "its end is missing")

    @pytest.mark.parametrize("page", [1, 2, 9, -3])
    def test_a_store_with_a_page_of_rubbish(self, tmp_path: Path, page: int) -> None:
        path = filled_store(tmp_path)
        content = bytearray(path.read_bytes())
        start = (page % (len(content) // 4096)) * 4096
        content[start : start + 4096] = b"rubbish." * 512
        path.write_bytes(content)
        refuse(path, "damaged")

    def test_a_directory(self, tmp_path: Path) -> None:
        (tmp_path / "store.db").mkdir()
        with pytest.raises(StoreError, match="cannot be written"):
            Store(folder=tmp_path)

    def test_an_empty_file_is_a_new_store(self, tmp_path: Path) -> None:
        (tmp_path / "store.db").touch()
        store = Store(folder=tmp_path)
        assert store.sweeps.frame().empty
        store.close()


class TestSchemaVersions:
    def unpack_version_1(self, folder: Path) -> Path:
        path = folder / "store.db"
        path.write_bytes(gzip.decompress(VERSION_1.read_bytes()))
        return path

    def test_version_1_is_migrated_with_everything_in_it(self, tmp_path: Path) -> None:
        self.unpack_version_1(tmp_path)
        store = Store(folder=tmp_path)
        frame = store.runs.frame(store.sweeps.find("Crime fronts"))
        assert list(frame["state"]) == ["done", "done", "done", "failed", "running"]
        assert list(frame["test.accuracy"].dropna()) == [0.5, 0.51, 0.52]
        assert list(frame["id"]) == [identity_of(config(seed)) for seed in range(5)]
        assert len(store.runs.history(frame["id"][0])) == 20
        assert list(store.runs.history(frame["id"][4])["task_loss"]) == [1.0, 0.5, 0.25]
        assert store.runs.get(frame["id"][3]).error == "Out of memory."
        assert store.queue.take_over("engine-2") == 1
        store.runs.write_note(frame["id"][0], "notes came with version 2")
        assert store.runs.get(frame["id"][0]).state == RunState.DONE
        store.close()

    def test_a_newer_version_is_refused(self, tmp_path: Path) -> None:
        path = self.unpack_version_1(tmp_path)
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.close()
        with pytest.raises(StoreError, match="newer version of FREM Studio"):
            Store(folder=tmp_path)
        with sqlite3.connect(path) as connection:
            version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        connection.close()
        assert version == ("9999",)

    def test_migrations_build_what_queries_expect(self, store: Store) -> None:
        with store._database.engine.connect() as connection:
            context = MigrationContext.configure(connection)
            assert context.get_current_revision() == HEAD
            assert compare_metadata(context, metadata) == []

    def test_a_foreign_postgresql_database_is_refused(self, postgresql_server: str) -> None:
        import psycopg

        from tests.store.postgresql import create_database

        url = create_database(postgresql_server, "foreign")
        with psycopg.connect(host=postgresql_server, user="postgres") as other:
            other.execute('CREATE TABLE "foreign".accounts (id int)')
        with pytest.raises(StoreError, match="already holds other tables"):
            Store(url)


class TestOpening:
    def test_only_its_owner_can_read_it(self, tmp_path: Path) -> None:
        folder = tmp_path / "home"
        store = Store(folder=folder)
        add_sweep(store, [new_run(0)])
        finish_all(store)
        store.tables.keep(pd.DataFrame({"a": [1]}), table_id="0" * 20, name="people.csv")
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
        assert all(mode == (0o700 if path.is_dir() else 0o600) for path, mode in modes.items())
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert store.tables.folder / f"{'0' * 20}.parquet" in modes
        store.close()

    @pytest.mark.parametrize(
        ("url", "words"),
        [
            ("mysql://x/y", "allowed are postgresql"),
            ("rubbish", "not a database address"),
            ("sqlite://", "must name a file"),
            ("sqlite:///:memory:", "must name a file"),
        ],
    )
    def test_unusable_addresses(self, tmp_path: Path, url: str, words: str) -> None:
        with pytest.raises(StoreError, match=words):
            Store(url, tmp_path)

    @pytest.mark.parametrize(
        "url",
        [
            "postgres//me:secret@host/x",
            "postgresql://me:secret@host:port/x",
            "postgresql+psycopg://me@127.0.0.1:1/x?password=secret",
            "mysql://me:secret@host/x",
        ],
    )
    def test_no_address_is_shown_with_its_password(self, tmp_path: Path, url: str) -> None:
        with pytest.raises(StoreError) as caught:
            Store(url, tmp_path)
        assert "secret" not in str(caught.value)

    def test_an_unreachable_server_hides_the_password(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="cannot be reached") as caught:
            Store("postgresql+psycopg://me:secret@127.0.0.1:1/x", tmp_path)
        assert "secret" not in str(caught.value)
