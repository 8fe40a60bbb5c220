"""What goes wrong between store and workers harms only the runs that it concerns."""

import errno
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed.comm import CommClosedError
from safetensors import SafetensorError

from frem_core import __version__
from frem_core.errors import FremError
from frem_core.store import Store, StoreError
from frem_core.store.identity import RESULT_VERSION
from frem_core.sweeps import SweepSpec, engine_state, submit
from frem_core.sweeps import engine as engine_module
from frem_core.sweeps.cluster import LocalClusterError, complaint_about
from frem_core.sweeps.dispatcher import Dispatcher
from frem_core.sweeps.engine import Engine
from frem_core.sweeps.engine_lease import ENGINE, LAUNCH, EngineLease
from frem_core.sweeps.worker import (
    BundleTask,
    Failure,
    _check_version,
    _failure,
    is_full_disk,
)
from tests.sweeps.processes import spec_text, wait_until, write_table

FAR = Failure("table", "This worker does not see the folder of kept tables.")


class Workers:
    """Workers that all answer the same, as far as the dispatcher can tell."""

    def __init__(self, answer: Failure = FAR) -> None:
        self.tasks: list[BundleTask] = []
        self._answer = answer

    def watch(self, topic: str, handler: Any) -> None:
        pass

    def start(self, task: BundleTask) -> "Future[Any]":
        self.tasks.append(task)
        future: Future[Any] = Future()
        future.set_result(self._answer)
        future.status = "finished"  # type: ignore[attr-defined]  # as Dask's have
        return future

    def stop(self, keys: Any) -> None:
        pass


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(folder=tmp_path / "home")


def queue_table(store: Store, folder: Path) -> str:
    return submit(
        store, SweepSpec.from_toml(spec_text(write_table(folder / "people.csv"), epochs=2))
    )


def states(store: Store, sweep: str) -> set[str]:
    return set(store.runs.frame(sweep)["state"])


def test_a_table_that_is_gone_fails_its_runs_with_the_reason(store: Store, tmp_path: Path) -> None:
    sweep = queue_table(store, tmp_path)
    for kept in store.tables.folder.glob("*.parquet"):
        kept.unlink()
    dispatcher = Dispatcher(store, Workers(), "engine")  # type: ignore[arg-type]
    while states(store, sweep) & {"queued", "running"}:
        dispatcher.hand_out(10)
        dispatcher.collect()
    frame = store.runs.frame(sweep)
    assert set(frame["state"]) == {"failed"}
    assert frame["error"].str.contains("Upload the table again").all()


def test_a_table_is_sent_to_workers_that_do_not_see_it(store: Store, tmp_path: Path) -> None:
    queue_table(store, tmp_path)
    workers = Workers()
    dispatcher = Dispatcher(store, workers, "engine")  # type: ignore[arg-type]
    dispatcher.hand_out(1)
    dispatcher.collect()
    first, second = workers.tasks[:2]
    assert not first.tables
    (table,) = store.tables.folder.glob("*.parquet")
    assert second.tables == {table.stem: table.read_bytes()}


def test_runs_wait_for_a_full_disk_instead_of_failing(store: Store, tmp_path: Path) -> None:
    sweep = queue_table(store, tmp_path)
    error = RuntimeError("writing failed")
    error.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    workers = Workers(_failure(error))
    dispatcher = Dispatcher(store, workers, "engine")  # type: ignore[arg-type]
    dispatcher.hand_out(2)
    dispatcher.collect()
    assert states(store, sweep) == {"queued"}
    assert "is full. Free some space" in dispatcher.complaint
    sent = len(workers.tasks)
    dispatcher.hand_out(2)
    assert len(workers.tasks) == sent  # it does not try again and again


def test_errors_that_name_a_full_disk() -> None:
    assert is_full_disk(OSError(errno.EDQUOT, "Disk quota exceeded"))
    assert is_full_disk(SafetensorError("I/O error: No space left on device (os error 28)"))
    assert not is_full_disk(OSError(errno.EACCES, "Permission denied"))


