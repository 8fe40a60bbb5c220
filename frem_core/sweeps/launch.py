"""Starts the engine where it is needed and tells how it is doing."""

import os
import re
import secrets
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from frem_core.store import ReadOnlyStore, Store
from frem_core.sweeps.engine_lease import ENGINE, LAUNCH, LAUNCH_SECONDS, is_dead
from frem_core.sweeps.search import open_searches

_LARGEST_LOG = 5_000_000
_TAIL_BYTES = 20_000
_SPEAKS = "frem_core.sweeps.engine"
_CANNOT_START = re.compile(r"The engine cannot start: (.*?)(?:\"\}|\", \"|$)")  # also in JSON
# The engine is started by a process that ends at once: so it belongs to nobody, outlives whoever
# asked for it and leaves no zombie behind.
_STARTER = """
import os, subprocess, sys
os.umask(0o077)
with open(sys.argv[1], "ab") as log:
    subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                     start_new_session=True)
"""


@dataclass(frozen=True)
class EngineState:
    """How the engine of a store is doing.

    Attributes:
        is_running: whether there is one.
        host: the machine it runs on.
        pid: its process there.
        scheduler: address of the Dask scheduler it uses.
        workers: how many bundles it can have computed at once.
        message: what it waits for or complains about, or "".
        is_held_up: whether runs wait until somebody removes what the message names.
        silent_seconds: for how long it has done nothing at all.
    """

    is_running: bool
    host: str = ""
    pid: int = 0
    scheduler: str = ""
    workers: int = 0
    message: str = ""
    is_held_up: bool = False
    silent_seconds: float = 0.0


def engine_state(store: Store) -> EngineState:
    """Tells whether an engine serves the store, and where."""
    holder = store.leases.holder(ENGINE)
    if holder is None or is_dead(holder):
        return EngineState(is_running=False)
    info = holder.info
    return EngineState(
        is_running=True,
        host=str(info["host"]),
        pid=int(info["pid"]),
        scheduler=str(info["scheduler"]),
        workers=int(info["workers"]),
        message=str(info["message"]),
        is_held_up=bool(info.get("held_up", False)),
        silent_seconds=float(info.get("silent", 0.0)),
    )


def ensure_engine(store: Store) -> None:
    """Starts an engine when runs are waiting and none serves the store; returns at once.

    To be called after a sweep was queued, and now and then by everybody who waits for one.
    """
    if isinstance(store, ReadOnlyStore) or not is_work_left(store):
        return
    holder = store.leases.holder(ENGINE)
    if holder is not None:
        if not is_dead(holder):
            return
        store.leases.release(ENGINE, holder.owner)
    token = secrets.token_hex(8)
    # Many may notice at once that an engine is missing; one of them starts it.
    if store.leases.acquire(LAUNCH, token, LAUNCH_SECONDS):
        _start(store, token)


def is_work_left(store: Store) -> bool:
    """Whether runs are queued or running, or a search has settings left to choose."""
    return store.queue.unfinished() > 0 or bool(open_searches(store))


def log_file(store: Store) -> Path:
    """Where the engine of this machine writes what it does."""
    return store.folder / "engine.log"


def why_no_engine(store: Store) -> str:
    """Why the last engine of this machine could not start; "" when it could, or none was there."""
    try:
        with log_file(store).open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    own = [line for line in lines if _SPEAKS in line]
    found = _CANNOT_START.search(own[-1]) if own else None
    return "" if found is None else found[1]


def _start(store: Store, token: str) -> None:
    log = log_file(store)
    if log.exists() and log.stat().st_size > _LARGEST_LOG:
        log.replace(log.with_suffix(".old.log"))
    engine = [sys.executable, "-m", "frem_core.sweeps", "--launch", token]
    environment = os.environ | {"FREM_HOME": str(store.folder), "FREM_STORE": store.url}
    # A folder that never goes away; the caller's may.
    subprocess.run(
        [sys.executable, "-c", _STARTER, str(log), *engine],
        env=environment,
        check=True,
        cwd=store.folder,
    )
