"""Reads runs: as one table for dashboards and exports, or one by one in full."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sqlalchemy import Connection, Select, delete, func, select

from frem_core.store import history
from frem_core.store.artefacts import Artefacts
from frem_core.store.database import Database
from frem_core.store.errors import StoreError
from frem_core.store.rows import in_batches
from frem_core.store.run_table import run_table, run_table_columns
from frem_core.store.schema import RunState, artefacts, epochs, notes, runs, sweep_runs
from frem_core.store.timing.clock import now_seconds
from frem_core.store.transitions import RENEWED


@dataclass(frozen=True)
class Run:
    """One run in full: its row, with JSON read."""

    id: str
    dataset: str
    method: str
    seed: int
    state: RunState
    config: Mapping[str, Any]
    scores: Mapping[str, Mapping[str, float | None]]
    facts: Mapping[str, Any]
    timings: Mapping[str, float]
    versions: Mapping[str, str]
    epoch: int
    epochs: int
    stage: str | None
    attempts: int
    error: str | None
    cancel_requested: bool
    started_at: float | None
    finished_at: float | None
    note: str


class Runs:
    """The runs of the store, for readers; only :meth:`delete` and notes change anything."""

    def __init__(self, database: Database, files: Artefacts) -> None:
        self._database = database
        self._files = files

    def frame(
        self, sweep: str | None = None, states: Iterable[RunState] | None = None
    ) -> pd.DataFrame:
        """Returns one row per run: of one sweep in its order, or of the whole store.

        Columns: those of :func:`~frem_core.store.run_table.run_table`.
        """
        member = runs if sweep is None else sweep_runs
        query: Select[Any] = select(
            *run_table_columns(), member.c.position, notes.c.text.label("note")
        )
        joined = runs.outerjoin(notes)
        if sweep is not None:
            joined = joined.join(sweep_runs, sweep_runs.c.run == runs.c.id)
            query = query.where(sweep_runs.c.sweep == sweep)
        if states is not None:
            query = query.where(runs.c.state.in_(list(states)))
        query = query.select_from(joined)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        # Sorted here: the database would carry the long texts of every row through its sort.
        order = (lambda row: row.position) if sweep else (lambda row: (row.queued_at, row.position))
        return run_table(sorted(rows, key=order))

    def get(self, run: str) -> Run:
        """Returns one run by its identity or an unambiguous beginning of it."""
        query = select(runs, notes.c.text.label("note")).select_from(runs.outerjoin(notes))
        query = query.where(runs.c.id.startswith(run, autoescape=True)).limit(2)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        if len(rows) != 1 or len(run) < 6:
            raise StoreError(f"{'No run has' if not rows else 'Several runs have'} the id '{run}'.")
        return _read(rows[0])

    def counts(self) -> dict[str, int]:
        """Returns how many runs are in each state that any is in."""
        query = select(runs.c.state, func.count()).group_by(runs.c.state)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return {str(state): int(count) for state, count in rows}

    def states(self, names: Sequence[str]) -> dict[str, RunState]:
        """Returns the states of those of the given runs that exist."""

        def look(connection: Connection) -> dict[str, RunState]:
            found: dict[str, RunState] = {}
            for some in in_batches(names):
                query = select(runs.c.id, runs.c.state).where(runs.c.id.in_(some))
                found |= {row.id: RunState(row.state) for row in connection.execute(query)}
            return found

        return self._database.read(look)

    def history(self, run: str) -> pd.DataFrame:
        """Returns one row per finished epoch, indexed by ``epoch`` from 1; live while running."""
        query = select(epochs.c.first, epochs.c.records).where(epochs.c.run == run)
        query = query.order_by(epochs.c.first)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        frame = history.unpack([(row.first, row.records) for row in rows])
        frame.index = pd.RangeIndex(1, len(frame) + 1, name="epoch")
        return frame

    def write_note(self, run: str, text: str) -> None:
        """Writes a user's note on a run, finished or not; an empty text removes it."""

        def write(connection: Connection) -> None:
            connection.execute(delete(notes).where(notes.c.run == run))
            if text:
                values = {"run": run, "text": text, "written_at": now_seconds()}
                connection.execute(notes.insert().values(values))

        self._database.write(write)

    def make_again(self, names: Iterable[str]) -> int:
        """Queues finished runs once more, because their files are lost; returns how many.

        Each stays in its sweeps and keeps its note; its result is replaced by the new one.
        """
        wanted = list(names)

        def renew(connection: Connection) -> int:
            count = 0
            for name in wanted:
                done = select(runs).where(runs.c.id == name, runs.c.state == RunState.DONE)
                row = connection.execute(done).first()
                if row is None:
                    continue
                kept = [
                    (table, [dict(one._mapping) for one in connection.execute(query)])
                    for table in (sweep_runs, notes)
                    for query in [select(table).where(table.c.run == name)]
                ]
                connection.execute(delete(runs).where(runs.c.id == name))
                again = {**row._mapping, **RENEWED, "bundle": name}
                connection.execute(runs.insert().values(again))
                for table, rows in kept:
                    if rows:
                        connection.execute(table.insert(), rows)
                count += 1
            return count

        return self._database.write(renew)

    def delete(self, names: Iterable[str]) -> int:
        """Deletes runs for good with their epochs and files; returns how many.

        Raises:
            StoreError: one of them is running; cancel it first.
        """
        wanted = list(names)

        def remove(connection: Connection) -> list[str]:
            self.delete_within(connection, wanted)
            return wanted

        return self.and_clean_up(remove)

    def delete_within(self, connection: Connection, names: Sequence[str]) -> None:
        """The rows only, inside a transaction of the caller."""
        for some in in_batches(names):
            running = select(runs.c.id).where(runs.c.id.in_(some), runs.c.state == RunState.RUNNING)
            if connection.execute(running.limit(1)).first():
                raise StoreError("Some of these runs are running. Cancel them first, then delete.")
            connection.execute(delete(runs).where(runs.c.id.in_(some)))

    def and_clean_up(self, remove: Callable[[Connection], Sequence[str]]) -> int:
        """Runs a deletion and removes the files that no run names afterwards."""

        def collect(connection: Connection) -> tuple[int, list[str]]:
            before = set(connection.execute(select(artefacts.c.hash).distinct()).scalars())
            removed = remove(connection)
            after = set(connection.execute(select(artefacts.c.hash).distinct()).scalars())
            return len(removed), sorted(before - after)

        count, unnamed = self._database.write(collect)
        self._files.remove_unnamed(unnamed)
        return count


def _read(row: Any) -> Run:
    values = {name: getattr(row, name) for name in Run.__dataclass_fields__}
    for name in ("config", "scores", "facts", "timings", "versions"):
        values[name] = json.loads(values[name] or "{}")
    return Run(**values | {"state": RunState(row.state), "note": row.note or ""})
