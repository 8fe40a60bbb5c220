"""Each fault has its own sentence with a remedy, and goes away with its cause."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text, update

from frem_core.store import ReadOnlyStore, Store
from frem_core.store.schema import leases, runs
from frem_core.store.timing.clock import now_seconds
from frem_core.sweeps.engine_lease import ENGINE, ENGINE_SECONDS, _this_process
from frem_core.sweeps.launch import engine_state, ensure_engine
from frem_core.watching.faults import faults_of
from tests.store.disks import remount, small_disk
from tests.store.examples import OWNER, add_sweep, new_run
from tests.store.postgresql import create_database, running_server


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    yield opened
    opened.close()


def told(store: Store) -> dict[str, str]:
    return {fault.kind: fault.sentence for fault in faults_of(store)}


def lead(store: Store, **info: object) -> None:
    """An engine of this very process, as far as the lease says."""
    store.leases.acquire(ENGINE, OWNER, ENGINE_SECONDS, _this_process() | info)


def test_a_healthy_store_has_none(store: Store) -> None:
    add_sweep(store, [new_run()])
    lead(store, message="")
    assert told(store) == {}


def test_a_full_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shutil.disk_usage(store.folder)
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda folder: whole._replace(free=3_000_000))
        assert "3.0 MB are left). Free some space" in told(store)["full disk"]
    assert told(store) == {}


def test_a_read_only_folder(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "40m") as disk:
        Store(folder=disk).close()
        remount(disk, "ro")
        assert "Make it writable" in told(ReadOnlyStore(disk))["read-only folder"]
        remount(disk, "rw")
        assert told(Store(folder=disk)) == {}


def test_a_database_that_went_away_and_came_back(tmp_path: Path) -> None:
    with (
        running_server() as server,
        closing(Store(create_database(server, "faults"), tmp_path / "home")) as store,
    ):
        assert told(store) == {}
        store._database.close()
        socket = Path(server) / ".s.PGSQL.5432"
        hidden = socket.rename(socket.with_name("hidden"))  # nobody answers at its address
        assert "cannot be reached" in told(store)["database"]
        assert "Check that the database runs" in told(store)["database"]
        hidden.rename(socket)
        assert told(store) == {}


def test_an_engine_that_cannot_start(store: Store) -> None:
    lead(store, message="cannot start. The Dask scheduler tcp://x:1 cannot be reached: timeout")
    assert "tcp://x:1 cannot be reached: timeout. It tries again" in told(store)["engine"]


def test_an_engine_that_is_held_up_and_one_that_only_waits(store: Store) -> None:
    lead(store, message="The bucket s3://runs does not answer.", held_up=True)
    assert "is held up: The bucket s3://runs does not answer. Queued runs" in told(store)["engine"]
    lead(store, message="waiting for workers", held_up=False)
    assert told(store) == {}


def test_an_engine_that_hangs(store: Store) -> None:
    lead(store, message="", silent=200)
    sentence = told(store)["hung"]
    assert "has done nothing for 3 minutes" in sentence
    assert f"end process {os.getpid()} there" in sentence
    lead(store, message="", silent=70)  # as long as it waits for a busy database at most
    assert told(store) == {}


def test_a_clock_that_was_set_back(store: Store) -> None:
    add_sweep(store, [new_run()])
    lead(store, message="")
    later = now_seconds() + 7 * 3600
    store._database.write(lambda one: one.execute(update(leases).values(until=later)))
    store._database.write(lambda one: one.execute(update(runs).values(started_at=later)))
    assert "set back by about 7 hours" in told(store)["clock"]
    # A lease of then does not keep the next engine out for seven hours.
    assert not engine_state(store).is_running
    assert store.leases.acquire(ENGINE, "another", ENGINE_SECONDS, _this_process())
    assert engine_state(store).is_running


def test_a_store_that_a_newer_program_upgraded(store: Store) -> None:
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    store._database.write(lambda one: one.execute(newer))
    assert "Update FREM Studio here and start it again" in told(store)["schema"]


def test_no_engine_is_started_where_nothing_can_be_written(tmp_path: Path) -> None:
    writable = Store(folder=tmp_path / "home")
    add_sweep(writable, [new_run()])
    writable.close()
    ensure_engine(ReadOnlyStore(tmp_path / "home"))  # would raise if it tried
