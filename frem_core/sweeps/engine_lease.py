"""The leases by which a store has one engine at a time."""

import logging
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any

import psutil

from frem_core.store import Lease, Store, StoreError

logger = logging.getLogger(__name__)

#: Held by the engine while it lives.
ENGINE = "engine"
#: Held between the start of an engine and the moment it holds its own lease.
LAUNCH = "engine-launch"

# Long enough for a crowded machine: an engine that could not renew its lease for half a minute
# lives on and has work under way. One that died here is known to be dead at once (`is_dead`).
ENGINE_SECONDS = 60.0
LAUNCH_SECONDS = 60.0
_RENEW_SECONDS = 2.0
# An engine that does nothing for so long hangs; then another one may take its place.
_SILENCE_SECONDS = 300.0


class Silence:
    """How long an engine has done nothing although it could.

    While its whole process is stopped (suspended, or a machine without a free moment), the thread
    that listens is late too; by as much as it is late, less counts.

    Args:
        now: the time, in seconds.
        look_seconds: how often the listener looks.
    """

    def __init__(self, now: float, look_seconds: float) -> None:
        self._heard = self._looked = now
        self._look_seconds = look_seconds

    def end(self, now: float) -> None:
        """The engine has done something."""
        self._heard = now

    def seconds(self, now: float) -> float:
        """The length of the silence; to be asked for regularly."""
        stood_still = max(0.0, now - self._looked - self._look_seconds)
        self._looked = now
        self._heard = min(now, self._heard + stood_still)
        return now - self._heard


class EngineLease:
    """Holds the engine's lease and renews it from a thread of its own.

    From a thread, because starting a cluster on a busy machine takes longer than the lease lasts.

    Args:
        store: the store to serve.
        owner: a name no other process uses.
    """

    def __init__(self, store: Store, owner: str) -> None:
        self._store = store
        self._owner = owner
        self._info: dict[str, Any] = _this_process()
        self._silence = Silence(time.monotonic(), _RENEW_SECONDS)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._renew_until_ended, daemon=True)
        self.is_lost = False

    def acquire(self) -> bool:
        """Takes the lease and keeps it; False when another engine holds it."""
        if not self._store.leases.acquire(ENGINE, self._owner, ENGINE_SECONDS, self._info):
            return False
        self._thread.start()
        return True

    def say(self, **info: Any) -> None:
        """Shows that the engine is alive, and what readers of the lease should know."""
        self._silence.end(time.monotonic())
        self._info |= info

    def release(self) -> None:
        """Gives the lease back."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        self._store.leases.release(ENGINE, self._owner)

    def _renew_until_ended(self) -> None:
        while not self._ended.wait(_RENEW_SECONDS):
            silent = self._silence.seconds(time.monotonic())
            if silent > _SILENCE_SECONDS:
                logger.error("The engine hangs; its lease is not renewed")
                self.is_lost = True
                return
            try:
                info = {**self._info, "silent": round(silent)}
                if not self._store.leases.acquire(ENGINE, self._owner, ENGINE_SECONDS, info):
                    self.is_lost = True
                    return
            except StoreError as error:
                # A full disk or a database that restarts: nobody else can take the lease either.
                logger.warning("The lease could not be renewed: %s", error)


def is_dead(holder: Lease) -> bool:
    """True when the holder is certain not to live any more: a process of this very machine."""
    if holder.info.get("host") != socket.gethostname():
        return False
    try:
        process = psutil.Process(int(holder.info["pid"]))
        # A small difference is rounding; another process under the same number is younger.
        same = abs(process.create_time() - float(holder.info["started"])) < 1.0
        return not same or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _this_process() -> dict[str, Any]:
    process = psutil.Process()
    who: Mapping[str, Any] = {
        "host": socket.gethostname(),
        "pid": process.pid,
        "started": process.create_time(),
    }
    return {**who, "scheduler": "", "workers": 0, "message": "starting"}
