"""What happened in a drill, summed over its rounds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pandas as pd

_SUMS = (
    *("sweeps", "runs", "set_aside", "lost", "twice", "files", "different", "attempts"),
    *("seconds", "calm_seconds", "calm_runs"),
)
_NOTHING = float("nan")


@dataclass
class Drill:
    """What happened in one setting."""

    kills: dict[str, int] = field(default_factory=dict)
    sweeps: int = 0
    runs: int = 0
    set_aside: int = 0
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
    def run_seconds(self) -> float:
        """Wall time per run, with kills."""
        return self.seconds / self.runs if self.runs else _NOTHING

    @property
    def calm_run_seconds(self) -> float:
        """Wall time per run when nothing happens."""
        return self.calm_seconds / self.calm_runs if self.calm_runs else _NOTHING

    @property
    def lost_seconds(self) -> float:
        """Wall time beyond that of as many undisturbed runs, per kill."""
        late = (self.run_seconds - self.calm_run_seconds) * self.runs
        return late / self.all_kills if self.all_kills else _NOTHING


def added_up(rounds: Iterable[Drill]) -> Drill:
    """Several rounds as one."""
    whole = Drill()
    for one in rounds:
        whole.add(one)
    return whole


def timed(rounds: Iterable[Drill]) -> Drill:
    """The rounds that also trained an undisturbed sweep, just before: only these can be compared.

    How fast the machine is depends on what else it does, which changes from round to round.
    """
    return added_up(one for one in rounds if one.calm_runs)


def ended_again(runs: pd.DataFrame, ends: Mapping[str, float]) -> int:
    """How many runs have another end now than when they were first seen finished.

    The last ones end between two looks and were never seen before: nothing is known against them.
    """
    seen = runs[runs["id"].isin(list(ends))]
    return int((seen["id"].map(ends) != seen["finished_at"]).sum())
