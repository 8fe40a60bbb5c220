"""Sweeps: a name, a replayable description, and the runs that belong to it."""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd
from sqlalchemy import Connection, Select, delete, func, insert, select, update

from frem_core.errors import did_you_mean
from frem_core.store.database import Database
from frem_core.store.datasets import DatasetRecord, Datasets
from frem_core.store.errors import StoreError
from frem_core.store.rows import NewRun
from frem_core.store.runs import Runs
from frem_core.store.schema import RunState, runs, sweep_runs, sweep_tables, sweeps
from frem_core.store.sharing.shares import check_share
from frem_core.store.timing.clock import now_seconds
from frem_core.store.transitions import cancel_within, resume_within


class Member(NamedTuple):
    """A run of a sweep: its id, method, state and the stack it is trained in."""

    id: str
    method: str
    state: str
    bundle: str


class Sweeps:
    """The sweeps of the store. A run may belong to several; it is trained once for all."""

    def __init__(self, database: Database, members: Runs) -> None:
        self._database = database
        self._datasets = Datasets(database)
        self._runs = members

    def add(
        self,
        name: str,
        spec: str,
        members: Sequence[NewRun],
        datasets: Sequence[DatasetRecord],
        *,
        queued_by: str | None = None,
        priority: int = 0,
        most_unfinished: int | None = None,
    ) -> str:
        """Queues a sweep in one transaction and returns its id.

        Runs that exist are shared: a finished one is not trained again, a queued or running one
        is waited for, a failed or cancelled one is queued again.

        Args:
            name: what users call it.
            spec: the TOML that replays it.
            members: its runs, in the order in which they should be trained.
            datasets: the datasets of those runs.
            queued_by: the person who asks for it; None where nobody has to log in.
            priority: a higher one is trained before other sweeps of the same person.
            most_unfinished: how many runs that person may have waiting or under way then.

        Raises:
            StoreError: it describes no runs, or more than the person may have; nothing is queued.
        """
        if not members:
            raise StoreError("A sweep needs at least one run; this one describes none.")
        identity = secrets.token_hex(5)
        rows = {row["id"]: row for row in (run.values() for run in members)}

        def queue(connection: Connection) -> None:
            for dataset in datasets:
                self._datasets.add_within(connection, dataset)
            now = connection.execute(select(now_seconds())).scalar_one()
            order = [row | {"queued_at": now, "position": i} for i, row in enumerate(rows.values())]
            connection.execute(self._database.insert_missing(runs), order)
            about = {"created_at": now, "queued_by": queued_by, "priority": priority}
            connection.execute(insert(sweeps).values(id=identity, name=name, spec=spec, **about))
            tables = {table for dataset in datasets for table in dataset.table_ids}
            for table in sorted(tables):
                connection.execute(insert(sweep_tables).values(sweep=identity, table_id=table))
            links = [{"sweep": identity, "run": run, "position": i} for i, run in enumerate(rows)]
            connection.execute(insert(sweep_runs), links)
            resume_within(connection, list(rows))
            if queued_by is not None and most_unfinished is not None:
                check_share(connection, queued_by, most_unfinished)

        self._database.write(queue)
        return identity

    def extend(self, sweep: str, members: Sequence[NewRun]) -> None:
        """Adds runs to a sweep; those that exist are shared, as in `add`.

        A sweep that was cancelled or deleted in the meantime is left as it is.
        """
        rows = {row["id"]: row for row in (run.values() for run in members)}
        wanted = select(sweeps.c.id).where(sweeps.c.id == sweep, sweeps.c.cancelled_at.is_(None))

        def queue(connection: Connection) -> None:
            if connection.execute(wanted).first() is None:
                return
            now = connection.execute(select(now_seconds())).scalar_one()
            last = select(func.max(sweep_runs.c.position)).where(sweep_runs.c.sweep == sweep)
            start = int(connection.execute(last).scalar() or 0) + 1
            order = [
                row | {"queued_at": now, "position": start + i}
                for i, row in enumerate(rows.values())
            ]
            connection.execute(self._database.insert_missing(runs), order)
            links = [
                {"sweep": sweep, "run": run, "position": start + i} for i, run in enumerate(rows)
            ]
            connection.execute(self._database.insert_missing(sweep_runs), links)
            resume_within(connection, list(rows))

        if rows:
            self._database.write(queue)

    def members(self, sweep: str) -> list[Member]:
        """Returns what is to be known of a sweep's runs to plan further ones, in its order."""
        query = (
            select(runs.c.id, runs.c.method, runs.c.state, runs.c.bundle)
            .join(sweep_runs, sweep_runs.c.run == runs.c.id)
            .where(sweep_runs.c.sweep == sweep)
            .order_by(sweep_runs.c.position)
        )
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return [Member(*row) for row in rows]

    def others_wait_for(self, run: str, sweep: str) -> bool:
        """Whether a sweep that is not cancelled, other than this one, holds a run."""
        query = (
            select(sweep_runs.c.sweep)
            .join(sweeps, sweeps.c.id == sweep_runs.c.sweep)
            .where(sweep_runs.c.run == run, sweep_runs.c.sweep != sweep)
            .where(sweeps.c.cancelled_at.is_(None))
        )
        return self._database.read(lambda connection: connection.execute(query).first()) is not None

    def described_with(self, words: str) -> list[tuple[str, str]]:
        """Returns id and description of the sweeps not cancelled that contain these words."""
        query = (
            select(sweeps.c.id, sweeps.c.spec)
            .where(sweeps.c.cancelled_at.is_(None), sweeps.c.spec.contains(words, autoescape=True))
            .order_by(sweeps.c.created_at)
        )
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return [(str(row.id), str(row.spec)) for row in rows]

    def find(self, name_or_id: str) -> str:
        """Returns the id of the sweep with this id, beginning of an id, or name (the newest)."""
        query = select(sweeps.c.id, sweeps.c.name).order_by(sweeps.c.created_at.desc())
        rows = self._database.read(lambda connection: connection.execute(query).all())
        same_id = [row.id for row in rows if row.id == name_or_id]
        same_name = [row.id for row in rows if row.name == name_or_id]
        begun = [row.id for row in rows if name_or_id and row.id.startswith(name_or_id)]
        if same_id or same_name or len(begun) == 1:
            return str((same_id or same_name or begun)[0])
        names = [row.name for row in rows] + [row.id for row in rows]
        raise StoreError(
            f"There is no sweep '{name_or_id}'; `frem status` lists them all."
            + did_you_mean(name_or_id, names)
        )

    def spec(self, sweep: str) -> str:
        """Returns the TOML that replays a sweep."""
        query = select(sweeps.c.spec).where(sweeps.c.id == sweep)
        spec = self._database.read(lambda connection: connection.execute(query).scalar())
        if spec is None:
            raise StoreError(f"There is no sweep '{sweep}'; it may have been deleted.")
        return str(spec)

    def frame(self, sweep: str | None = None) -> pd.DataFrame:
        """Returns one row per sweep, newest first, with the number of runs in each state.

        Columns: ``id, name, created_at, cancelled_at, queued_by, priority, runs``, one per state,
        and ``progress`` (the share of all epochs that is trained).
        """
        query = _summary()
        if sweep is not None:
            query = query.where(sweeps.c.id == sweep)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        names = ["id", "name", "created_at", "cancelled_at", "queued_by", "priority", "runs"]
        names += [state.value for state in RunState] + ["progress"]
        return pd.DataFrame([tuple(row) for row in rows], columns=names)

    def cancel(self, sweep: str) -> None:
        """Cancels the unfinished runs of a sweep, except those that another sweep waits for."""

        def stop(connection: Connection) -> None:
            now = update(sweeps).where(sweeps.c.id == sweep).values(cancelled_at=now_seconds())
            connection.execute(now)
            cancel_within(connection, _members_without(connection, sweep, only_active=True))

        self._database.write(stop)

    def prefer(self, sweep: str, priority: int) -> None:
        """Sets which place a sweep has among those of the same person; higher comes first."""
        place = update(sweeps).where(sweeps.c.id == sweep).values(priority=priority)
        self._database.write(lambda connection: connection.execute(place))

    def resume(self, sweep: str, *, most_unfinished: int | None = None) -> int:
        """Queues the failed and cancelled runs of a sweep again; returns how many.

        Args:
            sweep: its id.
            most_unfinished: how many runs the one who queued it may have waiting or under way.
        """

        def again(connection: Connection) -> int:
            none = update(sweeps).where(sweeps.c.id == sweep).values(cancelled_at=None)
            connection.execute(none)
            members = select(sweep_runs.c.run).where(sweep_runs.c.sweep == sweep)
            count = resume_within(connection, list(connection.execute(members).scalars()))
            whose = connection.execute(select(sweeps.c.queued_by).where(sweeps.c.id == sweep))
            if (person := whose.scalar()) is not None and most_unfinished is not None:
                check_share(connection, person, most_unfinished)
            return count

        return self._database.write(again)

    def delete(self, sweep: str) -> int:
        """Deletes a sweep for good, with the runs that no other sweep holds; returns how many.

        Raises:
            StoreError: some of these runs are running; cancel the sweep first.
        """

        def remove(connection: Connection) -> list[str]:
            own = _members_without(connection, sweep, only_active=False)
            connection.execute(delete(sweeps).where(sweeps.c.id == sweep))
            self._runs.delete_within(connection, own)
            return own

        return self._runs.and_clean_up(remove)


