"""Sweeps that nobody trains: the table a store would show at any moment, and when they end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from frem_core.sweeps.timing.stopwatch import SECONDS_OF_LOAD


@dataclass(frozen=True)
class Load:
    """Seconds on the clock for one of the processor, and how many from a moment on.

    Where workers share what they get of the machine, one that has fewer beside it is faster.
    """

    first: float = 1.0
    then: float = 1.0
    since: float = float("inf")
    is_shared: bool = False

    def at(self, moment: float, busy: int, workers: int) -> float:
        """Of each worker at a moment, where so many of them are busy."""
        of_all = self.first if moment < self.since else self.then
        return max(of_all * busy / workers, 1.0) if self.is_shared else of_all


@dataclass(frozen=True)
class _Stretch:
    """A time in which nothing changes."""

    start: float
    end: float
    slowdown: float

    def processor(self, start: float, end: float) -> float:
        """Seconds of the processor that each busy worker has of it between two moments."""
        return max(min(end, self.end) - max(start, self.start), 0.0) / self.slowdown


@dataclass(frozen=True)
class Paper:
    """A stack; costs are seconds of the processor."""

    method: str = "frem"
    size: int = 3
    epochs: int = 100
    reading: float = 5.0
    probing: float = 0.0
    epoch: float = 0.3  # of the whole stack
    evaluation: float = 2.0  # of one run
    unfair: float | None = None  # an epoch of the unfair model, where there are limits

    @property
    def before(self) -> float:
        """Until the first epoch of its own runs."""
        return self.reading + self.probing + self.epochs * (self.unfair or 0.0)

    @property
    def cost(self) -> float:
        """Of everything."""
        return self.before + self.epochs * self.epoch + self.size * self.evaluation


def at(
    now: float, stacks: Sequence[Paper], *, workers: int, load: Load
) -> tuple[pd.DataFrame, float]:
    """The runs at a moment, and when the last one will have ended."""
    starts, ends, stretches = _trained([one.cost for one in stacks], workers, load)

    def processor(start: float, end: float) -> float:
        return sum(one.processor(start, end) for one in stretches)

    rows = []
    for number, (one, start, end) in enumerate(zip(stacks, starts, ends, strict=True)):
        state = "queued" if now < start else "done" if now >= end else "running"
        done = 0.0 if state == "queued" else processor(start, min(now, end))
        moments = {
            "bundle": str(number),
            "state": state,
            "queued_at": 0.0,
            "started_at": float("nan") if state == "queued" else start,
            "finished_at": end if state == "done" else float("nan"),
            "seconds.slowdown": float("nan"),
        }
        if state != "queued" and done >= one.reading:
            until = min(now, end)
            since = max(start, until - SECONDS_OF_LOAD)
            moments["seconds.slowdown"] = (until - since) / processor(since, until)
        rows += [{**moments, **_told(one, done, f"{number}-{run}")} for run in range(one.size)]
    return pd.DataFrame(rows), max(ends)


def _trained(
    costs: Sequence[float], workers: int, load: Load
) -> tuple[list[float], list[float], list[_Stretch]]:
    """When each stack begins and ends, and what the clock did meanwhile."""
    starts, ends = [0.0] * len(costs), [0.0] * len(costs)
    left, waiting = dict[int, float](), list(range(len(costs)))
    stretches, now = [], 0.0
    while left or waiting:
        while waiting and len(left) < workers:
            next_one = waiting.pop(0)
            starts[next_one], left[next_one] = now, costs[next_one]
        slowdown = load.at(now, len(left), workers)
        end = now + slowdown * min(left.values())
        end = min(end, load.since) if now < load.since else end
        stretches.append(_Stretch(now, end, slowdown))
        left = {which: cost - (end - now) / slowdown for which, cost in left.items()}
        for which in [which for which, cost in left.items() if cost < 1e-9]:
            ends[which] = end
            del left[which]
        now = end
    return starts, ends, stretches


def _told(one: Paper, done: float, name: str) -> dict[str, Any]:
    """What a worker has said of a run after so much processor time."""
    begun = done >= one.reading + one.probing
    unfair = 0
    if begun and one.unfair:
        unfair = min(int((done - one.reading - one.probing) / one.unfair + 1e-9), one.epochs)
    own = min(max(int((done - one.before) / one.epoch + 1e-9), 0), one.epochs)
    evaluated = int((done - one.before - one.epochs * one.epoch) / one.evaluation + 1e-9)
    stage = "training" if begun else "starting"
    if one.unfair and not own:
        stage = "training the unfair model to compare with"
    if own == one.epochs:
        stage = f"evaluating {min(evaluated + 1, one.size)} of {one.size}"
    nothing = float("nan")
    return {
        "id": name,
        "dataset": "paper",
        "method": one.method,
        "config.limit": "50%" if one.unfair else None,
        "stage": stage,
        "epoch": unfair + own,
        "epochs": one.epochs * (2 if one.unfair else 1),
        "seconds.reading_processor": one.reading if done >= one.reading else nothing,
        "seconds.probing_processor": one.probing if begun else nothing,
        "seconds.epoch_processor": one.epoch / one.size if own else nothing,
        "seconds.unfair_processor": one.unfair if unfair else nothing,
        "seconds.evaluation_processor": one.evaluation if evaluated > 0 else nothing,
    }
