"""The engine's reactions: how soon it starts, cancels, and what it costs beside the training."""

import os
import tempfile
import time
from collections.abc import Callable

from benchmarks.report import Check, Report, Table, seconds
from frem_core.store import RunState, Store, open_store
from frem_core.sweeps import SweepSpec, engine_state, ensure_engine, submit

_TURNS = 5
_PATIENCE = 300.0
_LONG = """
name = "benchmark"
seeds = [{seed}]
[dataset]
name = "crime"
[training]
epochs = {epochs}
[[methods]]
method = "{method}"
fairness_weights = {weights}
"""


def run() -> Report:
    """Measures a real engine with a local cluster in a data folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"FREM_HOME": folder, "FREM_ENGINE_IDLE": "5", "FREM_WORKERS": "2"}
        store = open_store()
        starting = _until_trained(store, _sweep(store, 0, 100_000))
        again = [_until_trained(store, _sweep(store, seed, 100_000)) for seed in range(1, 3)]
        sweeps = [_cancel_sweep(store, seed) for seed in range(10, 10 + _TURNS)]
        runs = [_cancel_run(store, seed) for seed in range(20, 20 + _TURNS)]
        idle = _until(lambda: not engine_state(store).is_running)
        store.close()
    rows = [
        ("from queueing to the first epoch, engine not running", seconds(starting)),
        ("from queueing to the first epoch, engine running", seconds(min(again))),
        ("cancelling a sweep, slowest", seconds(max(sweeps))),
        ("cancelling a run, slowest", seconds(max(runs))),
        ("from the last cancel to the end of an engine that idles 5 s", seconds(idle)),
    ]
    checks = [
        Check("cancel of a sweep within 2 s", seconds(max(sweeps)), max(sweeps) < 2),
        Check("cancel of a run within 2 s", seconds(max(runs)), max(runs) < 2),
    ]
    note = f"Wall time; cancels {_TURNS} times each, from the request to a stopped worker or run."
    return Report(
        "Engine on Crime, two workers", [Table("Reactions", ("what", "time"), rows, note)], checks
    )


def _sweep(store: Store, seed: int, epochs: int) -> str:
    text = _LONG.format(seed=seed, epochs=epochs, method="frem", weights=[0.03, 0.1])
    sweep = submit(store, SweepSpec.from_toml(text))
    ensure_engine(store)
    return sweep


def _until(condition: Callable[[], bool]) -> float:
    start = time.perf_counter()
    while not condition():
        if time.perf_counter() - start > _PATIENCE:
            raise TimeoutError("the engine does not react")
        time.sleep(0.02)
    return time.perf_counter() - start


def _until_trained(store: Store, sweep: str) -> float:
    """Waits for the first epoch, then cancels the sweep."""
    waited = _until(lambda: bool((store.runs.frame(sweep)["epoch"] > 0).any()))
    store.sweeps.cancel(sweep)
    _until(lambda: store.queue.unfinished() == 0)
    return waited


def _cancel_sweep(store: Store, seed: int) -> float:
    sweep = _sweep(store, seed, 100_000)
    _until(lambda: bool((store.runs.frame(sweep)["epoch"] > 5).all()))
    store.sweeps.cancel(sweep)
    return _until(lambda: set(store.runs.frame(sweep)["state"]) == {RunState.CANCELLED})


def _cancel_run(store: Store, seed: int) -> float:
    sweep = _sweep(store, seed, 100_000)
    _until(lambda: bool((store.runs.frame(sweep)["epoch"] > 5).all()))
    run = store.runs.frame(sweep)["id"][0]
    store.queue.cancel([run])
    waited = _until(lambda: store.runs.get(run).state == RunState.CANCELLED)
    store.sweeps.cancel(sweep)
    return waited
