"""What runs inside a Dask worker: one bundle at a time, watched and stoppable from outside.

The engine imports this module too, only to name its functions; so what trains is imported inside
them, and the engine stays small.
"""

import asyncio
import ctypes
import errno
import gc
import logging
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from distributed import WorkerPlugin, get_worker

from frem_core import __version__
from frem_core.errors import FremError
from frem_core.logs import set_up_logs
from frem_core.store.identity import RESULT_VERSION
from frem_core.store.results import RunResult

if TYPE_CHECKING:
    import pandas as pd

    from frem_core.store.rows import NewRun

logger = logging.getLogger(__name__)

# Keys of bundles that were asked to stop; filled by `request_stop`, which the engine runs beside
# the task, in the worker's other thread.
_stopped: set[str] = set()
_PROFILING = ("profile", "profile-cycle")
_running: dict[str, str] = {}  # key of the bundle → its engine


@dataclass(frozen=True)
class BundleTask:
    """A bundle on its way to a worker.

    Attributes:
        key: names this attempt; no two are equal.
        engine: the engine that wants the result; also the topic of its reports.
        runs: the configurations, as plain values.
        source: where the dataset comes from.
        folder: the store's folder, if the worker sees it.
        checkpoints: name of the bundle's folder for checkpoints.
        tables: the kept tables' bytes by id, for a worker that does not see the folder.
    """

    key: str
    engine: str
    runs: tuple[Mapping[str, Any], ...]
    source: Mapping[str, Any]
    folder: str
    checkpoints: str
    tables: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def table_ids(self) -> list[str]:
        """The ids of the kept tables that the dataset is made from."""
        return [self.source[key] for key in ("table", "edge_table") if key in self.source]


@dataclass(frozen=True)
class Failure:
    """Why a bundle has no results.

    Attributes:
        kind: ``"cancelled"``, ``"memory"``, ``"table"`` (it must be sent), ``"disk"`` (it may be
            tried again once there is space) or ``"error"``.
        reason: what users read.
    """

    kind: Literal["cancelled", "memory", "table", "disk", "error"]
    reason: str


def run_bundle(task: BundleTask) -> list[RunResult] | Failure:
    """Trains a bundle in this worker and returns its results, one per run."""
    worker = get_worker()

    def send(report: dict[str, Any]) -> None:
        worker.log_event(task.engine, {"key": task.key, **report})

    _running[task.key] = task.engine
    try:
        send(
            {"runs": list(range(len(task.runs))), "stage": "starting", "started_on": worker.address}
        )
        place = {"worker": worker.address, "host": socket.gethostname()}
        return [replace(one, facts={**one.facts, **place}) for one in _train(task, send)]
    except Exception as error:
        return _failure(error)
    finally:
        _running.pop(task.key, None)
        _stopped.discard(task.key)
        give_back_memory()


