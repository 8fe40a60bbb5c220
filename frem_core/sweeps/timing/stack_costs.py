"""What stacks of runs cost in processor time: those that run, those that wait, those that ran."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any, Final

import pandas as pd

from frem_core.sweeps.timing.stopwatch import stacked

# Until a run has been evaluated: it takes as long as so many epochs of a run that is trained alone
# (8 to 13 on the built-in tables).
_EPOCHS_OF_EVALUATION: Final = 10.0
# Until a model with a limit has been trained: an epoch of it beside one of the unfair model, which
# has no penalty (0.9 for Reg-HGR to 2.7 for FREM on the built-in tables).
_WITH_LIMIT: Final = 1.6
_BETWEEN: Final = 2.0  # seconds: a probe, after the unfair model and before those with limits
# A worker's first stack reads the table and warms up, later ones only prepare the rows.
_LATER_READING: Final = 0.1
_SAVING: Final = 0.2  # seconds
# What is known from before counts as much as so many epochs of this sweep.
_EPOCHS_OF_HISTORY: Final = 3.0
_NEWEST: Final = 2
_EVALUATING: Final = re.compile(r"evaluating(?: (\d+) of (\d+))?")
#: What decides how long an epoch takes, beside method and limits.
_TRAITS: Final = (
    "dataset",
    "config.training.batch_size",
    "config.training.encoder",
    "config.training.hidden",
)

_COSTS: Final = (
    "reading_processor",
    "probing_processor",
    "probing_left",
    "epoch_processor",
    "unfair_processor",
    "evaluation_processor",
    "slowdown",
    "load",
)
#: All that is asked of a run here; it has a hundred more columns.
COLUMNS: Final = (
    *("id", "state", "method", "bundle", "stage", "epoch", "epochs", "config.limit"),
    *("queued_at", "started_at", "finished_at", "facts.host"),
    *_TRAITS,
    *(f"seconds.{name}" for name in _COSTS),
)
# A run; pages ask every second about hundreds, of which pandas would make hundreds of tables.
Row = Mapping[Hashable, Any]


@dataclass(frozen=True)
class Stack:
    """Runs that are trained side by side; costs are seconds of the processor.

    Attributes:
        kind: what decides how long an epoch takes.
        has_limits: whether the unfair model is trained before.
        size: how many runs they are.
        epochs: of all of them, those of the unfair model included.
        trained: how many of these are done.
        started: when.
        spent: seconds on the clock since then, or until the end.
        reading: until its data was there; None while it is not.
        probing: from then to the first epoch; None while that has not begun.
        probing_left: of that, as far as the probe tells.
        epoch: of one run; before the first one as the probe foretells it.
        unfair: an epoch of the unfair model.
        evaluation: of one run; None while none is done.
        slowdown: seconds on the clock for one of the processor, lately.
        load: how many processes wanted each core of its machine in the minute before it began.
        evaluated: how many runs are; None before evaluation begins.
        is_done: whether all are finished.
    """

    kind: str
    has_limits: bool
    size: int
    epochs: float
    trained: float
    started: float
    spent: float
    reading: float | None
    probing: float | None
    probing_left: float | None
    epoch: float | None
    unfair: float | None
    evaluation: float | None
    slowdown: float | None
    load: float | None
    evaluated: int | None
    is_done: bool

    @classmethod
    def of(cls, rows: Sequence[Row], now: float) -> "Stack":
        """Reads the runs of one stack."""
        finished = sum(row["state"] == "done" for row in rows)
        is_done = finished == len(rows)
        is_queued = all(row["state"] == "queued" for row in rows)
        started = now if is_queued else float(min(row["started_at"] for row in rows))
        end = float(max(row["finished_at"] for row in rows)) if is_done else now
        known = {} if is_queued else {name: _known(rows, name) for name in _COSTS}
        has_limits = any(pd.notna(row.get("config.limit")) for row in rows)
        stage = rows[-1]["stage"]  # the last one is saved last
        return cls(
            kind=_kind(rows, has_limits),
            has_limits=has_limits,
            size=len(rows),
            epochs=float(sum(row["epochs"] for row in rows)),
            trained=0.0 if is_queued else float(sum(row["epoch"] for row in rows)),
            started=started,
            spent=max(end - started, 0.0),
            reading=known.get("reading_processor"),
            probing=known.get("probing_processor"),
            probing_left=known.get("probing_left"),
            epoch=known.get("epoch_processor"),
            unfair=known.get("unfair_processor"),
            evaluation=known.get("evaluation_processor"),
            slowdown=known.get("slowdown"),
            load=known.get("load"),
            evaluated=len(rows) if finished else _evaluated(stage),
            is_done=is_done,
        )

    @property
    def own_epochs(self) -> float:
        """The epochs of its runs without those of the unfair model, of which there are as many."""
        return self.epochs / 2 if self.has_limits else self.epochs

    @property
    def pace(self) -> float | None:
        """An epoch of one run, were it alone; None while nothing tells."""
        if self.epoch is not None:
            return self.epoch / stacked(self.size)
        if self.unfair is not None:
            return _WITH_LIMIT * self.unfair / stacked(self.size)
        return None

    @property
    def seen(self) -> float:
        """How many epochs its pace rests on; a forecast counts as one that is hardly there."""
        has_own = self.epoch is not None and self.probing is not None
        before = self.own_epochs if self.has_limits else 0.0
        return max((self.trained - before) / self.size, 0.1) if has_own else 0.1


@dataclass(frozen=True)
class Costs:
    """What the parts of a stack cost, in seconds of the processor.

    Attributes:
        first: what comes before the first epoch, in a worker that has not read the data yet.
        before: the same in a later stack.
        paces: an epoch of a run that is trained alone, by kind; "" is the mean over kinds.
        unfair: an epoch of the unfair model that limits refer to.
        evaluation: of one run.
    """

    first: float
    before: float
    paces: dict[str, float]
    unfair: float
    evaluation: float

    @classmethod
    def of(cls, stacks: Sequence[Stack], earlier: Sequence[Stack], workers: int) -> "Costs | None":
        """Learns from the stacks of a sweep, and from earlier ones while those tell little.

        Args:
            stacks: of the sweep, begun or ended.
            earlier: ended ones of earlier sweeps, on the same data.
            workers: how many of them are trained at once.
        """
        in_order = sorted(stacks, key=lambda one: one.started)
        paces = _paces(in_order, earlier)
        if not paces:
            return None
        paces[""] = mean(paces.values())
        every = [*earlier, *in_order]
        evaluations = _all(in_order, "evaluation")[-_NEWEST:] or _all(earlier, "evaluation")
        readings = _all(in_order[:workers], "reading")
        later = _all(in_order[workers:], "reading") or _all(earlier, "reading")
        reading = max(readings or later or [0.0])
        again = median(later or [_LATER_READING * reading])
        probing = median(_all(in_order, "probing") or _all(earlier, "probing") or [0.0])
        unfair = _all(every, "unfair")
        told = [one.pace for one in in_order if one.epoch is not None and one.pace is not None]
        return cls(
            first=reading + probing,
            before=again + probing,
            paces=paces,
            unfair=unfair[-1] if unfair else paces[""] / _WITH_LIMIT,
            # By epochs that were seen, where some were: what limits will take is a guess itself.
            evaluation=mean(evaluations or [_EPOCHS_OF_EVALUATION * mean(told or [paces[""]])]),
        )

    def length(self, stack: Stack) -> float:
        """The cost of a whole stack."""
        return self.before + self._training(stack, 0.0) + stack.size * self.evaluation + _SAVING

    def left(self, stack: Stack, slowdown: float) -> float:
        """What a stack that runs will still cost."""
        if stack.evaluated is not None:
            own = self.evaluation if stack.evaluation is None else stack.evaluation
            return max(stack.size - stack.evaluated - 0.5, 0.0) * own + _SAVING
        after = stack.size * self.evaluation + _SAVING
        if stack.probing is None:
            read = max(self.first - stack.spent / slowdown, 0.0)
            before = read if stack.probing_left is None else stack.probing_left
            return before + self._training(stack, 0.0) + after
        return self._training(stack, stack.trained) + after

    def _pace(self, stack: Stack) -> float:
        """An epoch of one run, were it alone; once a stack has trained some, its own tell."""
        of_kind = self.paces.get(stack.kind, self.paces[""])
        if stack.is_done or stack.pace is None:
            return of_kind
        seen = stack.seen
        return (stack.pace * seen + of_kind * _EPOCHS_OF_HISTORY) / (seen + _EPOCHS_OF_HISTORY)

    def _training(self, stack: Stack, trained: float) -> float:
        """The epochs that come after some; one of them is under way."""
        pace = self._pace(stack) * stacked(stack.size)
        half = 0.5 * stack.size if trained else 0.0
        to_come = max(stack.epochs - trained - half, 0.0)
        own = min(to_come, stack.own_epochs)
        own_unfair = self.unfair if stack.unfair is None else stack.unfair
        between = _BETWEEN if to_come > own else 0.0
        return own * pace + between + (to_come - own) / stack.size * own_unfair


def _paces(stacks: Sequence[Stack], earlier: Sequence[Stack]) -> dict[str, float]:
    """An epoch of a run that is trained alone, by kind: what earlier ones took, until own tell."""
    paces = {}
    for kind in dict.fromkeys(one.kind for one in [*stacks, *earlier]):
        own = [(one.pace, one.seen) for one in stacks if one.kind == kind and one.pace is not None]
        before = [one.pace for one in earlier if one.kind == kind and one.pace is not None]
        if before:
            own.append((median(before), _EPOCHS_OF_HISTORY))
        if own:
            paces[kind] = sum(pace * seen for pace, seen in own) / sum(seen for _, seen in own)
    return paces


def _all(stacks: Iterable[Stack], what: str) -> list[float]:
    return [value for one in stacks if (value := getattr(one, what)) is not None]


def _kind(rows: Sequence[Row], has_limits: bool) -> str:
    """Equal for stacks whose epochs take equally long."""
    traits = [str(rows[0].get(name)) for name in _TRAITS]
    # Beside models with limits others are trained.
    return "|".join([str(rows[0]["method"]), "within limits" if has_limits else "", *traits])


def _known(rows: Sequence[Row], name: str) -> float | None:
    """The mean over runs of what is known by name; None where nothing is."""
    values = [float(value) for row in rows if pd.notna(value := row.get(f"seconds.{name}"))]
    return mean(values) if values else None


def _evaluated(stage: Any) -> int | None:
    """How many runs of a stack are evaluated, by its stage: "evaluating 3 of 5"."""
    found = _EVALUATING.match(str(stage))
    return None if found is None else int(found[1] or 1) - 1
