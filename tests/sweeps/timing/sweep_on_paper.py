"""Sweeps that nobody trains: the table a store would show at any moment, and when they end."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

LATELY = 30.0


@dataclass(frozen=True)
class Load:
    """Seconds on the clock for one of the processor, and how many from a moment on."""

    first: float = 1.0
    then: float = 1.0
    since: float = float("inf")

    def processor(self, start: float, end: float) -> float:
        """Seconds of the processor between two moments."""
        before = max(min(end, self.since) - start, 0.0)
        return before / self.first + (end - start - before) / self.then

    def after(self, start: float, processor: float) -> float:
        """The moment at which so much has been computed."""
        before = max(self.since - start, 0.0) / self.first
        if processor <= before:
            return start + processor * self.first
        return max(start, self.since) + (processor - before) * self.then


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
    free, rows = [0.0] * workers, []
    for number, one in enumerate(stacks):
        start = free[0]
        end = load.after(start, one.cost)
        heapq.heapreplace(free, end)
        state = "queued" if now < start else "done" if now >= end else "running"
        done = 0.0 if state == "queued" else load.processor(start, min(now, end))
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
            since = max(start, until - LATELY)
            moments["seconds.slowdown"] = (until - since) / load.processor(since, until)
        rows += [{**moments, **_told(one, done, f"{number}-{run}")} for run in range(one.size)]
    return pd.DataFrame(rows), max(free)


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
