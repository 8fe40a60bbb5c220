"""Where runs are computed: a private cluster on this machine, or the team's scheduler."""

import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Future, LocalCluster, Security

from frem_core.errors import ConfigError, FremError
from frem_core.store import RunResult
from frem_core.sweeps.worker import (
    BundleTask,
    Failure,
    WarmUp,
    request_stop,
    run_bundle,
    stop_orphans,
)

logger = logging.getLogger(__name__)

_CONNECT_SECONDS = 20
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
}


class Cluster:
    """A Dask client and, unless a scheduler was given, a cluster of its own.

    The local cluster listens on 127.0.0.1 with certificates made for it alone, so that other
    users of the machine can neither read along nor submit code. It has one thread per worker:
    trainings are small, and two threads each make all of them slower.

    Environment:
        FREM_SCHEDULER: address of a Dask scheduler, ``tcp://…`` or ``tls://…``.
        FREM_TLS_CA, FREM_TLS_CERT, FREM_TLS_KEY: files for ``tls://``; Dask's own configuration
            is used where they are not set.
        FREM_WORKERS: how many workers the local cluster has; default one per core.
        FREM_WORKER_MEMORY: memory of each, e.g. ``2GB``; default an equal share.
    """

    def __init__(self, scratch: Path) -> None:
        address = os.environ.get("FREM_SCHEDULER", "").strip()
        self.is_local = not address
        self._local: LocalCluster | None = None
        try:
            if address:
                self.client = Client(address, security=_security(), timeout=_CONNECT_SECONDS)
            else:
                self._local = _local_cluster(scratch)
                self.client = Client(self._local)
        except (OSError, ValueError, TimeoutError) as error:
            where = address or "the local cluster"
            raise FremError(f"The Dask scheduler {where} cannot be reached: {error}") from error
        self.client.register_plugin(WarmUp())

    @property
    def address(self) -> str:
        """Address of the scheduler."""
        return "" if self.client.scheduler is None else str(self.client.scheduler.address)

    @property
    def is_alive(self) -> bool:
        """Whether the scheduler can be reached."""
        return self.client.status == "running"

    def slots(self) -> int:
        """Returns how many bundles can be computed at once."""
        return sum(self.client.nthreads().values())

    def watch(self, topic: str, handler: Callable[[dict[str, Any]], None]) -> None:
        """Calls ``handler`` (in another thread) with every report of a bundle."""
        self.client.subscribe_topic(topic, lambda event: handler(event[1]))

    def start(self, task: BundleTask) -> "Future[list[RunResult] | Failure]":
        """Hands a bundle to a worker."""
        return self.client.submit(run_bundle, task, key=task.key, pure=False, retries=0)

    def stop(self, keys: Iterable[str]) -> None:
        """Asks bundles to stop, wherever they run; does not wait for it."""
        self.client.run(request_stop, list(keys), wait=False, on_error="ignore")

    def stop_orphans(self, engine: str) -> None:
        """Asks what engines before this one left behind to stop."""
        self.client.run(stop_orphans, engine, wait=False, on_error="ignore")

    def close(self) -> None:
        """Disconnects; a local cluster ends."""
        self.client.close()
        if self._local is not None:
            self._local.close()


def _local_cluster(scratch: Path) -> LocalCluster:
    dask.config.set(_QUIET)
    return LocalCluster(
        n_workers=_number("FREM_WORKERS") or os.cpu_count() or 1,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        protocol="tls",
        security=Security.temporary(),
        dashboard_address="127.0.0.1:0",
        memory_limit=os.environ.get("FREM_WORKER_MEMORY", "").strip() or "auto",
        local_directory=str(scratch),
        silence_logs=logging.ERROR,
    )


def _security() -> Security | None:
    ca, certificate, key = (
        os.environ.get(f"FREM_TLS_{part}", "").strip() for part in ("CA", "CERT", "KEY")
    )
    if not (ca or certificate or key):
        return None  # Dask's own configuration, if any
    return Security(
        tls_ca_file=ca or None,
        tls_client_cert=certificate or None,
        tls_client_key=key or None,
        require_encryption=True,
    )


def _number(variable: str) -> int | None:
    given = os.environ.get(variable, "").strip()
    if not given:
        return None
    if not given.isdigit() or int(given) < 1:
        raise ConfigError(f"{variable} must be a whole number of at least 1, not '{given}'.")
    return int(given)
