"""The private cluster of this machine: its size, its memory, and how far it gives way to pages.

Environment:
    FREM_WORKERS: how many workers it has; default one per core.
    FREM_WORKER_MEMORY: memory of each, e.g. ``2GB``; default an equal share.
    FREM_NICENESS: how far trainings give way to pages and other programs; 0 is not at all, 19 as
        far as possible; default 10. What pages do beside themselves heeds it too (studio.child).
"""

import logging
import os
from collections.abc import Mapping
from pathlib import Path

import dask
from distributed import LocalCluster, Security, scheduler, worker
from distributed.system import MEMORY_LIMIT

from frem_core.errors import ConfigError
from frem_core.settings import size, whole_number

_QUIET = {
    # Each death of a worker is counted in the store, where it survives the engine.
    "distributed.scheduler.allowed-failures": 0,
    # A run that outgrows its memory is ended (and fails alone), not slowed down on disk.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    # No web pages: they would be open to every user of the machine.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # Statistics that nobody looks at would grow by ten megabytes a minute in every worker.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.log-length": 60,
    # Logs of messages and transitions keep whole tasks: the engine grew for its first 2,000 runs.
    "distributed.admin.low-level-log-length": 20,
    "distributed.diagnostics.computations.max-history": 1,
}
# A record of each time the cluster was busy, kept for ever.
_ENDLESS = "spans"
_NICENESS = 10
_SMALLEST_MEMORY = 700_000_000  # what a worker needs for itself before the first row is read


def local_cluster(scratch: Path) -> LocalCluster:
    """Starts it, with certificates of its own and files in ``scratch``."""
    dask.config.set(_QUIET)
    return LocalCluster(
        n_workers=_workers(),
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        protocol="tls",
        security=Security.temporary(),
        dashboard_address="127.0.0.1:0",
        memory_limit=_memory(),
        local_directory=str(scratch),
        silence_logs=logging.ERROR,
        scheduler_kwargs={"extensions": _without_records(scheduler.DEFAULT_EXTENSIONS)},
        extensions=_without_records(worker.DEFAULT_EXTENSIONS),
    )


def _without_records(extensions: Mapping[str, type]) -> dict[str, type]:
    return {name: one for name, one in extensions.items() if name != _ENDLESS}


def _memory() -> int | str:
    """The memory of each local worker, as Dask wants it."""
    given = size("FREM_WORKER_MEMORY")
    if given is not None and given < _SMALLEST_MEMORY:
        raise ConfigError(
            f"FREM_WORKER_MEMORY is {given / 1e6:.0f}MB, and a worker needs at least "
            f"{_SMALLEST_MEMORY / 1e6:.0f}MB for itself; give it more, or leave the variable out."
        )
    return "auto" if given is None else given


def _workers() -> int:
    """How many workers the local cluster has: never more than the memory can hold."""
    given = whole_number("FREM_WORKERS", least=1)
    most = max(1, MEMORY_LIMIT // _SMALLEST_MEMORY)
    if given is not None and given > most:
        raise ConfigError(
            f"FREM_WORKERS is {given:,}, and the memory of this machine holds {most:,} workers of "
            f"{_SMALLEST_MEMORY / 1e6:.0f}MB; give fewer, or leave the variable out."
        )
    return given or min(os.cpu_count() or 1, most)


def local_niceness() -> int:
    """How nice its workers are to other programs."""
    given = whole_number("FREM_NICENESS")
    return _NICENESS if given is None else min(given, 19)
