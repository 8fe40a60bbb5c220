"""Whose runs are trained next: everybody in turn, and each person's sweeps in turn.

A person with fewer bundles under way comes first, then the one who was served longest ago; among
the sweeps of that person the highest priority, then the same rule. So a long sweep delays a short
one by no more than what is under way, and nobody gets more by cutting work into many sweeps.
"""

from dataclasses import dataclass, field

from sqlalchemy import Connection, case, func, select

from frem_core.store.schema import RunState, runs, sweep_runs, sweeps


@dataclass
class _Sweep:
    """A sweep with bundles that wait, or under way; ``served`` is when one was last started."""

    person: str | None
    priority: int = 0
    under_way: int = 0
    served: float = 0.0
    waiting: list[str] = field(default_factory=list)


def fair_bundles(connection: Connection, count: int) -> list[str]:
    """Returns up to ``count`` bundles of queued runs, none of them partly under way."""
    queue = _queue(connection)
    people = {sweep.person for sweep in queue}
    last = _served(connection) if len(people) > 1 else {}
    chosen: list[str] = []
    turn = max([0.0, *last.values(), *(sweep.served for sweep in queue)])
    while len(chosen) < count:
        for sweep in queue:
            while sweep.waiting and sweep.waiting[0] in chosen:  # another sweep holds it too
                sweep.waiting.pop(0)
        ready = [sweep for sweep in queue if sweep.waiting]
        if not ready:
            break
        waiting = {one.person for one in ready}
        person = min(
            waiting, key=lambda one: (_under_way(queue, one), last.get(one, 0.0), str(one))
        )
        own = [one for one in ready if one.person == person]
        sweep = min(own, key=lambda one: (-one.priority, one.under_way, one.served))
        chosen.append(sweep.waiting.pop(0))
        turn += 1.0
        sweep.under_way, sweep.served = sweep.under_way + 1, turn
        last[person] = turn
    return chosen


def _under_way(queue: list[_Sweep], person: str | None) -> int:
    return sum(sweep.under_way for sweep in queue if sweep.person == person)


def _served(connection: Connection) -> dict[str | None, float]:
    """When a run of each person was last started, whatever became of its sweep since."""
    joined = sweeps.join(sweep_runs).join(runs, runs.c.id == sweep_runs.c.run)
    query = select(sweeps.c.queued_by, func.coalesce(func.max(runs.c.started_at), 0.0))
    query = query.select_from(joined).group_by(sweeps.c.queued_by)
    return {person: float(served) for person, served in connection.execute(query)}


def _queue(connection: Connection) -> list[_Sweep]:
    """The sweeps that have something to train, the oldest first."""
    found: dict[str | None, _Sweep] = {}
    joined = runs.outerjoin(sweep_runs, sweep_runs.c.run == runs.c.id).outerjoin(
        sweeps, sweeps.c.id == sweep_runs.c.sweep
    )
    running = case((runs.c.state == RunState.RUNNING, runs.c.bundle))
    alive = runs.c.state.in_([RunState.QUEUED, RunState.RUNNING])
    wanted = select(sweep_runs.c.sweep).join(runs, sweep_runs.c.run == runs.c.id).where(alive)
    facts = (
        select(
            sweeps.c.id,
            sweeps.c.queued_by,
            sweeps.c.priority,
            func.count(running.distinct()).label("under_way"),
            func.coalesce(func.max(runs.c.started_at), 0.0).label("served"),
        )
        .select_from(joined)
        .where(sweeps.c.id.in_(wanted))
        .group_by(sweeps.c.id)
        .order_by(sweeps.c.created_at, sweeps.c.id)
    )
    for row in connection.execute(facts):
        found[row.id] = _Sweep(row.queued_by, row.priority, row.under_way, row.served)
    busy = runs.alias("busy")
    not_busy = runs.c.bundle.not_in(select(busy.c.bundle).where(busy.c.state == RunState.RUNNING))
    bundles = (
        select(sweep_runs.c.sweep, runs.c.bundle)
        .select_from(joined)
        .where(runs.c.state == RunState.QUEUED, not_busy)
        .group_by(sweep_runs.c.sweep, runs.c.bundle)
        .order_by(func.min(runs.c.queued_at), func.min(runs.c.position))
    )
    for row in connection.execute(bundles):
        found.setdefault(row.sweep, _Sweep(None)).waiting.append(row.bundle)
    return list(found.values())
