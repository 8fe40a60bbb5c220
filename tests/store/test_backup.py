"""A backup is the store of one moment, checked by hashes, and fits every database."""

import json
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.store import NewerStoreError, RunState, Store, StoreError, table_id_of
from frem_core.store.archive.backup import read_backup, write_backup
from tests.store.examples import OWNER, add_sweep, finish_all, new_run, result

TABLE = table_id_of(b"people")


def filled(store: Store) -> str:
    """Two finished runs, one being trained and one waiting, a note and a table."""
    sweep = add_sweep(store, [new_run(seed) for seed in range(4)])
    for _ in range(2):
        [[run]] = store.queue.claim(OWNER, bundles=1)
        store.results.finish(OWNER, run.id, result(0.5 + run.config["seed"] / 100))
        store.runs.write_note(run.id, "keep this")
    store.queue.claim(OWNER, bundles=1)
    store.tables.keep(pd.DataFrame({"age": [1, 2]}), table_id=TABLE, name="people.csv")
    return sweep


@pytest.fixture
def targets(
    open_again: Callable[[], Store], tmp_path: Path
) -> Iterator[tuple[Store, Callable[[], Store]]]:
    """An empty store on each database, and new empty ones in SQLite."""
    opened: list[Store] = []

    def empty() -> Store:
        opened.append(Store(folder=tmp_path / f"empty{len(opened)}"))
        return opened[-1]

    yield open_again(), empty
    for store in opened:
        store.close()


def test_from_each_database_to_sqlite_and_from_there_to_each(
    targets: tuple[Store, Callable[[], Store]], tmp_path: Path
) -> None:
    other, empty = targets
    source = empty()
    sweep = filled(source)
    made = write_backup(source, tmp_path / "one.zip")
    assert (made.sweeps, made.runs, made.files, made.tables) == (1, 4, 2, 1)
    read_backup(tmp_path / "one.zip", other)  # SQLite to this database
    write_backup(other, tmp_path / "two.zip")
    last = empty()
    read_backup(tmp_path / "two.zip", last)  # and back
    before = source.runs.frame(sweep)
    for copy in (other, last):
        now = copy.runs.frame(sweep)
        assert list(now["state"]) == [
            RunState.QUEUED if state == RunState.RUNNING else state for state in before["state"]
        ]
        same = ["id", "seed", "note", "test.accuracy", "config.gamma"]
        same = [name for name in same if name in before.columns]
        pd.testing.assert_frame_equal(now[same], before[same])
        done = before.loc[before["state"] == RunState.DONE, "id"]
        for run in done:
            assert copy.artefacts.read(run, "weights") == source.artefacts.read(run, "weights")
            pd.testing.assert_frame_equal(copy.runs.history(run), source.runs.history(run))
        pd.testing.assert_frame_equal(copy.tables.load(TABLE), source.tables.load(TABLE))
        assert copy.tables.find(TABLE).name == "people.csv"
        assert len(finish_all(copy)) == 2  # what was not finished can be


def test_while_runs_are_finished_and_added(store: Store, tmp_path: Path) -> None:
    add_sweep(store, [new_run(seed) for seed in range(60)])
    stop = threading.Event()

    def work() -> None:
        seed = 100
        while not stop.is_set():
            add_sweep(store, [new_run(seed)], f"more {seed}")
            for bundle in store.queue.claim(OWNER, bundles=2):
                for run in bundle:
                    store.results.finish(OWNER, run.id, result(0.5 + run.config["seed"] / 1000))
            seed += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for number in range(3):
            made = write_backup(store, tmp_path / f"{number}.zip")
            assert made.complaints == []
            copy = Store(folder=tmp_path / f"copy{number}")
            read_backup(tmp_path / f"{number}.zip", copy)
            frame = copy.runs.frame()
            done = frame.loc[frame["state"] == RunState.DONE, "id"]
            assert copy.artefacts.damaged(done) == {}
            assert all(len(copy.runs.history(run)) == 20 for run in done)
            copy.close()
    finally:
        stop.set()
        thread.join()


def test_only_an_empty_store_takes_a_backup(tmp_path: Path) -> None:
    store = Store(folder=tmp_path / "home")
    filled(store)
    write_backup(store, tmp_path / "one.zip")
    with pytest.raises(StoreError, match=r"holds sweeps already.*FREM_HOME to a new folder"):
        read_backup(tmp_path / "one.zip", store)


def test_damaged_newer_and_foreign_files_are_refused(tmp_path: Path) -> None:
    store = Store(folder=tmp_path / "home")
    filled(store)
    path = tmp_path / "one.zip"
    write_backup(store, path)
    whole = path.read_bytes()
    target = Store(folder=tmp_path / "target")
    for place in range(0, len(whole), len(whole) // 25):
        damaged = bytearray(whole)
        damaged[place : place + 40] = os.urandom(len(damaged[place : place + 40]))
        path.write_bytes(damaged)
        with pytest.raises(StoreError, match=r"damaged|no backup|cannot be read"):
            read_backup(path, target)
        assert len(target.runs.frame()) == 0
    path.write_bytes(whole)
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "manifest.json":
                content = json.dumps(json.loads(content) | {"schema": "9999"}).encode()
            new.writestr(name, content)
    with pytest.raises(NewerStoreError, match="Update FREM Studio"):
        read_backup(newer, target)
    (tmp_path / "notes.txt").write_text("no zip")
    with pytest.raises(StoreError, match="no backup"):
        read_backup(tmp_path / "notes.txt", target)


def test_what_is_lost_already_is_said(tmp_path: Path) -> None:
    store = Store(folder=tmp_path / "home")
    filled(store)
    next(store.artefacts.folder.glob("*/*")).unlink()
    made = write_backup(store, tmp_path / "one.zip")
    [words] = made.complaints
    assert "is missing" in words
    copy = Store(folder=tmp_path / "copy")
    assert read_backup(tmp_path / "one.zip", copy).complaints == made.complaints


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FREM_STORE", raising=False)
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    sweep = filled(Store())
    file = str(tmp_path / "mine.zip")
    done = CliRunner().invoke(frem, ["backup", file], catch_exceptions=False)
    assert "1 sweep, 4 runs, 2 files, 1 table." in " ".join(done.output.split())
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "new"))
    done = CliRunner().invoke(frem, ["restore", file], catch_exceptions=False)
    assert done.exit_code == 0
    assert Store().sweeps.find(sweep) == sweep
