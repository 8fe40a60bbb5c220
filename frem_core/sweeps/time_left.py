"""How far a sweep is and how long the rest takes, judged by what its own runs took so far.

Everything counts: reading the data, choosing γ, training and evaluating. Each has its own pace,
because reading says nothing about how long an epoch takes, and an epoch nothing about evaluation.
All of it is wall time of the last moments, so that the load of the machine is in it.
"""

import heapq
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any, Final

import pandas as pd

# While no run has been evaluated yet: an evaluation takes as long as so many epochs of one run.
_EPOCHS_OF_EVALUATION: Final = 8.0
# A worker's first stack reads the table and warms up, later ones only prepare the rows.
_LATER_READING: Final = 0.1
# Until a model with a limit has been trained: an epoch of it beside one of the unfair model, which
# has no penalty (0.9 for Reg-HGR to 2.7 for FREM on the built-in tables), and the probe between.
_WITH_LIMIT: Final = 1.6
_PROBING: Final = 2.0  # seconds
# So many of the newest stacks tell the load of now, where none is trained at the moment.
_NEWEST: Final = 2
_SAVING: Final = 0.2  # seconds
# All that is asked of a run here; it has a hundred more columns.
_COLUMNS: Final = (
    *("state", "method", "bundle", "stage", "epoch", "epochs"),
    *("queued_at", "started_at", "finished_at", "config.limit"),
    *(f"seconds.{name}" for name in ("reading", "probing", "epoch", "evaluation")),
)
_EVALUATING: Final = re.compile(r"evaluating(?: (\d+) of (\d+))?")


# A run; pages ask every second about hundreds, of which pandas would make hundreds of tables.
_Row = Mapping[Hashable, Any]


@dataclass(frozen=True)
class TimeLeft:
    """How far a sweep is.

    Attributes:
        seconds: until its last run is finished; None while too little is known to tell.
        share: what is done of the whole work, from 0 to 1.
    """

    seconds: float | None
    share: float


def time_left(runs: pd.DataFrame, now: float, *, missing: int = 0) -> TimeLeft:
    """Judges the rest of a sweep by its runs.

    A stack is told by its own reports: how long it read, how long an epoch took lately, how long
    the evaluation of a run. The newest stacks of a method stand for those that wait, the mean over
    methods for methods that have not begun, and each worker takes the next one when it is free.

    Args:
        runs: of one sweep, as `Store.runs.frame` gives them.
        now: seconds since 1970.
        missing: runs that a search will add.
    """
    alive = runs["state"].isin(["running", "queued"])
    if not alive.any() and not missing:
        return TimeLeft(None, 1.0)
    runs = runs[[name for name in _COLUMNS if name in runs]]
    # Runs that were finished for an earlier sweep say nothing about the pace of this one.
    since = float(runs.loc[alive, "queued_at"].min()) if alive.any() else float("-inf")
    begun = runs[(runs["started_at"] >= since) & runs["state"].isin(["running", "done"])]
    stacks = [_Stack.of(rows, now) for rows in _by_bundle(begun)]
    costs = _Costs.of(stacks)
    if costs is None:
        return TimeLeft(None, 0.0)
    running = [costs.left(one) for one in stacks if not one.is_done]
    waiting = [
        costs.length(_kind(rows), len(rows), float(sum(row["epochs"] for row in rows)))
        for rows in _by_bundle(runs[runs["state"] == "queued"])
    ]
    if missing:
        waiting += _searched(runs, missing, costs)
    seconds = _until_the_last(running, waiting, _side_by_side(stacks))
    spent = sum(one.spent for one in stacks)
    return TimeLeft(seconds, min(spent / (spent + sum(running) + sum(waiting)), 0.99))


