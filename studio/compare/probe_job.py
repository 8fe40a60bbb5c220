"""Leakage probes that run beside the pages; their results are kept for all viewers."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studio.child_job import ChildJob

_AT_ONCE: Final = threading.Semaphore(1)  # each takes a core for some seconds
_LOCK: Final = threading.Lock()
_OUTCOMES: Final[dict[str, "Outcome"]] = {}
_WAITING: Final[set[str]] = set()
_MOST_KEPT: Final = 1000


@dataclass(frozen=True)
class Outcome:
    """What came of the probe of one run.

    Attributes:
        probe: the fields of :class:`frem_core.evaluation.LeakageProbe`; empty when it failed.
        error: why there is none, for users.
    """

    probe: dict[str, Any] = field(default_factory=dict)
    error: str = ""


def outcome_of(run: str) -> Outcome | None:
    """The outcome of a run's probe, or None while there is none."""
    return _OUTCOMES.get(run)


def is_waiting(run: str) -> bool:
    """Whether a run's probe is under way."""
    return run in _WAITING


def start_probes(runs: Sequence[tuple[str, str]]) -> None:
    """Starts the probes of runs, given as (sweep, run), unless they are there or under way."""
    with _LOCK:
        new = [(sweep, run) for sweep, run in runs if run not in _OUTCOMES and run not in _WAITING]
        _WAITING.update(run for _, run in new)
    for sweep in dict.fromkeys(sweep for sweep, _ in new):
        ProbeJob(sweep, [run for home, run in new if home == sweep]).start()


def try_again(runs: Sequence[tuple[str, str]]) -> None:
    """Starts the failed probes of runs, given as (sweep, run), once more."""
    with _LOCK:
        for _, run in runs:
            if run in _OUTCOMES and _OUTCOMES[run].error:
                del _OUTCOMES[run]
    start_probes(runs)


def _keep(run: str, outcome: Outcome) -> None:
    with _LOCK:
        while len(_OUTCOMES) >= _MOST_KEPT:
            del _OUTCOMES[next(iter(_OUTCOMES))]
        _OUTCOMES[run] = outcome
        _WAITING.discard(run)


class ProbeJob(ChildJob):
    """Probes runs of one sweep, one after the other."""

    command = ("-m", "studio.compare.probe_child")
    what = "The probe"

    def __init__(self, sweep: str, runs: Sequence[str]) -> None:
        super().__init__(sweep, *runs, slots=_AT_ONCE)
        self._runs = runs

    def take(self, news: dict[str, Any]) -> None:
        """Takes what came of one run."""
        _keep(news["run"], Outcome(news.get("probe", {}), news.get("error", "")))

    def ended(self) -> None:
        """Says of the runs it did not come to why there is nothing."""
        for run in self._runs:
            if run in _WAITING:
                _keep(run, Outcome(error=self.message or "The probe did not come to this run."))
