"""What a training tells the store while it runs, and what it is told in return."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, insert, update

from frem_core.store import history
from frem_core.store.history import EpochRecord
from frem_core.store.schema import epochs, runs


@dataclass(frozen=True)
class Progress:
    """What a running run has done since its last report.

    Attributes:
        epoch: epochs finished so far, those spent on choosing settings included.
        stage: what it does now, in words.
        records: the newest records of its curves.
        first: how many records come before these.
    """

    epoch: int
    stage: str = "training"
    records: Sequence[EpochRecord] = field(default_factory=tuple)
    first: int = 0


@dataclass(frozen=True)
class Orders:
    """What an owner learns from a report.

    Attributes:
        held: the runs it still holds.
        cancel: those of them that it must stop.
        lost: runs it reported on that are no longer its own.
    """

    held: frozenset[str]
    cancel: frozenset[str]
    lost: frozenset[str]


def save_progress(connection: Connection, run: str, progress: Progress) -> None:
    """Writes progress into a run's row and appends its epochs, within the caller's transaction.

    A resumed training reports the epochs after its checkpoint once more: the newer record of
    an epoch replaces the older one.
    """
    row = update(runs).where(runs.c.id == run)
    connection.execute(row.values(epoch=progress.epoch, stage=progress.stage))
    if progress.records:
        append_epochs(connection, run, progress.first, progress.records)


def append_epochs(
    connection: Connection, run: str, first: int, records: Sequence[EpochRecord]
) -> None:
    """Stores records that come after ``first`` others; what stood there before is dropped."""
    connection.execute(delete(epochs).where(epochs.c.run == run, epochs.c.first >= first))
    packed = history.pack(records)
    connection.execute(insert(epochs).values(run=run, first=first, records=packed))
