"""How far a sweep is."""

from collections.abc import Mapping
from dataclasses import dataclass

from frem_core.store import RunState
from studio.store import sweeps_table


@dataclass(frozen=True)
class SweepState:
    """One row of the table of sweeps.

    Attributes:
        name: what its owner called it.
        created_at: when it was queued, by the store's clock.
        counts: how many runs are in each state.
        progress: share of all epochs that is trained.
    """

    name: str
    created_at: float
    counts: Mapping[RunState, int]
    progress: float

    @property
    def is_live(self) -> bool:
        """Whether something is still to come."""
        return self.counts[RunState.QUEUED] + self.counts[RunState.RUNNING] > 0

    @property
    def stopped(self) -> int:
        """How many runs ended without a result."""
        return self.counts[RunState.FAILED] + self.counts[RunState.CANCELLED]

    @property
    def total(self) -> int:
        """How many runs it has."""
        return sum(self.counts.values())


def all_sweeps() -> dict[str, SweepState]:
    """The sweeps of the store by id, newest first."""
    rows = sweeps_table().to_dict("records")
    return {
        str(row["id"]): SweepState(
            name=str(row["name"]),
            created_at=float(row["created_at"]),
            counts={state: int(row[state.value]) for state in RunState},
            progress=min(float(row["progress"]), 1.0),
        )
        for row in rows
    }


def sweep_state(sweep: str) -> SweepState | None:
    """The state of one sweep; None when the store holds no such sweep."""
    return all_sweeps().get(sweep)
