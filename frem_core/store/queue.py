"""The queue: who trains what, for how long, and what becomes of runs whose trainer died."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from frem_core.store.database import Database
from frem_core.store.progress import Orders, Progress, save_progress
from frem_core.store.rows import ClaimedRun
from frem_core.store.schema import RunState, runs
from frem_core.store.sharing.fair_order import fair_bundles
from frem_core.store.timing.clock import now_seconds
from frem_core.store.transitions import (
    FREED,
    cancel_within,
    changed_rows,
    ended,
    resume_within,
    settle_cancelled,
)

#: A run whose worker dies is started again at most this often from the same point; one that took
#: its worker down three times is set aside.
MOST_RETRIES = 2


class Queue:
    """Hands out queued runs under a lease and takes reports about them.

    A claimed run belongs to its owner until the owner gives it back or another one, who knows to
    be the only one left, takes over. Only the owner can report on it or end it; what a former
    owner still sends changes nothing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, owner: str, *, bundles: int) -> list[list[ClaimedRun]]:
        """Takes the next bundles of queued runs, everybody's in turn; each is trained as one stack.

        A bundle of which some runs are still running is left alone: it comes back as a whole
        when they end, so that it always trains in the same company.
        """
        start = {
            "state": RunState.RUNNING,
            "owner": owner,
            "started_at": now_seconds(),
            "attempts": runs.c.attempts + 1,
            "stage": "waiting for a worker",
        }

        def take(connection: Connection) -> list[list[ClaimedRun]]:
            self._database.lock_within(connection, "claim")
            chosen = fair_bundles(connection, bundles)
            queued = and_(runs.c.bundle.in_(chosen), runs.c.state == RunState.QUEUED)
            taken = update(runs).where(queued).values(start).returning(runs)
            rows = sorted(connection.execute(taken).all(), key=lambda row: row.position)
            claimed = [ClaimedRun.of(row) for row in rows]
            return [[run for run in claimed if run.bundle == bundle] for bundle in chosen]

        return self._database.write(take)

    def report(self, owner: str, progress: Mapping[str, Progress] | None = None) -> Orders:
        """Saves progress of the runs of ``owner`` and returns orders."""
        news = progress or {}

        def save(connection: Connection) -> Orders:
            mine = and_(runs.c.owner == owner, runs.c.state == RunState.RUNNING)
            rows = connection.execute(select(runs.c.id, runs.c.cancel_requested).where(mine)).all()
            held = {row.id for row in rows}
            for run in sorted(news.keys() & held):
                save_progress(connection, run, news[run])
            stop = frozenset(row.id for row in rows if row.cancel_requested)
            return Orders(frozenset(held), stop, frozenset(news.keys() - held))

        return self._database.write(save)

    def release(self, owner: str) -> int:
        """Puts all runs of an owner that ends in good order back into the queue."""
        return self._give_back(and_(runs.c.state == RunState.RUNNING, runs.c.owner == owner))

    def take_over(self, owner: str) -> int:
        """Puts the runs of everybody else back into the queue; those to be cancelled are.

        For the one who knows to be the only owner, by a lease on that.
        """
        return self._give_back(and_(runs.c.state == RunState.RUNNING, runs.c.owner != owner))

    def put_back(self, owner: str, names: Iterable[str]) -> int:
        """Puts some runs of an owner back into the queue."""
        return self._give_back(_held(owner, names))

    def worker_died(
        self, owner: str, names: Iterable[str], reason: str, *, requeue: bool = True
    ) -> set[str]:
        """Queues runs again whose worker died, or fails them after :data:`MOST_RETRIES`.

        Deaths count only when no epoch beyond the last death was reached: a run that ends its
        worker at the same point every time fails, one that was merely in the way goes on. The
        last retry is made alone, so that only the run at fault fails and not its company.

        Args:
            owner: who held the runs.
            names: the runs that were on the worker.
            reason: what users read when the run fails.
            requeue: False when somebody else starts them again; then they stay the owner's.

        Returns:
            The runs that have failed.
        """
        held = _held(owner, names)

        def decide(connection: Connection) -> set[str]:
            failed = set()
            for row in connection.execute(select(runs).where(held)).all():
                deaths = 1 if row.epoch > row.death_epoch else row.deaths + 1
                counted = {"deaths": deaths, "death_epoch": max(row.epoch, row.death_epoch)}
                if deaths == MOST_RETRIES and requeue:
                    counted["bundle"] = row.id
                next_state: Mapping[str, Any] = FREED if requeue else {}
                if deaths > MOST_RETRIES:
                    next_state = ended(RunState.FAILED, reason)
                    failed.add(row.id)
                one = update(runs).where(runs.c.id == row.id)
                connection.execute(one.values({**next_state, **counted}))
            settle_cancelled(connection)
            return failed

        return self._database.write(decide)

    def separate(self, owner: str, names: Iterable[str]) -> None:
        """Queues runs again that could not be trained together, each of them alone."""
        alone = update(runs).where(_held(owner, names)).values({**FREED, "bundle": runs.c.id})

        def part(connection: Connection) -> None:
            connection.execute(alone)
            settle_cancelled(connection)

        self._database.write(part)

    def fail(self, owner: str, run: str, reason: str) -> bool:
        """Ends a run with a reason that users can read; False when it was lost already."""
        return self._end(owner, run, ended(RunState.FAILED, reason))

    def cancelled(self, owner: str, run: str) -> bool:
        """Confirms that a run has stopped on request; False when it was lost already."""
        return self._end(owner, run, ended(RunState.CANCELLED))

    def cancel(self, names: Iterable[str]) -> None:
        """Asks for runs to be stopped: queued ones at once, running ones by their owner."""
        wanted = list(names)
        self._database.write(lambda connection: cancel_within(connection, wanted))

    def resume(self, names: Iterable[str]) -> int:
        """Queues failed and cancelled runs again; returns how many."""
        wanted = list(names)
        return self._database.write(lambda connection: resume_within(connection, wanted))

    def unfinished(self) -> int:
        """Returns how many runs are queued or running."""
        alive = runs.c.state.in_([RunState.QUEUED, RunState.RUNNING])
        query = select(func.count()).select_from(runs).where(alive)
        return self._database.read(lambda connection: connection.execute(query).scalar_one())

    def _give_back(self, which: Any) -> int:
        def give(connection: Connection) -> int:
            given = changed_rows(connection, update(runs).where(which).values(FREED))
            settle_cancelled(connection)
            return given

        return self._database.write(give)

    def _end(self, owner: str, run: str, values: Mapping[str, Any]) -> bool:
        query = update(runs).where(_held(owner, [run])).values(values)
        return self._database.write(lambda connection: changed_rows(connection, query)) > 0


def _held(owner: str, names: Iterable[str]) -> ColumnElement[bool]:
    return and_(runs.c.id.in_(list(names)), runs.c.owner == owner, runs.c.state == RunState.RUNNING)
