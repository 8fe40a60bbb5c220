"""The store under load: how quick and how large it is with 10,000 finished runs of 200 epochs."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.report import Check, Report, Table, megabytes, seconds
from frem_core.pareto import pareto_front
from frem_core.store import DatasetRecord, NewRun, RunResult, Store

_SPLIT_SCORES = ("accuracy", "average_precision", "mse", "mae", "gdp", "geo", "hgr", "mi", "eipm")
_SPLITS = ("train", "test")
_RUNS, _EPOCHS = 10_000, 200
_QUICK, _SMALL = 0.5, 300e6
_DATASET = DatasetRecord("d" * 64, "adult", "Adult", {"builtin": "adult"}, 45222, 101)


def fill(store: Store, runs: int, epochs: int) -> str:
    """Queues and finishes ``runs`` runs through the same calls as the engine; returns the sweep."""
    sweep = store.sweeps.add("benchmark", "", [_run(i, epochs) for i in range(runs)], [_DATASET])
    rng = np.random.default_rng(0)
    while claimed := store.queue.claim("benchmark", bundles=500):
        for [run] in claimed:
            store.results.finish("benchmark", run.id, _result(rng, epochs))
    return sweep


def _run(index: int, epochs: int) -> NewRun:
    config = {
        "result_version": 1,
        "dataset": {"fingerprint": _DATASET.hash, "task": "classification"},
        "split": {"kind": "random", "seed": index % 5, "test_size": 0.2},
        "fairness_weight": 0.01 * (index // 5),
        "seed": index % 5,
        "method": {
            "method": ("frem", "reg_gdp", "mmd", "adv")[index % 4],
            "fairness": "dp",
            "gamma": 0.05,
            "sigma": 1.0,
            "sensitive_kernel": "rbf",
            "representation_kernel": "rbf",
            "computation": "exact",
        },
        "training": {
            "epochs": epochs,
            "batch_size": 1024,
            "learning_rate": 0.001,
            "weight_decay": 0.01,
            "hidden": [50, 50],
            "activation": "selu",
            "encoder": "mlp",
        },
    }
    return NewRun(config, _DATASET.hash, config["method"]["method"], index % 5, epochs)


def _result(rng: np.random.Generator, epochs: int) -> RunResult:
    decay = np.exp(-np.arange(epochs) / 40)
    columns = {
        name: scale * decay + 0.02 * rng.standard_normal(epochs)
        for name, scale in (("task_loss", 0.7), ("penalty", 0.3), ("validation_loss", 0.7))
    } | {name: rng.random(epochs) for name in ("validation_accuracy", "validation_gdp")}
    history = [{name: column[e] for name, column in columns.items()} for e in range(epochs)]
    scores = {split: dict(zip(_SPLIT_SCORES, rng.random(9), strict=True)) for split in _SPLITS}
    return RunResult(
        scores=scores,
        history=history,
        facts={"gamma": 0.05, "warnings": []},
        timings={"training": 60.0, "evaluation": 2.0},
        versions={"torch": "2.13.0", "numpy": "2.4.6", "frem-studio": "0.1.0"},
    )


def _best_of(work: Callable[[], object], repeats: int = 7) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> Report:
    """Fills a store through the engine's own calls, then reads it like the dashboard."""
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder))


def _measure(folder: Path) -> Report:
    store = Store(folder=folder)
    start = time.perf_counter()
    sweep = fill(store, _RUNS, _EPOCHS)
    filling = time.perf_counter() - start
    store.close()  # moves the write-ahead log into the file
    size = sum(file.stat().st_size for file in folder.glob("store.db*"))
    one = store.runs.frame(sweep)["id"].iloc[_RUNS // 2]

    def front() -> object:
        frame = store.runs.frame(sweep)
        return pareto_front(frame, {"test.accuracy": "max", "test.hgr": "min"})

    reading = {
        "listing": _best_of(lambda: store.runs.frame(sweep)),
        "listing and front": _best_of(front),
        "status": _best_of(store.sweeps.frame),
        "opening, with a check of every page": _best_of(lambda: Store(folder=folder).close()),
        "curves of one run": _best_of(lambda: store.runs.history(one)),
    }
    store.close()
    checks = [
        Check(f"{name} in less than 0.5 s", seconds(reading[name]), reading[name] < _QUICK)
        for name in ("listing", "listing and front", "status")
    ]
    checks.append(Check("file smaller than 300 MB", megabytes(size), size < _SMALL))
    rows = [(name, seconds(value)) for name, value in reading.items()]
    rows += [("finishing a run", seconds(filling / _RUNS)), ("size", megabytes(size))]
    table = Table("Reading", ("what", "measured"), rows, "Wall time, best of 7, on SQLite.")
    title = f"Store with {_RUNS:,} finished runs of {_EPOCHS} epochs"
    return Report(title, [table], checks)