def test_runs_that_were_claimed_while_the_store_fails_go_back(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = queue_table(store, tmp_path)
    dispatcher = Dispatcher(store, Workers(), "engine")  # type: ignore[arg-type]

    def unreachable(*_: object) -> None:
        raise StoreError("The database is not there.")

    with monkeypatch.context() as broken:
        broken.setattr(type(store.datasets), "get", unreachable)
        with pytest.raises(StoreError):
            dispatcher.hand_out(1)
    assert "running" in states(store, sweep)
    assert dispatcher.is_busy  # the engine must not end before they are back
    dispatcher.hand_out(0)  # also where all workers have left meanwhile
    assert states(store, sweep) == {"queued"}
    assert not dispatcher.is_busy
    store.sweeps.cancel(sweep)
    assert states(store, sweep) == {"cancelled"}
    store.sweeps.delete(sweep)


def test_an_engine_that_cannot_start_says_why(store: Store, tmp_path: Path) -> None:
    queue_table(store, tmp_path)

    def unreachable() -> Any:
        raise FremError("The Dask scheduler tls://nowhere:1 cannot be reached: refused")

    engine = Engine(Store(folder=store.folder), unreachable, idle_seconds=lambda: 1.0)
    thread = threading.Thread(target=engine.run)
    thread.start()
    try:
        reason = "tls://nowhere:1 cannot be reached"
        wait_until(lambda: reason in engine_state(store).message, "the engine said why")
    finally:
        engine.stop()
        thread.join()
    assert not engine_state(store).is_running


class Unsteady(Workers):
    """A cluster whose scheduler goes away as soon as it is asked anything."""

    address, is_alive, complaint = "tls://10.0.0.7:8786", True, ""

    def stop_orphans(self, engine: str) -> None:
        pass

    def slots(self) -> int:
        self.is_alive = False
        raise CommClosedError("the scheduler is being restarted")

    def stop(self, keys: Any) -> None:
        raise CommClosedError("there is none")

    def close(self) -> None:
        pass


def test_an_engine_whose_scheduler_is_gone_tries_again_by_itself(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody may be looking at a page that would start another one."""
    monkeypatch.setattr(engine_module, "_EXPLAIN_SECONDS", 0.0)
    monkeypatch.setattr(engine_module, "_REST_SECONDS", 0.0)
    sweep = queue_table(store, tmp_path)
    tried: list[str] = []

    def open_cluster() -> Any:
        assert states(store, sweep) == {"queued"}  # nothing is left as if it were being trained
        tried.append("opened" if len(tried) % 2 == 0 else "refused")
        if len(tried) == 5:
            engine.stop()
        if tried[-1] == "refused":
            raise FremError("The Dask scheduler tls://10.0.0.7:8786 cannot be reached.")
        return Unsteady()

    engine = Engine(store, open_cluster, idle_seconds=lambda: 1.0)
    assert engine.run()
    assert tried == ["opened", "refused", "opened", "refused", "opened"]
    assert not engine_state(store).is_running


def test_an_engine_that_waits_for_its_scheduler_gives_way_to_another(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "_EXPLAIN_SECONDS", 0.0)
    monkeypatch.setattr(engine_module, "_REST_SECONDS", 0.0)
    queue_table(store, tmp_path)

    def open_cluster() -> Any:
        store.leases.acquire(LAUNCH, "somebody mended the settings", 60)
        raise FremError("The Dask scheduler tls://10.0.0.7:8786 cannot be reached.")

    engine = Engine(store, open_cluster, idle_seconds=lambda: 1.0)
    with ThreadPoolExecutor() as threads, ExitStack() as afterwards:
        afterwards.callback(engine.stop)
        waiting = threads.submit(engine.run)
        wait_until(lambda: store.leases.holder(LAUNCH), "another engine was on its way")
        wait_until(lambda: store.leases.acquire(ENGINE, "the other", 60), "it has the lease")
        store.leases.release(LAUNCH, "somebody mended the settings")
        assert waiting.result() is False


def test_a_local_cluster_whose_worker_dies_at_its_start_is_started_again(
    store: Store, tmp_path: Path
) -> None:
    queue_table(store, tmp_path)
    attempts: list[int] = []

    def fragile() -> Any:
        attempts.append(1)
        raise LocalClusterError("Nanny failed to start.") if len(attempts) < 2 else FremError("no")

    engine = Engine(store, fragile, idle_seconds=lambda: 1.0)
    reason = engine._try_to_open(EngineLease(store, "engine"))
    assert str(reason) == "no"
    assert len(attempts) == 2


def test_a_worker_refuses_runs_of_another_version() -> None:
    task = BundleTask("key", "engine", ({"result_version": 99},), {}, "", "")
    with pytest.raises(FremError, match="queued for results of version 99"):
        _check_version(task)
    _check_version(replace(task, runs=({"result_version": RESULT_VERSION},)))


OURS = (__version__, RESULT_VERSION)


@pytest.mark.parametrize(
    ("host", "versions", "expected"),
    [
        ("node7", OURS, ""),
        ("node7", ("0.0.1", RESULT_VERSION), "on node7 has FREM Studio 0.0.1"),
        ("node7", (__version__, 99), "on node7 gives results of version 99"),
        ("node7", (__version__, None), "on node7 gives results of version None"),
        ("node7", ModuleNotFoundError("frem_core"), "on node7 has no FREM Studio"),
        ("node7", SyntaxError("old"), "on node7 did not tell its version"),
        (OSError("closed"), OSError("closed"), "did not tell its version"),
    ],
)
def test_a_worker_of_another_version_gets_no_work(
    host: object, versions: object, expected: str
) -> None:
    complaint = complaint_about("tls://10.0.0.7:4000", host, versions)
    assert expected in complaint
    assert bool(complaint) == bool(expected)
