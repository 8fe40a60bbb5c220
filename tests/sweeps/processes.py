"""Real engines, workers and schedulers for tests, each in a data folder of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest

from frem_core.store import Store, open_store
from frem_core.sweeps import engine_state, ensure_engine
from frem_core.sweeps.search import open_searches

PATIENCE = 600.0  # a wait ends as soon as what it waits for is there


def wait_until(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Looks again and again until the condition holds; fails when it never does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f"waited {seconds:.0f} s in vain until {what}")
        time.sleep(0.05)


@contextmanager
def own_home(folder: Path, **variables: str) -> Iterator[Store]:
    """A store of its own, whose engine is ended afterwards."""
    wanted = {"FREM_HOME": str(folder), "FREM_STORE": "", "FREM_SCHEDULER": ""} | variables
    with pytest.MonkeyPatch.context() as patch:
        for name, value in wanted.items():
            patch.setenv(name, value)
        store = open_store()
        try:
            yield store
        finally:
            end_engine(store)
            store.close()


def end_engine(store: Store) -> None:
    """Asks the engine to end and waits until it and its workers are gone."""
    state = engine_state(store)
    if not state.is_running:
        return
    try:
        process = psutil.Process(state.pid)
    except psutil.NoSuchProcess:
        return
    family = [process, *process.children(recursive=True)]
    process.terminate()
    end_or_kill(family, f"the engine of {store.folder}")


def end_or_kill(family: Sequence[psutil.Process], name: str, seconds: float = 120.0) -> None:
    """Waits until processes that were asked to end have; kills and names those that do not."""
    end = time.monotonic() + seconds
    while (alive := [one for one in family if _lives(one)]) and time.monotonic() < end:
        time.sleep(0.05)
    left = [f"{one.pid} ({' '.join(_command(one))[:80]})" for one in alive]
    for one in alive:
        kill(one)
    if left:
        pytest.fail(f"{name} did not end within {seconds:.0f} s and was killed: {', '.join(left)}")


def _lives(process: psutil.Process) -> bool:
    # Where the first process of a container does not collect orphans, they stay as zombies.
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _command(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def engine_process(store: Store) -> psutil.Process | None:
    """The engine, when one is alive."""
    state = engine_state(store)
    try:
        return psutil.Process(state.pid) if state.is_running else None
    except psutil.NoSuchProcess:
        return None


def worker_processes(store: Store) -> list[psutil.Process]:
    """The local cluster's workers."""
    engine = engine_process(store)
    try:
        children = [] if engine is None else engine.children(recursive=True)
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    except psutil.NoSuchProcess:
        return []


@contextmanager
def halted(store: Store) -> Iterator[None]:
    """Nothing is trained meanwhile, so that a fast machine is not done too soon."""
    workers = worker_processes(store)
    for worker in workers:
        worker.suspend()
    try:
        yield
    finally:
        for worker in workers:
            worker.resume()


def finish_sweep(store: Store, sweep: str, seconds: float = PATIENCE) -> pd.DataFrame:
    """Waits until a sweep has ended, as any viewer would, and returns its runs."""

    def has_ended() -> bool:
        row = store.sweeps.frame(sweep).iloc[0]
        searching = any(one.sweep == sweep for one in open_searches(store))
        if row["queued"] + row["running"] == 0 and not searching:
            return True
        ensure_engine(store)
        return False

    wait_until(has_ended, "the sweep had ended", seconds)
    return store.runs.frame(sweep)


def write_table(path: Path, rows: int = 240) -> Path:
    """A small table with a class that depends on a feature and on the sensitive attribute."""
    rng = np.random.default_rng(0)
    age = rng.uniform(20, 70, rows)
    x = rng.standard_normal((rows, 3))
    y = x[:, 0] + 0.04 * (age - 45) + 0.3 * rng.standard_normal(rows) > 0
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(age=age, hired=y.astype(int))
    frame.to_csv(path, index=False)
    return path


def spec_text(
    table: Path, *, epochs: int, seeds: int = 2, methods: str = "", hidden: int = 8
) -> str:
    """A sweep on that table: FREM with three weights, and what else is given."""
    return f"""
name = "test"
seeds = {seeds}
[dataset]
path = "{table}"
target = "hired"
sensitive = "age"
[training]
epochs = {epochs}
batch_size = 64
hidden = [{hidden}, {hidden}]
[[methods]]
method = "frem"
fairness_weights = [0.1, 0.5, 2.0]
{methods}
"""


def run_frem(*arguments: str, timeout: float = PATIENCE) -> "subprocess.CompletedProcess[str]":
    """Runs the command line in a process of its own."""
    command = [sys.executable, "-m", "frem_core", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def kill(process: "psutil.Process | subprocess.Popen[bytes]") -> None:
    """Ends a process in no order at all, if it is still there."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)


def same_scores(left: pd.DataFrame, right: pd.DataFrame) -> None:
    """Two sweeps gave the same runs with the same numbers, to the last bit."""
    scores = [name for name in left.columns if name.startswith(("test.", "train."))]
    assert len(scores) > 10
    one, other = (frame.set_index("id").sort_index()[scores] for frame in (left, right))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
