"""The health of a store and its engine in numbers; no names of tables and no values of data."""

from dataclasses import asdict, dataclass
from typing import Any

from frem_core.store import Store
from frem_core.store.timing import SlowQuery, slow_queries
from frem_core.sweeps import EngineState, engine_state
from frem_core.watching.faults import Fault, faults_of, free_bytes

_STATES = ("queued", "running", "done", "failed", "cancelled")


@dataclass(frozen=True)
class Health:
    """What administrators look at.

    Attributes:
        engine: the process that has runs trained, and its workers.
        queue: how many runs are in each state.
        waiting_by_person: runs that wait or are under way, by who queued them.
        kept_bytes: what the store takes.
        free_bytes: what is left on its disk.
        slow_queries: the slowest questions this process asked the database lately.
        faults: what is wrong, with its remedy.
    """

    engine: EngineState
    queue: dict[str, int]
    waiting_by_person: dict[str, int]
    kept_bytes: dict[str, int]
    free_bytes: int
    slow_queries: tuple[SlowQuery, ...]
    faults: tuple[Fault, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as values that JSON knows."""
        return asdict(self)


def health_of(store: Store) -> Health:
    """Looks at a store and its engine."""
    sweeps = store.sweeps.frame()
    waiting = (sweeps["queued"] + sweeps["running"]).groupby(sweeps["queued_by"].fillna("")).sum()
    counts = store.runs.counts()
    return Health(
        engine=engine_state(store),
        queue={state: counts.get(state, 0) for state in _STATES},
        waiting_by_person={str(who): int(count) for who, count in waiting.items() if count},
        kept_bytes=store.kept_bytes(),
        free_bytes=free_bytes(store.folder),
        slow_queries=slow_queries(),
        faults=tuple(faults_of(store)),
    )
