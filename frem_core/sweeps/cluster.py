"""Where runs are computed: a private cluster on this machine, or the team's scheduler."""

import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from distributed import Client, Future, LocalCluster, Security

from frem_core import __version__
from frem_core.errors import ConfigError, FremError
from frem_core.settings import address_of, file_of
from frem_core.store import RunResult
from frem_core.store.identity import RESULT_VERSION
from frem_core.store.rows import NewRun
from frem_core.sweeps.local_cluster import local_cluster, local_niceness
from frem_core.sweeps.worker import (
    BundleTask,
    Failure,
    GiveWay,
    WarmUp,
    choose_runs,
    request_stop,
    run_bundle,
    stop_orphans,
    warm_up,
)

logger = logging.getLogger(__name__)

_CONNECT_SECONDS = 20
# A question in words: a function of this package would not arrive where the package is missing,
# and a compiled one not where Python is another.
_VERSIONS = (
    "(__import__('frem_core').__version__, getattr("
    "__import__('frem_core.store.identity', fromlist=['']), 'RESULT_VERSION', None))"
)
_UNANSWERED = "did not tell its version"


class LocalClusterError(FremError):
    """The cluster of this machine did not start, for example because a worker was killed."""


class Cluster:
    """A Dask client and, unless a scheduler was given, a cluster of its own.

    The local cluster listens on 127.0.0.1 with certificates made for it alone, so that other
    users of the machine can neither read along nor submit code. It has one thread per worker:
    trainings are small, and two threads each make all of them slower.

    Environment:
        FREM_SCHEDULER: address of a Dask scheduler, ``tcp://…`` or ``tls://…``.
        FREM_TLS_CA, FREM_TLS_CERT, FREM_TLS_KEY: files for ``tls://``; Dask's own configuration
            is used where they are not set.
        FREM_WORKERS, FREM_WORKER_MEMORY, FREM_NICENESS: see `frem_core.sweeps.local_cluster`.
    """

    def __init__(self, scratch: Path) -> None:
        address = address_of("FREM_SCHEDULER")
        self.is_local = not address
        self._local: LocalCluster | None = None
        try:
            if address:
                self.client = Client(
                    address, security=security_for(address), timeout=_CONNECT_SECONDS
                )
            else:
                self._local = local_cluster(scratch)
                self.client = Client(self._local)
        except FremError:  # a setting that makes no sense
            raise
        except (OSError, ValueError, TimeoutError, RuntimeError) as error:
            if not address:
                raise LocalClusterError(f"The local cluster did not start: {error}") from error
            raise FremError(f"The Dask scheduler {address} cannot be reached: {error}") from error
        if warning := warning_about(address):
            logger.warning("%s", warning)
        self._seen: dict[str, str] = {}
        self._sent: dict[str, tuple[Future[Any], set[str]]] = {}
        self._lost: set[str] = set()
        if self.is_local:
            for plugin in (GiveWay(local_niceness()), WarmUp()):
                self.client.register_plugin(plugin)

    @property
    def address(self) -> str:
        """Address of the scheduler."""
        return "" if self.client.scheduler is None else str(self.client.scheduler.address)

    @property
    def is_alive(self) -> bool:
        """Whether the scheduler can be reached."""
        return self.client.status == "running"

    @property
    def complaint(self) -> str:
        """What is wrong with workers that get no work, or ""."""
        return " ".join(sorted(set(self._seen.values()) - {""}))

    def slots(self) -> int:
        """Returns how many bundles can be computed at once, by workers that fit this program."""
        threads = self.client.nthreads()
        if not self.is_local:
            self._look_at(threads)
            self._give_up(threads)
        return sum(count for address, count in threads.items() if not self._seen.get(address))

    def _look_at(self, workers: Iterable[str]) -> None:
        """Asks workers that joined for their version: another one would give other numbers."""
        workers = list(workers)
        new = [one for one in workers if _UNANSWERED in self._seen.get(one, _UNANSWERED)]
        self._seen = {one: words for one, words in self._seen.items() if one in workers}
        if not new:
            return
        hosts = self.client.run(socket.gethostname, workers=new, on_error="return")
        versions = self.client.run(eval, _VERSIONS, workers=new, on_error="return")
        for address in hosts.keys() & versions.keys():
            complaint = complaint_about(address, hosts[address], versions[address])
            if complaint and complaint != self._seen.get(address):
                logger.warning("%s", complaint)
            self._seen[address] = complaint
        # Not by a plugin: Dask would send it to all that join, and end those that cannot read it.
        fitting = [one for one in new if self._seen.get(one) == ""]
        if fitting:
            self.client.run(warm_up, workers=fitting, wait=False, on_error="ignore")

    def _give_up(self, workers: Mapping[str, int]) -> None:
        """Takes back what only workers that have left could do; Dask would wait for them."""
        for key, (future, fitting) in list(self._sent.items()):
            if future.done():
                del self._sent[key]
            elif not fitting & workers.keys():
                del self._sent[key]
                self._lost.add(key)
                future.cancel()

    def has_lost(self, key: str) -> bool:
        """Whether a piece of work was taken back because all workers that could do it have left."""
        return key in self._lost

    def watch(self, topic: str, handler: Callable[[dict[str, Any]], None]) -> None:
        """Calls ``handler`` (in another thread) with every report of a bundle."""
        self.client.subscribe_topic(topic, lambda event: handler(event[1]))

    def start(self, task: BundleTask) -> "Future[list[RunResult] | Failure]":
        """Hands a bundle to a worker."""
        return self._submit(run_bundle, task, key=task.key)

    def propose(self, key: str, *question: Any) -> "Future[list[NewRun]]":
        """Has a worker choose the next runs of a search: see `choose_runs`."""
        return self._submit(choose_runs, *question, key=key, retries=1)

    def _submit(
        self, function: Callable[..., Any], *given: Any, key: str, retries: int = 0
    ) -> "Future[Any]":
        """Hands work to one of the workers that fit this program."""
        if self.is_local:
            return self.client.submit(function, *given, key=key, pure=False, retries=retries)
        fitting = {one for one, complaint in self._seen.items() if not complaint}
        future = self.client.submit(
            function, *given, key=key, pure=False, retries=retries, workers=sorted(fitting)
        )
        self._sent[key] = (future, fitting)
        return future

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