def _summary() -> Select[tuple[object, ...]]:
    counts = [func.count().filter(runs.c.state == state).label(state.value) for state in RunState]
    trained = func.sum(runs.c.epoch) * 1.0 / func.nullif(func.sum(runs.c.epochs), 0)
    return (
        select(
            sweeps.c.id,
            sweeps.c.name,
            sweeps.c.created_at,
            sweeps.c.cancelled_at,
            sweeps.c.queued_by,
            sweeps.c.priority,
            func.count(runs.c.id),
            *counts,
            func.coalesce(trained, 0.0).label("progress"),
        )
        .select_from(sweeps.outerjoin(sweep_runs).outerjoin(runs))
        .group_by(sweeps.c.id)
        .order_by(sweeps.c.created_at.desc())
    )


def _members_without(connection: Connection, sweep: str, *, only_active: bool) -> list[str]:
    """The runs of a sweep that no other sweep (that is not cancelled) holds."""
    other = sweep_runs.alias("other")
    held = select(other.c.run).where(other.c.sweep != sweep)
    if only_active:
        held = held.join(sweeps, sweeps.c.id == other.c.sweep).where(
            sweeps.c.cancelled_at.is_(None)
        )
    query = select(sweep_runs.c.run).where(
        sweep_runs.c.sweep == sweep, sweep_runs.c.run.not_in(held)
    )
    return list(connection.execute(query).scalars())
