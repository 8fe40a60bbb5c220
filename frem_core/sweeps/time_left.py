"""How far a sweep is and how long the rest takes, judged by what its own runs took so far.

Everything counts: reading the data, choosing γ, training and evaluating, and the load of the
machine, because all of it is in the time between the start of a stack and its end.
"""

import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

# Of a run's time, while none has been evaluated yet: most trainings take longer than that.
_EVALUATION_SHARE = 0.1
# A stack that has done less than this says nothing about its length.
_LEAST_SHARE = 0.04
_EVALUATING = re.compile(r"evaluating(?: (\d+) of (\d+))?")


@dataclass(frozen=True)
class TimeLeft:
    """How far a sweep is.

    Attributes:
        seconds: until its last run is finished; None while too little is known to tell.
        share: what is done of the whole work, from 0 to 1.
    """

    seconds: float | None
    share: float


def time_left(runs: pd.DataFrame, now: float) -> TimeLeft:
    """Judges the rest of a sweep by its runs.

    The runs of a stack are trained together. What it has done in its time tells its own end, and
    how long a run of its method takes; the mean over methods stands for those not begun yet.
    As many stacks as run now will run side by side until the end.

    Args:
        runs: of one sweep, as `Store.runs.frame` gives them.
        now: seconds since 1970.
    """
    alive = runs["state"].isin(["running", "queued"])
    if not alive.any():
        return TimeLeft(None, 1.0)
    # Runs that were finished for an earlier sweep say nothing about the pace of this one.
    begun = runs[runs["started_at"] >= float(runs.loc[alive, "queued_at"].min())]
    stacks = [
        _Stack.of(rows, now, _evaluation_share(begun))
        for _, rows in begun[begun["state"].isin(["running", "done"])].groupby("bundle")
    ]
    epochs = float(runs["epochs"].sum()) or 1.0
    known = [one for one in stacks if one.share >= _LEAST_SHARE]
    queued = runs[runs["state"] == "queued"]
    if not known:
        return TimeLeft(None, float(runs["epoch"].sum()) / epochs * (1 - _EVALUATION_SHARE))
    pace = _pace(known)
    of_queued = sum(
        float(own["epochs"].sum()) * pace.get(str(method), pace[""])
        for method, own in queued.groupby("method")
    )
    running = [
        max(one.length(pace) - one.spent, 0.05 * one.spent) for one in stacks if not one.is_done
    ]
    side_by_side = max(len(running), 1)
    left = sum(running) + of_queued
    spent = sum(one.spent for one in stacks)
    seconds = max(left / side_by_side, max(running, default=0.0))
    return TimeLeft(seconds, min(spent / (spent + left), 0.99))


@dataclass(frozen=True)
class _Stack:
    """Runs that are trained side by side.

    Attributes:
        method: their method.
        epochs: of all of them.
        spent: seconds since the start, or until the end.
        share: what is done of their work.
        is_done: whether all are finished.
    """

    method: str
    epochs: float
    spent: float
    share: float
    is_done: bool

    @classmethod
    def of(cls, rows: pd.DataFrame, now: float, evaluation: float) -> "_Stack":
        is_done = bool((rows["state"] == "done").all())
        end = float(rows["finished_at"].max()) if is_done else now
        trained = float(rows["epoch"].sum()) / (float(rows["epochs"].sum()) or 1.0)
        evaluated = _evaluated(rows["stage"].iloc[0]) if trained >= 1 else 0.0
        share = 1.0 if is_done else (1 - evaluation) * trained + evaluation * evaluated
        spent = max(end - float(rows["started_at"].iloc[0]), 1e-3)
        return cls(str(rows["method"].iloc[0]), float(rows["epochs"].sum()), spent, share, is_done)

    def length(self, pace: dict[str, float]) -> float:
        """Seconds from start to end, as it is now; in the beginning as others of its method."""
        usual = pace.get(self.method, pace[""]) * self.epochs
        if self.share < _LEAST_SHARE:
            return usual
        return self.spent / self.share


def _pace(stacks: list[_Stack]) -> dict[str, float]:
    """Seconds for an epoch of one run, all included, by method; "" is the mean over methods."""
    table = pd.DataFrame(
        [(one.method, one.spent, one.share * one.epochs) for one in stacks],
        columns=["method", "spent", "epochs"],
    )
    sums = table.groupby("method")[["spent", "epochs"]].sum()
    quotients = sums["spent"] / sums["epochs"]
    pace = {str(method): float(value) for method, value in quotients.items()}
    return pace | {"": float(sum(pace.values()) / len(pace))}


def _evaluation_share(runs: pd.DataFrame) -> float:
    """Which share of a run's time is evaluation, as its finished runs tell."""
    if "seconds.evaluation" not in runs or runs["seconds.evaluation"].isna().all():
        return _EVALUATION_SHARE
    parts = runs.filter(regex=r"^seconds\.(training|choosing_gamma|evaluation)$").sum()
    return float(min(max(parts["seconds.evaluation"] / parts.sum(), 0.01), 0.9))


def _evaluated(stage: Any) -> float:
    """What is evaluated of a stack, by its stage: "evaluating 3 of 5"."""
    found = _EVALUATING.match(str(stage))
    if found is None or found[1] is None:
        return 0.0
    return (int(found[1]) - 1) / int(found[2])