def warning_about(address: str) -> str:
    """What is to be said of a scheduler's address, or "".

    >>> warning_about("tls://10.0.0.7:8786")
    ''
    """
    if not address.startswith("tcp://"):
        return ""
    return (
        f"{address} is not encrypted: whoever reaches it can read your data and run code on its "
        "workers. Use a tls:// address (FREM_TLS_CA, FREM_TLS_CERT, FREM_TLS_KEY)."
    )


def complaint_about(address: str, host: Any, versions: Any) -> str:
    """Why a worker gets no work, or "" when it does.

    Args:
        address: the worker's.
        host: the name of its machine; an error when it did not answer.
        versions: of the package and of results; an error where there is no package.

    >>> complaint_about("tls://10.0.0.7:4000", "node7", (__version__, RESULT_VERSION))
    ''
    """
    if isinstance(host, Exception):
        return f"The worker {address} {_UNANSWERED} ({host}) and gets no work."
    if isinstance(versions, ImportError):
        found = "has no FREM Studio"
    elif isinstance(versions, Exception):
        return f"The worker {address} on {host} {_UNANSWERED} ({versions}) and gets no work."
    elif versions[0] != __version__:
        found = f"has FREM Studio {versions[0]}"
    elif versions[1] != RESULT_VERSION:
        found = f"gives results of version {versions[1]} (here: {RESULT_VERSION})"
    else:
        return ""
    return (
        f"The worker {address} on {host} {found}, this engine {__version__}: it gets no work "
        f"until frem-studio {__version__} is installed there."
    )


def security_for(address: str) -> Security:
    """What the connection is encrypted with; where nothing is set, Dask's own configuration."""
    ca, certificate, key = (file_of(f"FREM_TLS_{part}") for part in ("CA", "CERT", "KEY"))
    security = Security()
    if ca or certificate or key:
        security = Security(
            tls_ca_file=ca,
            tls_client_cert=certificate,
            tls_client_key=key,
            require_encryption=True,
        )
    if address.startswith("tls://") and not security.get_connection_args("client")["ssl_context"]:
        raise ConfigError(
            f"{address} is encrypted; FREM_TLS_CA, FREM_TLS_CERT and FREM_TLS_KEY must name the "
            "three files that it takes."
        )
    return security