@dataclass(frozen=True)
class _Stack:
    """Runs that are trained side by side.

    Attributes:
        kind: their method, and whether they have limits.
        size: how many they are.
        epochs: of all of them.
        trained: how many of these are done.
        started: when.
        spent: seconds since then, or until the end.
        reading: seconds until its data was there; None while it is not.
        probing: seconds from then to the first epoch; None while that has not begun.
        epoch: seconds of an epoch of one run, lately; None while none is done.
        evaluation: seconds of the evaluation of one run; None while none is done.
        evaluated: how many runs are; None before evaluation begins.
        is_unfair: whether the unfair model that limits refer to is trained.
        is_done: whether all are finished.
    """

    kind: str
    size: int
    epochs: float
    trained: float
    started: float
    spent: float
    reading: float | None
    probing: float | None
    epoch: float | None
    evaluation: float | None
    evaluated: int | None
    is_unfair: bool
    is_done: bool

    @classmethod
    def of(cls, rows: Sequence[_Row], now: float) -> "_Stack":
        finished = sum(row["state"] == "done" for row in rows)
        is_done = finished == len(rows)
        started = float(min(row["started_at"] for row in rows))
        end = float(max(row["finished_at"] for row in rows)) if is_done else now
        stage = str(rows[-1]["stage"])  # the last one is saved last
        return cls(
            kind=_kind(rows),
            size=len(rows),
            epochs=float(sum(row["epochs"] for row in rows)),
            trained=float(sum(row["epoch"] for row in rows)),
            started=started,
            spent=max(end - started, 1e-3),
            reading=_known(rows, "reading"),
            probing=_known(rows, "probing"),
            epoch=_known(rows, "epoch"),
            evaluation=_known(rows, "evaluation"),
            evaluated=len(rows) if finished else _evaluated(stage),
            is_unfair=stage.startswith("training the unfair model"),
            is_done=is_done,
        )

    def training_left(self) -> float:
        """Seconds of training to come, by the pace of the last epochs."""
        if self.epoch is None or self.is_done or self.evaluated is not None:
            return 0.0
        half = 0.5 * self.size  # one epoch is under way
        if self.is_unfair:
            own = self.epochs / 2
            to_come = max(own - self.trained - half, 0.0) + own * _WITH_LIMIT * self.size
            return to_come * self.epoch + _PROBING
        return max(self.epochs - self.trained - half, 0.0) * self.epoch

    def training_pace(self, evaluation: float) -> float | None:
        """Seconds of an epoch of one run, over the whole training; None while nothing tells."""
        if self.epoch is None:
            return None
        evaluated = self.size if self.is_done else self.evaluated or 0
        before = (self.reading or 0.0) + (self.probing or 0.0)
        trained = max(self.spent - before - evaluated * evaluation, 0.0)
        if not self.is_done:  # what is to come meets the load of now
            trained = min(trained, self.trained * self.epoch)
        return (trained + self.training_left()) / self.epochs


@dataclass(frozen=True)
class _Costs:
    """What the parts of a stack take, in seconds.

    Attributes:
        before: the first epoch of a stack that waits.
        epoch: of one run, by kind; "" is the mean over kinds.
        evaluation: of one run.
        whole: kinds of which a stack has been seen beyond its unfair model.
    """

    before: float
    epoch: dict[str, float]
    evaluation: float
    whole: frozenset[str]

    @classmethod
    def of(cls, stacks: "Sequence[_Stack]") -> "_Costs | None":
        """Learns from the stacks of a sweep; None while none has trained an epoch."""
        in_order = sorted(stacks, key=lambda one: one.started)
        epochs = [one.epoch for one in in_order if one.epoch is not None]
        if not epochs:
            return None
        evaluations = [one.evaluation for one in in_order if one.evaluation is not None]
        evaluation = (
            mean(evaluations[-_NEWEST:]) if evaluations else _EPOCHS_OF_EVALUATION * mean(epochs)
        )
        readings = [one.reading for one in in_order if one.reading is not None]
        probings = [one.probing for one in in_order if one.probing is not None]
        first = _side_by_side(stacks)
        before = median(readings[first:] or [_LATER_READING * mean(readings or [0.0])])
        before += median(probings[first:] or probings or [0.0])
        whole = frozenset(one.kind for one in stacks if one.epoch and not one.is_unfair)
        return cls(before, _paces(in_order, evaluation, whole), evaluation, whole)

    def length(self, kind: str, size: int, epochs: float) -> float:
        """Seconds of a stack that waits."""
        pace = self.epoch.get(kind, self.epoch[""])
        return self.before + epochs * pace + size * self.evaluation

    def left(self, stack: _Stack) -> float:
        """Seconds until a stack that runs has ended."""
        if stack.evaluated is not None:
            own = self.evaluation if stack.evaluation is None else stack.evaluation
            return max(stack.size - stack.evaluated - 0.5, 0.0) * own + _SAVING
        evaluation = stack.size * self.evaluation + _SAVING
        if stack.is_unfair and stack.kind in self.whole:  # the others know what is to come
            until_now = (stack.reading or 0.0) + (stack.probing or 0.0)
            training = stack.epochs * self.epoch[stack.kind] - (stack.spent - until_now)
            return max(training, stack.training_left() / 4) + evaluation
        if stack.epoch is not None:
            return stack.training_left() + evaluation
        before = min(stack.spent, self.before) if stack.probing is None else self.before
        return self.length(stack.kind, stack.size, stack.epochs) - before


