"""A full or read-only disk: a clear error, nothing lost, and the store opens afterwards."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.store import (
    ReadOnlyError,
    RunResult,
    RunState,
    Store,
    StoreError,
    open_store_to_read,
)
from tests.store.disks import remount, small_disk
from tests.store.examples import OWNER, add_sweep, finish_all, new_run, result


def claim_one(store: Store) -> str:
    [[run]] = store.queue.claim(OWNER, bundles=1)
    return run.id


def fill_disk(folder: Path) -> Path:
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            pass
    return filler


def test_full_disk_while_writing_rows(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "8m") as disk:
        store = Store(folder=disk)
        sweep = add_sweep(store, [new_run(seed) for seed in range(10)])
        finished = [claim_one(store) for _ in range(5)]
        for run in finished:
            store.results.finish(OWNER, run, result())
        before = store.runs.frame(sweep)
        filler = fill_disk(disk)
        with pytest.raises(StoreError, match="disk is full"):
            add_sweep(store, [new_run(100)], "larger than what the side files have left" * 100_000)
        store.close()
        filler.unlink()
        again = Store(folder=disk)
        pd.testing.assert_frame_equal(again.runs.frame(sweep), before)
        assert sorted(finish_all(again)) == sorted(set(again.runs.frame()["id"]) - set(finished))
        again.close()


def test_full_disk_while_writing_files(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "8m") as disk:
        store = Store(folder=disk)
        add_sweep(store, [new_run(0)])
        run = claim_one(store)
        large = RunResult(scores={"test": {"hgr": 0.1}}, files={"weights": b"w" * 9_000_000})
        with pytest.raises(StoreError, match="disk is full; free some space"):
            store.results.finish(OWNER, run, large)
        assert store.runs.get(run).state == RunState.RUNNING
        assert [path for path in disk.rglob("*") if path.name.endswith(".part")] == []
        store.results.finish(OWNER, run, result())
        assert store.runs.get(run).state == RunState.DONE
        store.close()


def test_read_only_folder(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "8m") as disk:
        store = Store(folder=disk)
        sweep = add_sweep(store, [new_run(0), new_run(1)])
        run = claim_one(store)
        before = store.runs.frame(sweep)
        store.close()
        remount(disk, "ro")
        with pytest.raises(StoreError, match="read-only"):
            Store(folder=disk)
        remount(disk, "rw")
        again = Store(folder=disk)
        pd.testing.assert_frame_equal(again.runs.frame(sweep), before)
        again.results.finish(OWNER, run, result())
        again.close()


def test_disk_turns_read_only_while_the_store_is_open(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "8m") as disk:
        store = Store(folder=disk)
        add_sweep(store, [new_run(0)])
        run = claim_one(store)
        store.close()  # a disk with a file open for writing cannot be made read-only
        remount(disk, "ro")
        with pytest.raises(StoreError, match=r"read-only|cannot be opened"):
            store.results.finish(OWNER, run, result())
        with pytest.raises(StoreError, match="read-only"):
            store.tables.keep(pd.DataFrame({"a": [1]}), table_id="0" * 20, name="people.csv")
        remount(disk, "rw")
        store.results.finish(OWNER, run, result())
        assert store.runs.get(run).state == RunState.DONE
        store.close()


def test_a_read_only_folder_can_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(tmp_path / "disk", "8m") as disk:
        monkeypatch.setenv("FREM_HOME", str(disk))
        store = Store(folder=disk)
        sweep = add_sweep(store, [new_run(0), new_run(1)])
        store.results.finish(OWNER, claim_one(store), result())
        before = store.runs.frame(sweep)
        # A process that was killed leaves its last changes beside the file.
        side = (disk / "store.db-wal").read_bytes()
        assert side
        store.close()
        (disk / "store.db-wal").write_bytes(side)
        remount(disk, "ro")
        for arguments in (["status"], ["status", sweep], ["export", sweep]):
            done = CliRunner().invoke(frem, arguments, catch_exceptions=False)
            assert done.exit_code == 0
            assert sweep in done.output or before["id"][0] in done.output
        again = open_store_to_read()
        pd.testing.assert_frame_equal(again.runs.frame(sweep), before)
        run = before.loc[before["state"] == "done", "id"].iloc[0]
        assert again.artefacts.read(run, "weights") == result().files["weights"]
        with pytest.raises(ReadOnlyError, match="can only be read"):
            again.sweeps.cancel(sweep)
        again.close()
