"""What keeps a store and its engine from working, told apart, each with its remedy.

Nothing here mends anything: work goes on by itself once the cause is gone.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from frem_core.store import (
    FullDiskError,
    NewerStoreError,
    ReadOnlyError,
    ReadOnlyStore,
    Store,
    StoreError,
    UnreachableError,
)
from frem_core.store.database import GIVE_UP_SECONDS
from frem_core.sweeps.launch import EngineState, engine_state

Kind = Literal["full disk", "read-only folder", "database", "engine", "hung", "clock", "schema"]

_SCARCE_BYTES: Final = 20_000_000
# Longer than an engine may wait for a busy database, which it tells of itself.
_SILENT_SECONDS: Final = GIVE_UP_SECONDS + 30.0
_SET_BACK_SECONDS: Final = 60.0


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        kind: which.
        sentence: what it is, what it means and what to do.
    """

    kind: Kind
    sentence: str


def faults_of(store: Store) -> list[Fault]:
    """Returns what is wrong now; an unreachable database hides everything else."""
    try:
        found = [fault for look in _LOOKS if (fault := look(store)) is not None]
    except StoreError as error:
        return [fault_of(error)]
    if any(fault.kind == "full disk" for fault in found):  # which is what holds the engine up too
        found = [fault for fault in found if fault.kind != "engine"]
    return found


def fault_of(error: StoreError) -> Fault:
    """What is wrong with a store that cannot be opened or read."""
    if isinstance(error, UnreachableError):
        return Fault("database", f"{error} Training goes on when it answers again.")
    kinds = [kind for known, kind in _KINDS.items() if isinstance(error, known)]
    return Fault(kinds[0] if kinds else "database", str(error))


def free_bytes(folder: Path) -> int:
    """What is left on the disk of a folder, which may be one that is still to be made."""
    return shutil.disk_usage(_existing(folder)).free


def _folder(store: Store) -> Fault | None:
    if not isinstance(store, ReadOnlyStore) and os.access(_existing(store.folder), os.W_OK):
        return None
    return Fault(
        "read-only folder",
        f"The folder {store.folder} is read-only: results can be looked at, but nothing can be "
        "queued or saved. Make it writable, or set FREM_HOME to another folder; nothing is lost, "
        "and work goes on when it can be written to.",
    )


def _disk(store: Store) -> Fault | None:
    free = free_bytes(store.folder)
    if free >= _SCARCE_BYTES:
        return None
    return Fault(
        "full disk",
        f"The disk of {store.folder} is full ({free / 1e6:.1f} MB are left). Free some space "
        "there: finished results wait until they can be saved, nothing is lost, and training goes "
        "on by itself.",
    )


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that is there: it is made when first written to."""
    return next(one for one in (folder, *folder.absolute().parents) if one.exists())


def _schema(store: Store) -> Fault | None:
    if store.is_current():
        return None
    return Fault(
        "schema",
        f"The store {store.where} was upgraded by a newer version of FREM Studio while this one "
        "runs. Update FREM Studio here and start it again; the store is left as it is.",
    )


def _clock(store: Store) -> Fault | None:
    behind = store.clock_behind()
    if behind < _SET_BACK_SECONDS:
        return None
    return Fault(
        "clock",
        f"The clock of the database was set back by about {_span(behind)}: something in the store "
        "lies in its future. Set the clock right. Training goes on; until then, times and the "
        "order of waiting runs may be wrong.",
    )


def _engine(store: Store) -> Fault | None:
    engine = engine_state(store)
    if not engine.is_running:
        return None
    if engine.silent_seconds > _SILENT_SECONDS:
        return Fault("hung", _hung(engine))
    if engine.message.startswith("cannot start"):
        return Fault(
            "engine",
            f"The engine on {engine.host} {engine.message}. It tries again by itself; queued runs "
            "wait and nothing is lost.",
        )
    if engine.is_held_up:
        return Fault(
            "engine",
            f"The engine on {engine.host} is held up: {engine.message.removesuffix('.')}. Queued "
            "runs wait and nothing is lost; it goes on by itself when the cause is gone.",
        )
    return None


def _hung(engine: EngineState) -> str:
    return (
        f"The engine on {engine.host} (process {engine.pid}) has done nothing for "
        f"{_span(engine.silent_seconds)}. After five minutes another one takes its place and goes "
        f"on from the last checkpoints; to hasten that, end process {engine.pid} there."
    )


def _span(seconds: float) -> str:
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


_KINDS: Final[dict[type[StoreError], Kind]] = {
    FullDiskError: "full disk",
    ReadOnlyError: "read-only folder",
    NewerStoreError: "schema",
}
_LOOKS: Final[tuple[Callable[[Store], Fault | None], ...]] = (
    _disk,
    _folder,
    _schema,
    _clock,
    _engine,
)
