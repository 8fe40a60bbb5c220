"""How long a sweep will take, and how that is known."""

import math
import os
from dataclasses import dataclass
from typing import Final, Literal

import pandas as pd
import streamlit as st

from frem_core.store import RunState
from frem_core.sweeps import RunConfig, SweepSpec, engine_state
from studio.store import the_store
from studio.train.pace import Pace, finished_pace, kind_of
from studio.train.timings import the_timings
from studio.train.workload import Workload, seconds_needed

_START_SECONDS: Final = 8.0  # an engine and its workers take about that long to start


@dataclass(frozen=True)
class Estimate:
    """A time to expect.

    Attributes:
        state: ``"measuring"`` until it is known, ``"unknown"`` when it cannot be.
        seconds: until the last run of the sweep is finished, were it the only one.
        finished_runs: how many finished runs it rests on.
        is_measured: whether steps were timed for it.
        workers: how many bundles are trained at once.
        reason: why it cannot be known.
        kinds: the kinds of runs that were to be timed.
    """

    state: Literal["known", "measuring", "unknown"]
    seconds: float = 0.0
    finished_runs: int = 0
    is_measured: bool = False
    workers: int = 1
    reason: str = ""
    kinds: tuple[str, ...] = ()


@st.cache_data(ttl=30, max_entries=1, show_spinner=False)
def _finished_runs() -> pd.DataFrame:
    return the_store().runs.frame(states=[RunState.DONE])


def estimate_of(spec: SweepSpec, work: Workload) -> Estimate:
    """Estimates from finished runs of the same kind; other kinds are timed for a few steps."""
    kinds = {kind_of(bundle[0]): bundle for bundle in _longest_first(work)}
    known = {kind: finished_pace(_finished_runs(), bundle[0]) for kind, bundle in kinds.items()}
    paces = {kind: pace for kind, pace in known.items() if pace is not None}
    missing = {kind: bundle for kind, bundle in kinds.items() if kind not in paces}
    if missing:
        timings = the_timings()
        timings.ask(spec.dataset, missing)
        paces |= timings.paces(missing)
        if timings.is_measuring(missing):
            return Estimate("measuring")
        if not paces.keys() >= kinds.keys():
            return Estimate("unknown", reason=timings.failure(missing), kinds=tuple(missing))
    return _known(work, paces, is_measured=bool(missing))


def _known(work: Workload, paces: dict[str, Pace], *, is_measured: bool) -> Estimate:
    engine = engine_state(the_store())
    workers = engine.workers or _local_workers()
    start = 0.0 if engine.workers else _START_SECONDS
    return Estimate(
        "known",
        seconds=start + seconds_needed(work.bundles, paces, workers),
        finished_runs=sum(pace.runs for pace in paces.values()),
        is_measured=is_measured,
        workers=workers,
    )


def _longest_first(work: Workload) -> list[tuple[RunConfig, ...]]:
    """The fullest bundle of each kind comes last, so that it is the one that is timed."""
    return sorted(work.bundles, key=len)


def _local_workers() -> int:
    given = os.environ.get("FREM_WORKERS", "").strip()
    return int(given) if given.isdigit() and int(given) > 0 else os.cpu_count() or 1


def duration_words(seconds: float) -> str:
    """A duration as people say it.

    >>> duration_words(8), duration_words(140), duration_words(9000)
    ('10 seconds', '2 minutes', '2½ hours')
    """
    if seconds < 55:
        return f"{max(5, math.ceil(seconds / 5) * 5)} seconds"
    if seconds < 55 * 60:
        minutes = round(seconds / 60)
        return f"{minutes} minute{'s' if minutes != 1 else ''}"
    halves = round(seconds / 1800)
    whole, half = divmod(halves, 2)
    number = f"{whole or ''}{'½' if half else ''}"
    return f"{number} hour{'s' if halves > 2 else ''}"