def _paces(
    in_order: Sequence[_Stack], evaluation: float, whole: frozenset[str]
) -> dict[str, float]:
    """Seconds of an epoch of one run, by kind, at the load of now; "" is the mean over kinds.

    How much slower the stacks that run now are than others of their kind holds for all kinds.
    """
    known = [
        (one, pace)
        for one in in_order
        if not (one.is_unfair and one.kind in whole)
        and (pace := one.training_pace(evaluation)) is not None
    ]
    own = {
        kind: mean(pace for one, pace in known if one.kind == kind)
        for kind in dict.fromkeys(one.kind for one, _ in known)
    }
    now = [(one, pace) for one, pace in known if not one.is_done] or known[-_NEWEST:]
    load = mean(pace / own[one.kind] if own[one.kind] else 1.0 for one, pace in now)
    paces = {kind: load * pace for kind, pace in own.items()}
    return paces | {"": mean(paces.values())}


def _until_the_last(running: Sequence[float], waiting: Sequence[float], workers: int) -> float:
    """When the last one ends, if each worker takes the next as soon as it is free."""
    free_at = sorted([*running, *[0.0] * max(workers - len(running), 0)]) or [0.0]
    for length in waiting:
        heapq.heapreplace(free_at, free_at[0] + length)
    return max(free_at)


def _side_by_side(stacks: Sequence[_Stack]) -> int:
    """How many are trained at once: as many as were when the newest began, or as are now."""
    newest = max(one.started for one in stacks)
    ends = [one.started + one.spent for one in stacks if one.is_done]
    then = len(stacks) - sum(end <= newest for end in ends)
    return max(then, sum(not one.is_done for one in stacks), 1)


def _searched(runs: pd.DataFrame, missing: int, costs: _Costs) -> list[float]:
    """The stacks that a search will add, like those it has."""
    size = int(runs.groupby("bundle").size().max())
    epochs = float(runs["epochs"].mean())
    sizes = [size] * (missing // size) + ([missing % size] if missing % size else [])
    return [costs.length("", one, one * epochs) for one in sizes]


def _by_bundle(runs: pd.DataFrame) -> list[list[_Row]]:
    """The runs of each stack, in the order in which stacks appear."""
    stacks: dict[object, list[_Row]] = {}
    for row in runs.to_dict("records"):
        stacks.setdefault(row["bundle"], []).append(row)
    return list(stacks.values())


def _kind(rows: Sequence[_Row]) -> str:
    """The method of a stack; beside models with limits others are trained."""
    method = str(rows[0]["method"])
    has_limits = any(pd.notna(row.get("config.limit")) for row in rows)
    return f"{method} within limits" if has_limits else method


def _known(rows: Sequence[_Row], what: str) -> float | None:
    """The mean over runs of what is known by name; None where nothing is."""
    values = [float(value) for row in rows if pd.notna(value := row.get(f"seconds.{what}"))]
    return mean(values) if values else None


def _evaluated(stage: Any) -> int | None:
    """How many runs of a stack are evaluated, by its stage: "evaluating 3 of 5"."""
    found = _EVALUATING.match(str(stage))
    if found is None:
        return None
    return int(found[1] or 1) - 1
