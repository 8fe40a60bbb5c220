"""The engine: one process per store that has queued runs computed until none is left.

It holds nothing that the store does not hold as well: kill it at any moment, and the next one
goes on from the last checkpoints.
"""

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from frem_core.errors import FremError
from frem_core.store import Store, StoreError
from frem_core.store.files import make_private_folder
from frem_core.sweeps.cluster import Cluster, LocalClusterError
from frem_core.sweeps.dispatcher import Dispatcher
from frem_core.sweeps.engine_lease import LAUNCH, EngineLease
from frem_core.sweeps.launch import is_work_left
from frem_core.sweeps.worker import marker

logger = logging.getLogger(__name__)

_TICK_SECONDS = 0.05
_GARBAGE_SECONDS = 3600.0
_EXPLAIN_SECONDS = 30.0
_REST_SECONDS = 10.0  # longer than pages wait before they look for an engine again
_STARTS = 3


@dataclass
class _Rhythm:
    """Tells when something that is done every few seconds is due again."""

    seconds: float
    _next: float = field(default=0.0)

    def is_due(self) -> bool:
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + self.seconds
        return True

    def hurry(self) -> None:
        self._next = 0.0


class Engine:
    """Works until there has been nothing to do for a while, or until it is told to stop.

    While it has no cluster, for example because the scheduler is being restarted, it says so and
    tries again.

    Args:
        store: where runs come from and results go to.
        open_cluster: connects to where runs are computed; called once the lease is held.
        idle_seconds: tells after how long without unfinished runs to end; asked like the cluster,
            so that whoever waits is told of a setting that makes no sense.
    """

    def __init__(
        self, store: Store, open_cluster: Callable[[], Cluster], idle_seconds: Callable[[], float]
    ) -> None:
        self.owner = f"engine-{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._store = store
        self._open_cluster = open_cluster
        self._read_idle_seconds = idle_seconds
        self._idle_seconds = 0.0
        self._stopping = False

    def run(self, on_lease: Callable[[], None] = lambda: None) -> bool:
        """Works until idle; False when another engine holds the lease.

        Args:
            on_lease: called once it is certain that this engine is the one.
        """
        while not self._stopping:
            lease = EngineLease(self._store, self.owner)
            if not lease.acquire():
                return False
            on_lease()
            try:
                is_idle = self._work(lease)
            finally:
                lease.release()
            # Whoever queues runs looks for an engine afterwards, and we look at the queue after
            # giving up the lease: so never do both rely on the other.
            if lease.is_lost or not is_work_left(self._store):
                break
            if not is_idle:
                self._let_others_try()
        return True

    def stop(self) -> None:
        """Makes the engine end in good order at the next opportunity."""
        self._stopping = True

    def _let_others_try(self) -> None:
        """Waits before it looks for a cluster once more: an engine with other settings may come."""
        end = time.monotonic() + _REST_SECONDS
        while not self._stopping and (
            time.monotonic() < end or self._store.leases.holder(LAUNCH) is not None
        ):
            time.sleep(_TICK_SECONDS * 10)

    def _work(self, lease: EngineLease) -> bool:
        """Returns True when it ends because there is nothing to do."""
        self._store.queue.take_over(self.owner)
        self._store.artefacts.sweep_garbage(young_seconds=_GARBAGE_SECONDS)
        cluster = self._cluster_or_reason(lease)
        if cluster is None:
            return False
        lease.say(scheduler=cluster.address, message="", held_up=False)
        # Also takes a first block of the disk, in which a later complaint about a full one fits.
        logger.info("The engine serves %s through %s", self._store.where, cluster.address)
        try:
            with self._marked_folder():
                cluster.stop_orphans(self.owner)
                dispatcher = Dispatcher(self._store, cluster, self.owner)
                is_idle = self._loop(cluster, dispatcher, lease)
                if not (is_idle or lease.is_lost):
                    dispatcher.put_back()
                return is_idle
        except OSError as error:
            logger.warning("The engine lost its cluster: %s", error)
            return False
        finally:
            cluster.close()

    def _cluster_or_reason(self, lease: EngineLease) -> Cluster | None:
        """Opens the cluster; where that fails, says why for a while.

        Whoever waits sees the reason. Then another engine may try, which may have other settings,
        or this one does so again: a scheduler may be back by then.
        """
        reason = self._try_to_open(lease)
        if not isinstance(reason, FremError):
            return reason
        logger.error("The engine cannot start: %s", reason)
        end = time.monotonic() + _EXPLAIN_SECONDS
        while not (self._stopping or lease.is_lost) and time.monotonic() < end:
            with suppress(StoreError):
                lease.say(message=f"cannot start. {str(reason).removesuffix('.')}")
            time.sleep(_TICK_SECONDS * 10)
        return None

    def _try_to_open(self, lease: EngineLease) -> Cluster | FremError:
        """The cluster, or why there is none; a worker that dies at its start is no reason yet."""
        for attempt in range(1, _STARTS + 1):
            try:
                self._idle_seconds = self._read_idle_seconds()
                return self._open_cluster()
            except LocalClusterError as error:
                if attempt == _STARTS or self._stopping or lease.is_lost:
                    return error
                logger.warning("%s Once more.", error)
                lease.say(message="starting")
            except FremError as error:
                return error
        raise AssertionError("the last attempt returns")

    def _loop(self, cluster: Cluster, dispatcher: Dispatcher, lease: EngineLease) -> bool:
        news, look, claim = _Rhythm(0.4), _Rhythm(1.0), _Rhythm(0.2)
        busy_at, slots = time.monotonic(), 0
        while not self._stopping:
            if lease.is_lost or not cluster.is_alive:
                reason = "Another engine took over" if lease.is_lost else "The scheduler is gone"
                logger.warning("%s", reason)
                return False
            try:
                if dispatcher.collect():  # fewer workers: else one would get two bundles
                    look.hurry()
                if news.is_due():
                    dispatcher.exchange_news()
                if look.is_due():
                    slots = cluster.slots()
                    waiting = "" if slots else "waiting for workers"
                    message = dispatcher.complaint or cluster.complaint or waiting
                    lease.say(workers=slots, message=message, held_up=bool(dispatcher.complaint))
                    if slots:
                        dispatcher.continue_searches(slots)
                    if dispatcher.is_busy or is_work_left(self._store):
                        busy_at = time.monotonic()
                    elif time.monotonic() - busy_at > self._idle_seconds:
                        return True
                if claim.is_due():
                    dispatcher.hand_out(slots)
            except (StoreError, OSError) as error:
                # A full disk, a database that restarts, a scheduler that does not answer: keep
                # everything and try again.
                logger.warning("%s", error)
                lease.say(message=str(error), held_up=True)
                time.sleep(1.0)
            time.sleep(_TICK_SECONDS)
        return False

    @contextmanager
    def _marked_folder(self) -> Iterator[None]:
        """Lets workers recognise the store's folder, in case they see it too."""
        file = marker(self._store.folder, self.owner)
        make_private_folder(file.parent)
        file.touch(mode=0o600)
        try:
            yield
        finally:
            file.unlink(missing_ok=True)
