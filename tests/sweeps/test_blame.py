"""On which runs the death of a worker is blamed: those it had begun, when they get no further."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import KilledWorker

from frem_core.store import Store
from frem_core.sweeps import SweepSpec, submit
from frem_core.sweeps.dispatcher import Dispatcher
from frem_core.sweeps.worker import BundleTask
from tests.sweeps.processes import spec_text, write_table

WORKER = "tls://127.0.0.1:4000"


class OneWorker:
    """A worker that dies with all that was sent to it, as far as the dispatcher can tell."""

    def __init__(self) -> None:
        self._sent: list[tuple[BundleTask, Future[Any]]] = []
        self._report: Callable[[dict[str, Any]], None] = print

    def watch(self, topic: str, handler: Callable[[dict[str, Any]], None]) -> None:
        self._report = handler

    def start(self, task: BundleTask) -> "Future[Any]":
        future: Future[Any] = Future()
        future.status = "pending"  # type: ignore[attr-defined]  # as Dask's have
        self._sent.append((task, future))
        return future

    def stop(self, keys: object) -> None:
        pass

    def begin(self, seed: int, epoch: int) -> None:
        """Begins the bundles of a seed and gets as far as an epoch."""
        for task, _ in self._sent:
            if task.runs[0]["seed"] == seed:
                everyone = list(range(len(task.runs)))
                start = {"key": task.key, "runs": everyone, "stage": "starting"}
                self._report({**start, "started_on": WORKER})
                self._report({**start, "stage": "training", "epoch": epoch})

    def die(self) -> None:
        for task, future in self._sent:
            where = SimpleNamespace(address=WORKER)
            future.set_exception(KilledWorker(task.key, where, 0))  # type: ignore[arg-type]
            future.status = "error"  # type: ignore[attr-defined]
        self._sent.clear()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(folder=tmp_path / "home")
    text = spec_text(write_table(tmp_path / "people.csv"), epochs=20)
    submit(store, SweepSpec.from_toml(text))
    return store


def states(store: Store, seed: int) -> set[str]:
    frame = store.runs.frame()
    return set(frame.loc[frame["seed"] == seed, "state"])


def test_what_waited_behind_another_bundle_is_not_blamed(store: Store) -> None:
    worker = OneWorker()
    dispatcher = Dispatcher(store, worker, "engine")  # type: ignore[arg-type]
    for _ in range(3):
        dispatcher.hand_out(10)
        worker.begin(seed=0, epoch=0)
        worker.die()
        assert dispatcher.collect()
    assert states(store, 0) == {"failed"}
    assert states(store, 1) == {"queued"}


def test_what_dies_alone_before_it_says_a_word_is_blamed(store: Store) -> None:
    worker = OneWorker()
    dispatcher = Dispatcher(store, worker, "engine")  # type: ignore[arg-type]
    for _ in range(12):
        dispatcher.hand_out(1)
        worker.die()
        dispatcher.collect()
    assert "failed" in states(store, 0) | states(store, 1)


def test_how_far_it_had_come_in_its_last_moment_counts(store: Store) -> None:
    worker = OneWorker()
    dispatcher = Dispatcher(store, worker, "engine")  # type: ignore[arg-type]
    for epoch in range(1, 6):
        dispatcher.hand_out(10)
        worker.begin(seed=0, epoch=epoch)
        worker.die()
        dispatcher.collect()
    assert states(store, 0) == {"queued"}


def test_an_end_without_a_death_is_none(store: Store) -> None:
    dispatcher = Dispatcher(store, OneWorker(), "engine")  # type: ignore[arg-type]
    dispatcher.hand_out(10)
    assert not dispatcher.collect()
