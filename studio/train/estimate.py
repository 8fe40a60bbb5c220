"""How long a sweep will take: as finished runs tell, or timed in a process of its own."""

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st

from frem_core.errors import ConfigError
from frem_core.settings import whole_number
from frem_core.sweeps import DatasetSpec, RunConfig, SweepSpec
from studio.child_job import ChildJob
from studio.engine import finished_runs, the_engine
from studio.train.pace import Pace, data_of, finished_pace, kind_of
from studio.train.workload import Workload, seconds_needed

_START_SECONDS: Final = 8.0  # an engine and its workers take about that long to start
_PATIENCE: Final = 180.0


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


def estimate_of(spec: SweepSpec, work: Workload) -> Estimate:
    """Estimates from finished runs of the same kind; other kinds are timed for a few steps."""
    kinds = {kind_of(bundle[0]): bundle for bundle in _longest_first(work)}
    known = {kind: finished_pace(finished_runs(), bundle[0]) for kind, bundle in kinds.items()}
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
    engine = the_engine()
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
    with suppress(ConfigError):  # the engine says what is wrong with it
        return whole_number("FREM_WORKERS", least=1) or os.cpu_count() or 1
    return os.cpu_count() or 1


@dataclass(frozen=True)
class _Wish:
    """A kind of run to be timed: where its data comes from, and a bundle of that kind."""

    dataset: DatasetSpec
    bundle: Sequence[RunConfig]


class TimingJob(ChildJob):
    """Times some kinds of runs on one dataset.

    Attributes:
        kinds: what is timed.
        epochs: seconds of an epoch by kind.
        evaluations: seconds of an evaluation by data.
    """

    command = ("-m", "studio.train.timing_child")
    what = "Timing"

    def __init__(
        self, kinds: Iterable[str], order: Mapping[str, Any], then: Callable[["TimingJob"], None]
    ) -> None:
        super().__init__(order=order, patience=_PATIENCE)
        self.kinds, self._then = tuple(kinds), then
        self.forget()

    def forget(self) -> None:
        """Drops the times."""
        self.epochs: dict[str, float] = {}
        self.evaluations: dict[str, float] = {}

    def take(self, news: dict[str, Any]) -> None:
        """Takes one time."""
        if "kind" in news:
            self.epochs[str(news["kind"])] = float(news["epoch_seconds"])
        else:
            self.evaluations[str(news["data"])] = float(news["evaluation_seconds"])

    def ended(self) -> None:
        """Hands the times over."""
        self._then(self)


class Timings:
    """Times each kind of run once; one child at a time, as two would slow each other down."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._wishes: dict[str, _Wish] = {}
        self._epochs: dict[str, float] = {}
        self._evaluations: dict[str, float] = {}
        self._failures: dict[str, str] = {}
        self._job: TimingJob | None = None
        self._is_closed = False

    def ask(self, dataset: DatasetSpec, bundles: Mapping[str, Sequence[RunConfig]]) -> None:
        """Has kinds of runs timed that were not asked for before; returns at once.

        Args:
            dataset: where the data comes from.
            bundles: for each kind the runs that are trained side by side.
        """
        with self._news:
            under_way = () if self._job is None else self._job.kinds
            for kind, bundle in bundles.items():
                if not (kind in self._epochs or kind in self._failures or kind in under_way):
                    self._wishes.setdefault(kind, _Wish(dataset, bundle))
            if self._job is None:
                self._start_next()

    def paces(self, kinds: Iterable[str]) -> dict[str, Pace]:
        """What is known of these kinds by now."""
        with self._news:
            return {
                kind: Pace(self._epochs[kind], self._evaluations[data_of(kind)])
                for kind in kinds
                if kind in self._epochs
            }

    def is_measuring(self, kinds: Iterable[str]) -> bool:
        """Whether news about any of these kinds may still come."""
        with self._news:
            under_way = () if self._job is None else self._job.kinds
            return any(kind in self._wishes or kind in under_way for kind in kinds)

    def failure(self, kinds: Iterable[str]) -> str:
        """Why one of these kinds could not be timed, for users, or ""."""
        with self._news:
            return next((self._failures[kind] for kind in kinds if kind in self._failures), "")

    def forget_failures(self, kinds: Iterable[str]) -> None:
        """Lets kinds be asked for again that could not be timed."""
        with self._news:
            for kind in kinds:
                self._failures.pop(kind, None)

    def wait(self, timeout: float | None = None) -> None:
        """Blocks until everything asked for is timed, or the timeout is over."""
        with self._news:
            self._news.wait_for(lambda: self._job is None, timeout)

    def close(self) -> None:
        """Ends the child; nobody is interested any more."""
        with self._news:
            self._is_closed = True
            self._wishes.clear()
            job = self._job
        if job is not None:
            job.stop()

    def _start_next(self) -> None:
        """Times all wishes about the dataset that was asked for last: it is the one in view."""
        if not self._wishes or self._is_closed:
            return
        newest = list(self._wishes.values())[-1].dataset
        chosen = {kind: one for kind, one in self._wishes.items() if one.dataset == newest}
        for kind in chosen:
            del self._wishes[kind]
        order = {
            "dataset": newest.to_dict(),
            "bundles": [[run.to_dict() for run in one.bundle] for one in chosen.values()],
            "evaluate": not {data_of(kind) for kind in chosen} <= self._evaluations.keys(),
        }
        self._job = TimingJob(chosen, order, self._take)
        self._job.start()

    def _take(self, job: TimingJob) -> None:
        with self._news:
            self._evaluations |= job.evaluations
            for kind in job.kinds:
                if kind in job.epochs and data_of(kind) in self._evaluations:
                    self._epochs[kind] = job.epochs[kind]
                else:
                    self._failures[kind] = job.message or "Timing was stopped."
            self._job = None
            self._start_next()
            self._news.notify_all()


# Shared by all viewers: nobody times the same kind of run on the same data twice.
@st.cache_resource(show_spinner=False, on_release=Timings.close)
def the_timings() -> Timings:
    """The timings of this server."""
    return Timings()
