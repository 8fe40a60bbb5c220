"""How right the time left is, on five sweeps through the engine, some of them under load."""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import Check, Report, Table
from frem_core.store import Store, open_store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from frem_core.sweeps.time_left import time_left

_POLL = 0.25
_GAMMA = '[gamma]\npolicy = "validate"\n'
_TRAINING = "[training]\nepochs = {epochs}\n"
_FREM = '[[methods]]\nmethod = "frem"\nfairness_weights = [0.03, 0.1, 0.3]\n'
_MMD = '[[methods]]\nmethod = "mmd"\nfairness_weights = [0.05, 0.2, 0.5]\n'
_ADV = '[[methods]]\nmethod = "adv"\nfairness_weights = [0.5, 2.0]\n'
#: Name, dataset, seeds, the rest of its description, and busy processes beside it.
SWEEPS = (
    ("Crime, FREM and MMD", "crime", 3, _TRAINING.format(epochs=20) + _FREM + _MMD, 0),
    (
        "Crime, three methods, under load",
        "crime",
        2,
        _TRAINING.format(epochs=20) + _FREM + _MMD + _ADV,
        2,
    ),
    ("Crime, γ chosen", "crime", 2, _GAMMA + _TRAINING.format(epochs=6) + _FREM, 0),
    ("Schools, under load", "michigan_schools", 4, _TRAINING.format(epochs=20) + _FREM + _MMD, 2),
    ("Retirement savings", "retirement_savings", 2, _TRAINING.format(epochs=6) + _FREM + _ADV, 0),
)


def run() -> Report:
    rows, worst = [], []
    for name, dataset, seeds, rest, busy in SWEEPS:
        text = f'name = "{name}"\nseeds = {seeds}\n[dataset]\nname = "{dataset}"\n{rest}'
        seconds, ratios = _ratios(SweepSpec.from_toml(text), busy)
        late = [ratio for share, ratio in ratios if share >= 0.1]
        worst.append(max((max(ratio, 1 / ratio) for ratio in late), default=float("inf")))
        tenths = [
            next((f"{r:.2f}" for s, r in ratios if s >= part / 10), "–") for part in (1, 3, 5, 7, 9)
        ]
        rows.append([name, busy, f"{seconds:.0f} s", *tenths, f"{worst[-1]:.2f}"])
    kept = sum(one <= 2 for one in worst)
    return Report(
        "Time left",
        [
            Table(
                "Time left as told, over what it was",
                (
                    "sweep",
                    "busy processes",
                    "took",
                    "at 10 %",
                    "30 %",
                    "50 %",
                    "70 %",
                    "90 %",
                    "worst factor",
                ),
                rows,
                "Asked four times a second, from a tenth of the sweep's time to its last second; "
                "1.00 is right. What took less than a second more is left out.",
            )
        ],
        [
            Check(
                "From a tenth on the time left is right within a factor of 2, under load too",
                f"{kept} of {len(worst)} sweeps; worst factors "
                + ", ".join(f"{one:.2f}" for one in worst),
                kept == len(worst),
            )
        ],
    )


def _ratios(spec: SweepSpec, busy: int) -> tuple[float, list[tuple[float, float]]]:
    """How long a sweep took, and by share of that time what was told over what was left."""
    told: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder, _home(Path(folder)) as store, _load(busy):
        sweep = submit(store, spec)
        ensure_engine(store)
        while True:
            runs, now = store.runs.frame(sweep), time.time()
            if not runs["state"].isin(["queued", "running"]).any():
                break
            left = time_left(runs, now).seconds
            if left is not None:
                told.append((now, left))
            time.sleep(_POLL)
        start, end = float(runs["started_at"].min()), float(runs["finished_at"].max())
    return end - start, [
        ((now - start) / (end - start), left / (end - now)) for now, left in told if end - now > 1
    ]


@contextmanager
def _home(folder: Path) -> Iterator[Store]:
    before = os.environ.get("FREM_HOME")
    os.environ |= {"FREM_HOME": str(folder), "FREM_ENGINE_IDLE": "1"}
    store = open_store()
    try:
        yield store
    finally:
        while store.leases.holder("engine") is not None:
            time.sleep(_POLL)
        store.close()
        os.environ.pop("FREM_HOME") if before is None else os.environ.update(FREM_HOME=before)


@contextmanager
def _load(processes: int) -> Iterator[None]:
    busy = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(processes)]
    for one in busy:
        one.start()
    try:
        yield
    finally:
        for one in busy:
            one.terminate()


def _spin() -> None:
    while True:
        pass
