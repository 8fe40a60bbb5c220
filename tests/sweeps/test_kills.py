"""Processes that are killed at random moments: nothing is lost, nothing is trained twice."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from frem_core.store import Store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from frem_core.training import torch_threads
from tests.sweeps.processes import (
    engine_process,
    finish_sweep,
    kill,
    own_home,
    same_scores,
    spec_text,
    wait_until,
    worker_processes,
    write_table,
)
from tools.trained_sweeps import train_sweep

pytestmark = pytest.mark.timeout(3600)

LONG = 1800.0
APP = Path(__file__).parents[2] / "app.py"
METHODS = """
[[methods]]
method = "mmd"
fairness_weights = [0.1, 1.0]
[[methods]]
method = "adv"
fairness_weights = [0.1, 1.0]
"""


class Dashboard:
    """A real dashboard process on the same store; started again after each kill."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "streamlit", "run", str(APP)]
        options = ["--server.headless", "true", "--server.port", "0"]
        return subprocess.Popen(
            [*command, *options],
            cwd=APP.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        self.end()
        self._process = self._start()

    def end(self) -> None:
        kill(self._process)
        self._process.wait()


def sweep_with_kills(
    store: Store, sweep: str, victims: list[Callable[[], bool]], kills: int, rng: random.Random
) -> int:
    """Kills victims in random order at random moments while the sweep runs; returns how often."""

    def workers_are_there() -> bool:
        ensure_engine(store)
        return bool(worker_processes(store))

    wait_until(workers_are_there, "there was something to kill")
    done = 0
    while done < kills:
        end = time.monotonic() + rng.uniform(0.1, 2.5)

        def is_time(end: float = end) -> bool:
            ensure_engine(store)
            return time.monotonic() > end or store.queue.unfinished() == 0

        wait_until(is_time, "it was time for the next kill")
        if store.queue.unfinished() == 0:
            break
        done += rng.choice(victims)()
    return done


def kill_a_worker(store: Store, rng: random.Random) -> bool:
    workers = worker_processes(store)
    if workers:
        kill(rng.choice(workers))
    return bool(workers)


def kill_the_engine(store: Store) -> bool:
    engine = engine_process(store)
    if engine is not None:
        kill(engine)
    return engine is not None


def undisturbed(folder: Path, spec: SweepSpec) -> pd.DataFrame:
    with own_home(folder, FREM_WORKERS="2") as store:
        sweep = submit(store, spec)
        ensure_engine(store)
        return finish_sweep(store, sweep, LONG)


def check(store: Store, sweep: str, expected: pd.DataFrame) -> None:
    frame = finish_sweep(store, sweep, LONG)
    assert set(frame["state"]) == {"done"}
    assert frame["id"].is_unique
    assert len(store.runs.frame()) == len(frame)  # nothing was trained under another name
    same_scores(frame, expected)
    for run in frame["id"]:
        assert len(store.runs.history(run)) == frame.set_index("id").loc[run, "epochs"]


# The loss of one worker and of one engine, each by itself, are part of every test run: see
# test_scheduler.py and search/test_searching.py.
@pytest.mark.slow
def test_a_few_kills(tmp_path: Path) -> None:
    text = spec_text(write_table(tmp_path / "people.csv"), epochs=150, methods=METHODS)
    # As little disturbed as can be: without an engine, and with one thread as workers have.
    with own_home(tmp_path / "calm") as store, torch_threads(1):
        expected = store.runs.frame(train_sweep(store, text))
    rng = random.Random(0)
    with own_home(tmp_path / "wild", FREM_WORKERS="2") as store:
        sweep = submit(store, SweepSpec.from_toml(text))
        victims = [lambda: kill_a_worker(store, rng), lambda: kill_the_engine(store)]
        kills = sweep_with_kills(store, sweep, victims, 3, rng)
        check(store, sweep, expected)
    assert kills > 0


@pytest.mark.slow
def test_twenty_kills_of_worker_engine_and_dashboard(tmp_path: Path) -> None:
    table = write_table(tmp_path / "people.csv")
    spec = SweepSpec.from_toml(spec_text(table, epochs=1000, seeds=6, methods=METHODS))
    expected = undisturbed(tmp_path / "calm", spec)
    rng = random.Random(1)
    counts = {"worker": 0, "engine": 0, "dashboard": 0}

    def count(name: str, act: Callable[[], bool]) -> Callable[[], bool]:
        def victim() -> bool:
            happened = act()
            counts[name] += happened
            return happened

        return victim

    with own_home(tmp_path / "wild", FREM_WORKERS="2") as store:
        dashboard = Dashboard(tmp_path)
        try:
            sweep = submit(store, spec)
            victims = [
                count("worker", lambda: kill_a_worker(store, rng)),
                count("engine", lambda: kill_the_engine(store)),
                count("dashboard", lambda: dashboard.kill() is None),
            ]
            kills = sweep_with_kills(store, sweep, victims, 20, rng)
            check(store, sweep, expected)
        finally:
            dashboard.end()
    print(f"killed {counts}")
    assert kills == 20
    assert min(counts.values()) >= 3
