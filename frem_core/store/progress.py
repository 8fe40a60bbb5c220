"""What a training tells the store while it runs, and what it is told in return."""

import json
from collections.abc import Mapping, Sequence
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
        timings: seconds that its parts have taken so far.
    """

    epoch: int
    stage: str = "training"
    records: Sequence[EpochRecord] = field(default_factory=tuple)
    first: int = 0
    timings: Mapping[str, float] = field(default_factory=dict)


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
    values: dict[str, object] = {"epoch": progress.epoch, "stage": progress.stage}
    if progress.timings:
        values["timings"] = json.dumps(dict(progress.timings))
    connection.execute(update(runs).where(runs.c.id == run).values(values))
    if progress.records:
        append_epochs(connection, run, progress.first, progress.records)


def append_epochs(
    connection: Connection, run: str, first: int, records: Sequence[EpochRecord]
) -> None:
    """Stores records that come after ``first`` others; what stood there before is dropped."""
    connection.execute(delete(epochs).where(epochs.c.run == run, epochs.c.first >= first))
    packed = history.pack(records)
    connection.execute(insert(epochs).values(run=run, first=first, records=packed))
