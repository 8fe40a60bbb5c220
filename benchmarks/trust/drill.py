"""What happened in a drill, summed over its rounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

_SUMS = (
    *("sweeps", "runs", "lost", "twice", "files", "different", "attempts"),
    *("seconds", "calm_seconds", "calm_runs"),
)


@dataclass
class Drill:
    """What happened in one setting."""

    kills: dict[str, int] = field(default_factory=dict)
    sweeps: int = 0
    runs: int = 0
    lost: int = 0
    twice: int = 0
    files: int = 0
    different: int = 0
    seconds: float = 0.0
    calm_seconds: float = 0.0
    calm_runs: int = 0
    attempts: int = 0
    replaced: list[float] = field(default_factory=list)

    def add(self, other: "Drill") -> None:
        """Takes a round into account."""
        for victim, count in other.kills.items():
            self.kills[victim] = self.kills.get(victim, 0) + count
        self.replaced += other.replaced
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def all_kills(self) -> int:
        """How often something was killed."""
        return sum(self.kills.values())

    @property
    def lost_seconds(self) -> float:
        """Wall time beyond that of as many undisturbed runs, per kill."""
        expected = self.calm_seconds / max(self.calm_runs, 1) * self.runs
        return (self.seconds - expected) / max(self.all_kills, 1)


def ended_again(runs: pd.DataFrame, ends: Mapping[str, float]) -> int:
    """How many runs have another end now than when they were first seen finished.

    The last ones end between two looks and were never seen before: nothing is known against them.
    """
    seen = runs[runs["id"].isin(list(ends))]
    return int((seen["id"].map(ends) != seen["finished_at"]).sum())
