"""Many processes at once: no lock error, no lost row, nothing half-written."""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from frem_core.store import RunState, Store, identity_of
from tests.store import crowd
from tests.store.examples import OWNER, add_sweep, config, new_run
from tests.store.postgresql import create_database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    server = request.getfixturevalue("postgresql_server")
    return create_database(server, f"crowd-{request.node.name}"[:60])


def crowd_of(url: str | None, folder: Path, writers: int, readers: int, rounds: int) -> None:
    """Readers look on while each writer does its rounds."""
    end = folder.with_name("all has been written")
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(writers + readers, mp_context=spawn) as pool:
        writing = [pool.submit(crowd.write, url, folder, i, rounds) for i in range(writers)]
        reading = [pool.submit(crowd.read, url, folder, end) for _ in range(readers)]
        try:
            finished = [run for job in writing for run in job.result()]
        finally:
            end.touch()
        assert all(job.result() > 0 for job in reading)
    store = Store(url, folder)
    frame = store.runs.frame()
    done = frame[frame["state"] == RunState.DONE]
    assert len(finished) == len(set(finished)), "a run was finished twice"
    assert set(done["id"]) == set(finished), "a finished run was lost"
    # Only what the writers had no time for any more is left in the queue.
    assert set(frame["state"]) <= {"done", "queued"}
    assert len(frame) == 4 * len(store.sweeps.frame())
    store.close()


def test_a_small_crowd(url: str | None, tmp_path: Path) -> None:
    crowd_of(url, tmp_path / "home", writers=2, readers=1, rounds=4)


@pytest.mark.slow
def test_four_writers_and_eight_readers(url: str | None, tmp_path: Path) -> None:
    crowd_of(url, tmp_path / "home", writers=4, readers=8, rounds=150)


def test_threads_share_one_store(store: Store) -> None:
    add_sweep(store, [new_run(seed) for seed in range(40)])

    def claim(_: int) -> str:
        [[run]] = store.queue.claim(OWNER, bundles=1)
        store.runs.frame()
        return run.id

    with ThreadPoolExecutor(8) as pool:
        claimed = list(pool.map(claim, range(40)))
    assert sorted(claimed) == sorted(identity_of(config(seed)) for seed in range(40))


def test_a_forked_child_opens_its_own_connections(store: Store) -> None:
    add_sweep(store, [new_run(0)])

    def work_in_child() -> None:
        [[run]] = store.queue.claim("child", bundles=1)
        sys.exit(0 if run.config["seed"] == 0 else 1)

    child = multiprocessing.get_context("fork").Process(target=work_in_child)
    child.start()
    child.join()
    assert child.exitcode == 0
    assert store.runs.get(identity_of(config(0))).state == RunState.RUNNING
