"""How much of the queue one person may take."""

from sqlalchemy import Connection, func, select

from frem_core.store.errors import StoreError
from frem_core.store.schema import RunState, runs, sweep_runs, sweeps


def check_share(connection: Connection, person: str, most: int) -> None:
    """Refuses, inside the transaction that queues them, more runs than a person may have.

    Raises:
        StoreError: more are waiting or under way; the transaction is to be undone.
    """
    waiting = (
        select(func.count(runs.c.id.distinct()))
        .select_from(runs.join(sweep_runs, sweep_runs.c.run == runs.c.id).join(sweeps))
        .where(sweeps.c.queued_by == person)
        .where(runs.c.state.in_([RunState.QUEUED, RunState.RUNNING]))
    )
    count = connection.execute(waiting).scalar_one()
    if count > most:
        raise StoreError(
            f"With these, {count:,} runs of {person} would be waiting or under way; at most "
            f"{most:,} may. Wait until some are done, cancel a sweep, or train fewer runs."
        )
