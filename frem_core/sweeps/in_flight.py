"""Bundles that are being computed, and what their workers have said about them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from distributed import Future, KilledWorker

from frem_core.store import ClaimedRun, Progress, RunResult
from frem_core.sweeps.worker import BundleTask, Failure


@dataclass
class InFlight:
    """One bundle on a worker.

    Attributes:
        task: what was sent.
        runs: its runs, in the order of the task.
        future: the result to come.
        dropped: runs whose result nobody waits for any more (cancelled, failed or lost).
        worker: the worker that last started it.
    """

    task: BundleTask
    runs: Sequence[ClaimedRun]
    future: "Future[list[RunResult] | Failure]"
    dropped: set[str] = field(default_factory=set)
    worker: str | None = None

    @property
    def wanted(self) -> list[str]:
        """The runs whose result somebody waits for."""
        return [run.id for run in self.runs if run.id not in self.dropped]

    @property
    def error(self) -> BaseException | None:
        """Why it came to an end without an answer, as far as the scheduler says."""
        return self.future.exception() if self.future.status == "error" else None

    @property
    def killed_with(self) -> str | None:
        """The worker whose death ended it."""
        error = self.error
        return str(error.last_worker.address) if isinstance(error, KilledWorker) else None

    def was_restarted(self, report: Mapping[str, Any]) -> bool:
        """Notes who works on it; True when another worker had started it before."""
        if "started_on" not in report:
            return False
        before, self.worker = self.worker, report["started_on"]
        return before is not None


class News:
    """Progress since the last report to the store, by run."""

    def __init__(self) -> None:
        self._waiting: dict[str, Progress] = {}
        self._epochs: dict[str, int] = {}

    def add(self, bundle: InFlight, report: Mapping[str, Any]) -> None:
        """Takes one report of a worker."""
        for position, place in enumerate(report["runs"]):
            run = bundle.runs[place].id
            epoch = report.get("epoch", self._epochs.get(run, 0))
            records = report["records"][position] if "records" in report else ()
            newer = Progress(
                epoch,
                report["stage"],
                records,
                report.get("first", 0),
                report.get("timings", {}),
            )
            older = self._waiting.get(run)
            self._epochs[run] = epoch
            self._waiting[run] = newer if older is None else _joined(older, newer)

    def take(self, runs: Iterable[str]) -> dict[str, Progress]:
        """Returns what is new about these runs and forgets the rest."""
        news = {run: self._waiting[run] for run in runs if run in self._waiting}
        self._waiting.clear()
        return news

    def forget(self, runs: Iterable[str]) -> None:
        """Drops what is known about runs that have ended."""
        for run in runs:
            self._waiting.pop(run, None)
            self._epochs.pop(run, None)


def _joined(older: Progress, newer: Progress) -> Progress:
    """Two reports as one: records are put together where the newer ones follow the older."""
    if not newer.records:
        return replace(newer, records=older.records, first=older.first)
    if older.records and older.first + len(older.records) == newer.first:
        return replace(newer, records=[*older.records, *newer.records], first=older.first)
    return newer
