"""How a run's row changes from one state to the next; used inside larger transactions."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Update, and_, update

from frem_core.store.rows import in_batches
from frem_core.store.schema import RunState, runs
from frem_core.store.timing.clock import now_seconds

#: Back in the queue: nobody's, but with its progress, so that it resumes where it was.
FREED: Mapping[str, Any] = {
    "state": RunState.QUEUED,
    "owner": None,
    "stage": None,
}

#: A finished run as if it had never been trained.
RENEWED: Mapping[str, Any] = {
    **FREED,
    "queued_at": now_seconds(),
    "epoch": 0,
    "attempts": 0,
    "deaths": 0,
    "death_epoch": -1,
    "cancel_requested": False,
    **dict.fromkeys(
        ("started_at", "finished_at", "error", "scores", "facts", "timings", "versions")
    ),
}


def ended(state: RunState, reason: str | None = None) -> dict[str, Any]:
    """The values of a run that has come to an end without a result."""
    return {
        "state": state,
        "owner": None,
        "stage": None,
        "cancel_requested": False,
        "finished_at": now_seconds(),
        "error": reason,
    }


def cancel_within(connection: Connection, names: Sequence[str]) -> None:
    """Cancels queued runs and marks running ones for their owner."""
    for some in in_batches(names):
        queued = and_(runs.c.id.in_(some), runs.c.state == RunState.QUEUED)
        running = and_(runs.c.id.in_(some), runs.c.state == RunState.RUNNING)
        connection.execute(update(runs).where(queued).values(ended(RunState.CANCELLED)))
        connection.execute(update(runs).where(running).values(cancel_requested=True))


def settle_cancelled(connection: Connection) -> None:
    """Ends runs that came back into the queue while someone had asked to cancel them."""
    stopped = and_(runs.c.state == RunState.QUEUED, runs.c.cancel_requested)
    connection.execute(update(runs).where(stopped).values(ended(RunState.CANCELLED)))


def resume_within(connection: Connection, names: Sequence[str]) -> int:
    """Queues failed and cancelled runs again; returns how many."""
    again = {
        **FREED,
        "cancel_requested": False,
        "queued_at": now_seconds(),
        "deaths": 0,
        "death_epoch": -1,
        "error": None,
        "finished_at": None,
    }
    count = 0
    for some in in_batches(names):
        stopped = runs.c.state.in_([RunState.FAILED, RunState.CANCELLED])
        query = update(runs).where(runs.c.id.in_(some), stopped).values(again)
        count += changed_rows(connection, query)
        # A request to cancel that its owner has not seen yet is taken back.
        running = and_(runs.c.id.in_(some), runs.c.state == RunState.RUNNING)
        connection.execute(update(runs).where(running).values(cancel_requested=False))
    return count


def changed_rows(connection: Connection, query: Update) -> int:
    """Runs an UPDATE and returns how many rows it changed."""
    return connection.execute(query).rowcount
