"""Carries bundles between store and workers: claims, watches, cancels, saves, retries."""

import logging
import secrets
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from distributed import KilledWorker

from frem_core.errors import DataError
from frem_core.store import ClaimedRun, LeaseLostError, RunResult, Store, identity_of
from frem_core.sweeps.cluster import Cluster
from frem_core.sweeps.in_flight import InFlight, News
from frem_core.sweeps.search.searches import Searches
from frem_core.sweeps.worker import BundleTask, Failure

logger = logging.getLogger(__name__)

_DIED = (
    "It is set aside: its worker process was killed three times before it got any further, most "
    "likely because it needs more memory than there is. Use a smaller batch size or fewer rows, "
    "then resume."
)
# So long nothing new is begun after a worker reported a full disk.
_REST_SECONDS = 10.0


class Dispatcher:
    """The bundles of one engine.

    Nothing here is precious: what is in memory only can be computed again from the store. The
    one exception, results that the store could not take (a full disk), is kept until it can.

    Args:
        store: where runs come from and results go to.
        cluster: where they are computed.
        owner: the engine's name in the store.
    """

    def __init__(self, store: Store, cluster: Cluster, owner: str) -> None:
        self._store = store
        self._cluster = cluster
        self._owner = owner
        self._bundles: dict[str, InFlight] = {}
        self._unsaved: list[tuple[InFlight, list[RunResult]]] = []
        self._unsent: list[str] = []
        self._rests_until = 0.0
        self._complaint = ""
        self._reports: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._news = News()
        self._searches = Searches(store, cluster, owner)
        cluster.watch(owner, self._reports.put)

    @property
    def is_busy(self) -> bool:
        """Whether anything is being computed or waits to be saved."""
        waiting = self._unsaved or self._unsent
        return bool(self._bundles or waiting or self._searches.is_busy)

    @property
    def complaint(self) -> str:
        """What keeps runs waiting, or ""."""
        return self._complaint

    def hand_out(self, slots: int) -> None:
        """Claims as many bundles as there are free workers and sends them off."""
        self._return_unsent()  # first: also when nothing can be sent, they may be cancelled
        free = slots - len(self._bundles)
        if free <= 0 or self._unsaved:  # while results cannot be saved, no more are made
            return
        if time.monotonic() < self._rests_until:
            return
        claimed = self._store.queue.claim(self._owner, bundles=free)
        if not (claimed or self._bundles):
            self._complaint = ""
        # Until it is on its way a claimed run belongs back into the queue, whatever happens.
        self._unsent = [run.id for runs in claimed for run in runs]
        for runs in claimed:
            self._send(runs)
            sent = {run.id for run in runs}
            self._unsent = [run for run in self._unsent if run not in sent]

    def continue_searches(self, slots: int) -> None:
        """Has the next settings of searches chosen, before workers run out of work."""
        self._searches.look(slots)

    def exchange_news(self) -> None:
        """Saves progress and obeys requests to cancel."""
        while True:
            try:
                self._take_report(self._reports.get_nowait())
            except Empty:
                break
        wanted = {run: bundle for bundle in self._bundles.values() for run in bundle.wanted}
        orders = self._store.queue.report(self._owner, self._news.take(wanted))
        for run in orders.cancel & wanted.keys():
            self._store.queue.cancelled(self._owner, run)
        for run in (orders.cancel | orders.lost) & wanted.keys():
            wanted[run].dropped.add(run)
        # Told again and again until it has stopped: it may have moved to another worker.
        unwanted = [key for key, bundle in self._bundles.items() if not bundle.wanted]
        if unwanted:
            self._cluster.stop(unwanted)

    def collect(self) -> bool:
        """Settles the bundles that have come to an end; True when a worker died with some."""
        ended = {key: bundle for key, bundle in self._bundles.items() if bundle.future.done()}
        deaths = [bundle for bundle in ended.values() if bundle.killed_with is not None]
        if deaths:  # who had begun, and how far it had come, decides on whom a death is blamed
            self.exchange_news()
        # Only what a worker has begun can have taken it down, not what waited there behind it.
        begun_on = {bundle.worker for bundle in self._bundles.values()} - {None}
        for key, bundle in ended.items():
            if bundle.worker is None and bundle.killed_with in begun_on:
                self._store.queue.put_back(self._owner, bundle.wanted)
            else:
                self._settle(bundle)
            del self._bundles[key]
        self._save()
        return bool(deaths)

    def put_back(self) -> None:
        """Stops everything and returns the runs to the queue."""
        with suppress(OSError):  # a scheduler that is gone has stopped everything
            self._cluster.stop(list(self._bundles))
        self._bundles.clear()
        self._unsent.clear()
        self._store.queue.release(self._owner)

    def _return_unsent(self) -> None:
        """Gives back what could not be sent, because the store failed between claim and send."""
        if self._unsent:
            self._store.queue.put_back(self._owner, self._unsent)
            self._unsent = []

    def _send(self, runs: Sequence[ClaimedRun], tables: Mapping[str, bytes] | None = None) -> None:
        names = [run.id for run in runs]
        task = BundleTask(
            key=f"frem-{names[0][:12]}-{secrets.token_hex(4)}",
            engine=self._owner,
            runs=tuple(run.config for run in runs),
            source=self._store.datasets.get(runs[0].dataset).source,
            folder=str(self._store.folder),
            checkpoints=identity_of({"runs": names})[:32],
            tables=tables or {},
        )
        self._bundles[task.key] = InFlight(task, runs, self._cluster.start(task))

    def _take_report(self, report: dict[str, Any]) -> None:
        bundle = self._bundles.get(report["key"])
        if bundle is None:
            return
        if bundle.was_restarted(report):
            # A scheduler of the team starts a dead worker's bundle again without asking.
            failed = self._store.queue.worker_died(self._owner, bundle.wanted, _DIED, requeue=False)
            bundle.dropped |= failed
        self._news.add(bundle, report)

    def _settle(self, bundle: InFlight) -> None:
        names = bundle.wanted
        self._news.forget(run.id for run in bundle.runs)
        if bundle.future.status == "finished":
            outcome = bundle.future.result()
            if isinstance(outcome, Failure):
                self._settle_failure(bundle, outcome)
            else:
                self._complaint = ""
                self._unsaved.append((bundle, outcome))
            return
        error = bundle.error
        if isinstance(error, KilledWorker):
            logger.warning("A worker died with %d runs", len(names))
            self._store.queue.worker_died(self._owner, names, _DIED)
        elif error is not None:
            self._fail(names, f"Unexpected {type(error).__name__}: {error}")
        elif bundle.worker is not None and self._cluster.has_lost(bundle.task.key):
            self._store.queue.worker_died(self._owner, names, _DIED)
        else:  # the scheduler has forgotten it, for example because it was restarted
            self._store.queue.put_back(self._owner, names)

    def _settle_failure(self, bundle: InFlight, failure: Failure) -> None:
        names = bundle.wanted
        if failure.kind == "cancelled":
            self._store.queue.put_back(self._owner, names)
        elif failure.kind == "table" and not bundle.task.tables:
            self._send_with_tables([run for run in bundle.runs if run.id in names], bundle.task)
        elif failure.kind == "disk":
            logger.warning("%s", failure.reason)
            self._store.queue.put_back(self._owner, names)
            self._complaint, self._rests_until = failure.reason, time.monotonic() + _REST_SECONDS
        elif failure.kind == "memory" and len(bundle.runs) > 1:
            self._store.queue.separate(self._owner, names)
        else:
            self._fail(names, failure.reason)
            self._drop_checkpoints(bundle)

    def _send_with_tables(self, runs: Sequence[ClaimedRun], task: BundleTask) -> None:
        """Sends runs once more, with the tables that their worker does not see."""
        try:
            tables = {one: self._store.tables.read_bytes(one) for one in task.table_ids}
        except (DataError, OSError) as error:
            reason = f"{error} Upload the table again, then resume the sweep."
            self._fail([run.id for run in runs], reason)
        else:
            self._send(runs, tables)

    def _fail(self, names: Sequence[str], reason: str) -> None:
        for run in names:
            logger.warning("Run %s failed: %s", run[:12], reason)
            self._store.queue.fail(self._owner, run, reason)

    def _save(self) -> None:
        while self._unsaved:
            bundle, results = self._unsaved[0]
            for run, result in zip(bundle.runs, results, strict=True):
                if run.id in bundle.dropped:
                    continue
                try:
                    self._store.results.finish(self._owner, run.id, result)
                except LeaseLostError:
                    logger.warning("Run %s belongs to another engine by now", run.id[:12])
                bundle.dropped.add(run.id)  # saved: a second attempt must not save it again
            self._drop_checkpoints(bundle)
            del self._unsaved[0]

    def _drop_checkpoints(self, bundle: InFlight) -> None:
        folder = self._store.folder / "checkpoints" / bundle.task.checkpoints
        shutil.rmtree(folder, ignore_errors=True)
