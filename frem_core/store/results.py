"""Writes the result of a run: files first, then everything else in one transaction."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, and_, delete, insert, update

from frem_core.store.artefacts import Artefact, Artefacts
from frem_core.store.database import Database
from frem_core.store.errors import LeaseLostError
from frem_core.store.history import EpochRecord
from frem_core.store.progress import append_epochs
from frem_core.store.schema import RunState, artefacts, epochs, runs
from frem_core.store.timing.clock import now_seconds
from frem_core.store.transitions import changed_rows


@dataclass(frozen=True)
class RunResult:
    """All that a finished run leaves behind.

    Attributes:
        scores: by split, then by score: ``{"test": {"accuracy": 0.84, "hgr": 0.12}}``.
        history: one record per epoch.
        files: content by kind: ``{"weights": b"…"}``.
        facts: what else came out: the chosen bandwidth, warnings.
        timings: seconds by stage.
        versions: versions of the libraries that computed it.
    """

    scores: Mapping[str, Mapping[str, float]]
    history: Sequence[EpochRecord] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


class Results:
    """Turns a running run into a finished one, which nothing changes any more."""

    def __init__(self, database: Database, files: Artefacts) -> None:
        self._database = database
        self._files = files

    def finish(self, owner: str, run: str, result: RunResult) -> None:
        """Stores a result; a reader sees all of it or nothing.

        Raises:
            LeaseLostError: the run is not ``owner``'s (any more); nothing is stored.
            StoreError: the disk is full or read-only; the run stays as it was.
        """
        written = [self._files.put(kind, content) for kind, content in result.files.items()]
        values = {
            "state": RunState.DONE,
            "owner": None,
            "stage": None,
            "cancel_requested": False,
            "epoch": runs.c.epochs,
            "finished_at": now_seconds(),
            "error": None,
            "scores": _json(result.scores),
            "facts": _json(result.facts),
            "timings": _json(result.timings),
            "versions": _json(result.versions),
        }
        held = and_(runs.c.id == run, runs.c.owner == owner, runs.c.state == RunState.RUNNING)

        def store(connection: Connection) -> None:
            # First, to lock the row: from here on nobody else can take the run.
            if not changed_rows(connection, update(runs).where(held).values(stage="saving")):
                raise LeaseLostError(f"Run {run[:12]} does not belong to {owner} any more.")
            _replace_parts(connection, run, result.history, written)
            # Last: after it the triggers refuse any change to this run and its parts.
            connection.execute(update(runs).where(held).values(values))

        self._database.write(store)


def _replace_parts(
    connection: Connection, run: str, history: Sequence[EpochRecord], files: Sequence[Artefact]
) -> None:
    connection.execute(delete(epochs).where(epochs.c.run == run))
    connection.execute(delete(artefacts).where(artefacts.c.run == run))
    if history:
        append_epochs(connection, run, 0, history)
    for file in files:
        connection.execute(
            insert(artefacts).values(run=run, kind=file.kind, hash=file.hash, size=file.size)
        )


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(_without_nan(value), separators=(",", ":"), allow_nan=False)


def _without_nan(value: Any) -> Any:
    """A score that does not exist (equal opportunity without positives) is null, not NaN."""
    if isinstance(value, Mapping):
        return {str(key): _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(inner) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
