"""Memory of workers and engine over an hour of short runs: it must stay.

The dashboard's memory is measured where it has viewers, by the benchmark of load.
"""

import os
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from benchmarks.report import Check, Report, Table
from frem_core.store import Store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from tests.sweeps.processes import (
    engine_process,
    own_home,
    spec_text,
    worker_processes,
    write_table,
)

_MINUTES = float(os.environ.get("FREM_BENCHMARK_MINUTES", "60"))
_WARM_UP = 0.1  # share of the time that does not count
_EVERY = 5.0
_MOST = 0.05
_FEWEST = 10  # samples of a process that is judged

Samples = dict[str, list[tuple[float, float]]]


def run() -> Report:
    """Keeps two workers busy with runs of a second and measures every process."""
    samples: Samples = {}
    seeds = 0
    with TemporaryDirectory() as folder, own_home(Path(folder) / "home", FREM_WORKERS="2") as store:
        text = spec_text(write_table(Path(folder) / "people.csv"), epochs=5, seeds=1)
        start = time.monotonic()
        while (now := time.monotonic() - start) < _MINUTES * 60:
            if store.queue.unfinished() < 6:
                two = f"seeds = [{seeds}, {seeds + 1}]"
                submit(store, SweepSpec.from_toml(text.replace("seeds = 1", two)))
                seeds += 2
            ensure_engine(store)
            _measure(store, now, samples)
            time.sleep(_EVERY)
    rows, checks = [], []
    for name, values in sorted(samples.items()):
        judged = [size for moment, size in values if moment > _WARM_UP * _MINUTES * 60]
        if len(judged) < _FEWEST:
            continue
        tenth = len(judged) // 10
        first, last = sum(judged[:tenth]) / tenth, sum(judged[-tenth:]) / tenth
        growth = f"{last / first - 1:+.1%}"
        rows.append((name, f"{first / 1e6:.0f} MB", f"{last / 1e6:.0f} MB", growth))
        checks.append(Check(f"{name}: less than 5 % more", growth, last / first < 1 + _MOST))
    note = (
        f"{_MINUTES:g} minutes, {3 * seeds} runs of five epochs; resident memory, mean of the "
        f"first and of the last tenth after {_WARM_UP:.0%} of the time."
    )
    columns = ("process", "at first", "at last", "growth")
    return Report("Memory that stays", [Table("Resident memory", columns, rows, note)], checks)


def _measure(store: Store, now: float, samples: Samples) -> None:
    engine = engine_process(store)
    processes = {} if engine is None else {f"engine {engine.pid}": engine}
    processes |= {f"worker {one.pid}": one for one in worker_processes(store)}
    for name, process in processes.items():
        with suppress(psutil.NoSuchProcess):
            samples.setdefault(name, []).append((now, float(process.memory_info().rss)))
