"""How right the time left is, on five sweeps through the engine, some of them under load.

What was told during a sweep is written to ``results/time_left`` when it ends, and a later run goes
on with the sweeps that are missing there.
"""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import psutil

from benchmarks import RESULTS
from benchmarks.report import Check, Report, Table
from frem_core.store import Store, open_store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from frem_core.sweeps.timing.time_left import time_left

KEPT = RESULTS / "time_left"
_POLL = 0.25
_STEP = 5.0  # seconds: what pages round to, below a minute
_GAMMA = '[gamma]\npolicy = "validate"\n'
_FREM = '[[methods]]\nmethod = "frem"\nfairness_weights = [0.03, 0.1, 0.3]\n'
_MMD = '[[methods]]\nmethod = "mmd"\nfairness_weights = [0.05, 0.2, 0.5]\n'
_ADV = '[[methods]]\nmethod = "adv"\nfairness_weights = [0.5, 2.0]\n'
_LIMITS = '[[methods]]\nmethod = "reg_hgr"\nlimits = ["50%", "25%"]\n'
_TEN_WEIGHTS = '[[methods]]\nmethod = "frem"\n[[methods]]\nmethod = "mmd"\n'
#: Name, dataset, seeds, epochs, the rest of its description, and busy processes beside it.
SWEEPS = (
    ("Crime, FREM and MMD, ten weights", "crime", 2, 100, _TEN_WEIGHTS, 0),
    ("Crime, three methods, under load", "crime", 3, 100, _FREM + _MMD + _ADV, 2),
    ("Crime, γ chosen", "crime", 3, 60, _FREM + _GAMMA, 0),
    ("Schools, under load", "michigan_schools", 6, 100, _FREM + _MMD, 2),
    ("Retirement savings, with limits", "retirement_savings", 2, 30, _FREM + _LIMITS, 0),
)


def run() -> Report:
    rows, worst = [], []
    for number, (name, dataset, seeds, epochs, rest, busy) in enumerate(SWEEPS, start=1):
        told = _told(KEPT / f"sweep-{number}.csv", _spec(name, dataset, seeds, epochs, rest), busy)
        facts = told.iloc[0]
        share, ratio = told["share"], told["told"] / told["left"]
        first = float(share.min())
        factor = ratio.where(ratio >= 1, 1 / ratio)[share >= 0.1]
        readable = (told["told"] - told["left"]).abs()[share >= 0.1] > _STEP
        # Saying nothing at a tenth is not being right.
        worst.append(float(factor[readable].max()) if readable.any() else 1.0)
        worst[-1] = worst[-1] if first <= 0.1 else float("inf")
        tenths = [f"{ratio[share >= part / 10].iloc[0]:.2f}" for part in (1, 3, 5, 7, 9)]
        right = float(((factor <= 2) | ~readable).mean())
        rows.append([name, busy, f"{facts['load']:.0f}", f"{facts['slowdown']:.1f}"])
        rows[-1] += [f"{facts['starting']:.0f} s", f"{facts['took']:.0f} s", f"{first:.0%}"]
        rows[-1] += [*tenths, f"{right:.0%}", f"{factor.max():.2f}", f"{worst[-1]:.2f}"]
    kept = sum(one <= 2 for one in worst)
    return Report(
        "Time left",
        [
            Table(
                "Time left as told, over what it was",
                (
                    "sweep",
                    "busy processes",
                    "load",
                    "slowdown",
                    "start",
                    "took",
                    "told from",
                    "at 10 %",
                    "30 %",
                    "50 %",
                    "70 %",
                    "90 %",
                    "of the time right",
                    "worst factor",
                    "worst readable",
                ),
                rows,
                "Asked four times a second, from a tenth of the sweep's time to its end; 1.00 is "
                f"right. Differences of up to {_STEP:.0f} seconds are not readable: pages tell the "
                "time left in steps of that size. The sweep's time begins when its first runs are "
                "handed out; before that (start: until an engine and its workers were there) and "
                "until told, pages say that it starts. Busy processes were started beside the "
                "sweep, on top of what the machine did otherwise (load: at the end of the sweep; "
                "2 would be busy; slowdown: seconds on the clock for one of the processor, mean "
                "over runs). Trainings did not give way to others (FREM_NICENESS=0). Each sweep "
                "had a new store: no earlier runs to learn from.",
            )
        ],
        [
            Check(
                "From a tenth on the time left is right within a factor of 2 (or "
                f"{_STEP:.0f} seconds), under load too",
                f"{kept} of {len(worst)} sweeps; worst factors "
                + ", ".join(f"{one:.2f}" for one in worst),
                kept == len(worst),
            )
        ],
    )


def _spec(name: str, dataset: str, seeds: int, epochs: int, rest: str) -> SweepSpec:
    return SweepSpec.from_toml(
        f'name = "{name}"\nseeds = {seeds}\n[dataset]\nname = "{dataset}"\n'
        f"[training]\nepochs = {epochs}\n{rest}"
    )


def _told(file: Path, spec: SweepSpec, busy: int) -> pd.DataFrame:
    """What was told during a sweep beside what was right, by share of its time; kept once known."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        told = _asked(spec, busy).assign(load=psutil.getloadavg()[0])
        told.to_csv(file, index=False, float_format="%.4g")
    return pd.read_csv(file)


def _asked(spec: SweepSpec, busy: int) -> pd.DataFrame:
    """Trains a sweep and asks again and again how long it will take."""
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
    asked = pd.DataFrame(told, columns=["now", "told"])
    asked = asked.assign(share=(asked["now"] - start) / (end - start), left=end - asked["now"])
    return (
        asked[asked["left"] > 0]
        .drop(columns="now")
        .assign(
            took=end - start,
            starting=start - float(runs["queued_at"].min()),
            slowdown=float(runs["seconds.slowdown"].mean()),
        )
    )


@contextmanager
def _home(folder: Path) -> Iterator[Store]:
    before = os.environ.get("FREM_HOME")
    # Trainings do not give way: beside busy processes they would take an hour.
    os.environ |= {"FREM_HOME": str(folder), "FREM_ENGINE_IDLE": "1", "FREM_NICENESS": "0"}
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