def give_back_memory() -> None:
    """Frees what nothing refers to any more, and hands it back to the system.

    A trained stack refers to itself, so Python would free it some bundles later. While a bundle
    trains, glibc keeps what was freed (`keep_freed_memory`). From bundle to bundle both would lie
    between what is still in use, and the worker would grow.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def choose_runs(
    spec: str, runs: "pd.DataFrame", configs: Mapping[str, Any], stack: int
) -> "list[NewRun]":
    """Chooses the next runs of a search in this worker, where what that needs is loaded."""
    from frem_core.sweeps.search.next_runs import next_runs

    return next_runs(spec, runs, configs, stack)


def _train(task: BundleTask, send: Callable[[dict[str, Any]], None]) -> list[RunResult]:
    from frem_core.sweeps.data_source import prepared_data, remember_table
    from frem_core.sweeps.progress import BundleProgress
    from frem_core.sweeps.run_config import RunConfig
    from frem_core.sweeps.train_bundle import train_bundle

    _check_version(task)
    runs = [RunConfig.from_dict(values) for values in task.runs]
    progress = BundleProgress(len(runs), send)  # reading counts too
    folder = _shared_folder(task)
    if task.tables:
        with tempfile.TemporaryDirectory() as sent:
            for table_id, content in task.tables.items():
                (Path(sent) / f"{table_id}.parquet").write_bytes(content)
            remember_table(runs[0].dataset, task.source, Path(sent))
    data = prepared_data(runs[0], task.source, None if folder is None else folder / "tables")
    progress.watch.data_is_there()
    return train_bundle(
        runs,
        data,
        progress=progress,
        should_stop=lambda: task.key in _stopped,
        checkpoints=None if folder is None else folder / "checkpoints" / task.checkpoints,
    )


def _check_version(task: BundleTask) -> None:
    """Refuses what another version was to compute: its numbers would be others."""
    wanted = {run["result_version"] for run in task.runs} - {RESULT_VERSION}
    if wanted:
        raise FremError(
            f"This run was queued for results of version {wanted.pop()}, and FREM Studio "
            f"{__version__} on {socket.gethostname()} gives version {RESULT_VERSION}. Install the "
            "same version everywhere, then queue the sweep again."
        )


def _failure(error: Exception) -> Failure:
    from frem_core.sweeps.data_source import TableElsewhereError
    from frem_core.training import TrainingCancelledError

    if isinstance(error, TrainingCancelledError):
        return Failure("cancelled", str(error))
    if isinstance(error, TableElsewhereError):
        return Failure("table", str(error))
    text = str(error)
    # torch reports a failed allocation as a RuntimeError of its allocator.
    if isinstance(error, MemoryError) or "allocate memory" in text or "out of memory" in text:
        return Failure("memory", "It ran out of memory. Use a smaller batch size or fewer rows.")
    if is_full_disk(error):
        return Failure(
            "disk",
            f"The disk of {socket.gethostname()} is full. Free some space there; nothing is lost, "
            "and the runs go on by themselves",
        )
    if isinstance(error, FremError):
        return Failure("error", text)
    logger.error("A bundle failed", exc_info=error)
    return Failure("error", f"Unexpected {type(error).__name__}: {text[:500]}")


def is_full_disk(error: BaseException | None) -> bool:
    """Whether an error, or what it came from, says that there is no space left on a disk."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if "No space left on device" in str(error):  # as libraries in other languages report it
            return True
        error = error.__cause__ or error.__context__
    return False


def _shared_folder(task: BundleTask) -> Path | None:
    """The store's folder, when this worker sees the same one as the engine."""
    folder = Path(task.folder)
    return folder if marker(folder, task.engine).exists() else None


def marker(folder: Path, engine: str) -> Path:
    """The file by which a worker recognises the folder of its engine."""
    return folder / "checkpoints" / f".{engine}"


# These two are coroutines, because only those can be run on workers without waiting for them.
async def request_stop(keys: Iterable[str]) -> None:
    """Asks bundles of this worker to stop; they notice within a fraction of a second."""
    _stopped.update(key for key in keys if key in _running)


async def stop_orphans(engine: str) -> None:
    """Asks bundles of engines that are no more to stop, so that they do not hold up others."""
    _stopped.update(key for key, owner in _running.items() if owner != engine)


class WarmUp(WorkerPlugin):
    """Imports what training needs before the first bundle, so that a worker reacts at once."""

    name = "frem-warm-up"

    async def setup(self, worker: Any) -> None:
        """Runs once on every worker, also on those that join later."""
        await warm_up(worker)


class GiveWay(WorkerPlugin):
    """Lets whoever looks at a page of this machine go first: trainings take what is left.

    Linux shares a machine among sessions before it asks who is nice. So each worker gets one of its
    own; in that of the engine, the engine would give way too, and seem to hang on a busy machine.

    Args:
        niceness: of the worker; it is never made less nice than it is.
    """

    name = "frem-give-way"

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness

    def setup(self, worker: Any) -> None:
        """Runs before the threads that compute are started: each inherits it."""
        if hasattr(os, "setpriority"):  # not on Windows
            lowest = max(self._niceness, os.getpriority(os.PRIO_PROCESS, 0))
            os.setpriority(os.PRIO_PROCESS, 0, lowest)
            with suppress(OSError):  # not every kernel shares that way
                os.setsid()
                Path("/proc/self/autogroup").write_text(str(lowest), encoding="ascii")


async def warm_up(dask_worker: Any) -> None:
    """Imports what training needs, on the worker that Dask gives."""
    set_up_logs()  # it writes into the engine's log, where there is one machine
    # Dask's profile of what a worker does, which nobody looks at, grows by megabytes a minute.
    for name in _PROFILING:
        if name in dask_worker.periodic_callbacks:
            dask_worker.periodic_callbacks[name].stop()
    # In a thread: seconds of imports would make the scheduler think the worker is dead.
    await asyncio.to_thread(_import_everything)


def _import_everything() -> None:
    import torch

    import frem_core.sweeps.train_bundle  # noqa: F401  (imported for its imports)

    torch.set_num_threads(1)
    gc.freeze()  # modules stay: after a bundle only what it has made is looked through
