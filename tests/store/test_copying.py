"""Finished runs travel from store to store, and nothing that is there is harmed."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from frem_core.store import RunState, Store, copy_finished_runs, identity_of
from tests.store.examples import OWNER, add_sweep, config, finish_all, new_run, result


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Store]:
    """Runs 0 and 1 are done, run 2 waits."""
    opened = Store(folder=tmp_path / "source")
    add_sweep(opened, [new_run(seed) for seed in range(2)])
    finish_all(opened)
    add_sweep(opened, [new_run(2)])
    yield opened
    opened.close()


RUNS = [identity_of(config(seed)) for seed in range(3)]


def test_what_is_done_arrives_whole(source: Store, store: Store) -> None:
    assert sorted(copy_finished_runs(source, store, RUNS)) == sorted(RUNS[:2])
    for run in RUNS[:2]:
        assert store.runs.get(run) == source.runs.get(run)
        pd.testing.assert_frame_equal(store.runs.history(run), source.runs.history(run))
        assert store.artefacts.read(run, "weights") == source.artefacts.read(run, "weights")
    assert store.datasets.frame()["name"].tolist() == ["crime"]
    assert copy_finished_runs(source, store, RUNS) == []


def test_a_new_sweep_does_not_train_them_again(source: Store, store: Store) -> None:
    copy_finished_runs(source, store, RUNS)
    sweep = add_sweep(store, [new_run(seed) for seed in range(3)])
    assert list(store.runs.frame(sweep)["state"]) == ["done", "done", "queued"]


def test_a_waiting_run_becomes_the_finished_one_in_its_sweep(source: Store, store: Store) -> None:
    sweep = add_sweep(store, [new_run(0)])
    assert copy_finished_runs(source, store, RUNS[:1]) == RUNS[:1]
    assert list(store.runs.frame(sweep)["test.accuracy"]) == [0.5]
    assert store.queue.unfinished() == 0


def test_what_is_trained_or_done_there_stays(source: Store, store: Store) -> None:
    add_sweep(store, [new_run(0), new_run(1)])
    [[first], [second]] = store.queue.claim(OWNER, bundles=2)
    store.results.finish(OWNER, first.id, result(0.9))
    assert copy_finished_runs(source, store, RUNS) == []
    assert store.runs.get(first.id).scores["test"]["accuracy"] == 0.9
    assert store.runs.get(second.id).state == RunState.RUNNING


def test_files_can_be_left_behind(source: Store, store: Store) -> None:
    copy_finished_runs(source, store, RUNS, with_file=lambda run, kind: run == RUNS[0])
    assert set(store.artefacts.of_run(RUNS[0])) == {"weights"}
    assert store.artefacts.of_run(RUNS[1]) == {}
