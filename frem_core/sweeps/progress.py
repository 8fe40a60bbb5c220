"""Collects the epochs of a bundle and passes them on a few times a second."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from frem_core.training import Callback, EpochRecord, TrainingStack

_SECONDS_BETWEEN_REPORTS = 0.5

# The pace is that of the epochs of the last seconds, and of a few epochs at least.
_SECONDS_OF_PACE = 15.0
_EPOCHS_OF_PACE = 4

#: Plain values: ``runs`` (which of the bundle), ``epoch``, ``stage``, ``timings`` (what is known of
#: `BundleProgress.timings`) and, once the final training runs, ``first`` and ``records`` (per run,
#: per epoch).
Report = dict[str, Any]


class BundleProgress:
    """Turns epochs of stacks into reports about runs.

    Args:
        size: how many runs the bundle has.
        send: takes a report; called at most twice a second, and at every change of stage.

    Attributes:
        timings: seconds of ``reading`` the data, of ``probing`` (from then to the first epoch), of
            an ``epoch`` of one run lately, and of the ``evaluation`` of one run, as far as known.
    """

    def __init__(self, size: int, send: Callable[[Report], None]) -> None:
        self._everyone = list(range(size))
        self._send = send
        self._epochs_before = 0
        self._began = time.perf_counter()
        self._marks: deque[tuple[float, int]] = deque()  # moments, and epochs of runs until then
        self._is_first = True
        self.timings: dict[str, float] = {}

    def stage(self, words: str) -> None:
        """Says what the whole bundle does now."""
        self.send({"runs": self._everyone, "stage": words})

    def send(self, report: Report) -> None:
        """Sends a report, with what is known of the bundle's pace."""
        self._send({**report, "timings": dict(self.timings)})

    def data_is_there(self) -> None:
        """Notes that reading is over."""
        self.timings["reading"] = time.perf_counter() - self._began

    def training_starts(self) -> None:
        """Begins to watch the pace; what came before is not training."""
        now = time.perf_counter()
        before = now - self._began - self.timings.get("reading", 0.0)
        self.timings.setdefault("probing", before)
        self._marks, self._is_first = deque([(now, 0)]), True

    def epoch_ends(self, runs: int) -> None:
        """Notes that so many runs have been trained for one more epoch."""
        now = time.perf_counter()
        self._marks.append((now, self._marks[-1][1] + runs))
        if self._is_first and len(self._marks) > 2:  # a first epoch warms up
            self._is_first = False
            self._marks.popleft()
        while len(self._marks) > _EPOCHS_OF_PACE + 1 and now - self._marks[1][0] > _SECONDS_OF_PACE:
            self._marks.popleft()
        (since, before), (_, after) = self._marks[0], self._marks[-1]
        self.timings["epoch"] = (now - since) / (after - before)

    def evaluation_took(self, seconds: float, runs: int) -> None:
        """Notes how long the evaluation of so many runs took."""
        self.timings["evaluation"] = seconds / runs

    def choosing(self, candidates: Sequence[float]) -> Callback:
        """Watches the trainings that choose γ: their epochs count, their curves are not kept."""
        return _Before(self, [f"choosing γ: trying {gamma:g}" for gamma in candidates])

    def unfair(self) -> Callback:
        """Watches the training of the unfair model that limits are relative to."""
        return _Before(self, ["training the unfair model to compare with"])

    def training(self, places: Sequence[int]) -> Callback:
        """Watches the final training of the runs at these places of the bundle."""
        return _Training(self, list(places))


class _Before(Callback):
    """Watches what is trained before the runs themselves; one stage for each training."""

    def __init__(self, progress: BundleProgress, stages: Sequence[str]) -> None:
        self._progress = progress
        self._stages = iter(stages)
        self._words = ""
        self._last = 0.0

    def on_training_start(self, stack: TrainingStack) -> None:
        self._progress.training_starts()
        self._words = next(self._stages)
        self._report(stack.epochs_done)

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self._progress.epoch_ends(len(self._progress._everyone))
        if time.monotonic() - self._last >= _SECONDS_BETWEEN_REPORTS:
            self._report(record.epoch)

    def on_training_end(self, stack: TrainingStack) -> None:
        self._progress._epochs_before += stack.total_epochs

    def _report(self, epoch: int) -> None:
        self._last = time.monotonic()
        done = self._progress._epochs_before + epoch
        self._progress.send({"runs": self._progress._everyone, "epoch": done, "stage": self._words})


class _Training(Callback):
    def __init__(self, progress: BundleProgress, places: list[int]) -> None:
        self._progress = progress
        self._places = places
        self._waiting: list[EpochRecord] = []
        self._last = 0.0

    def on_training_start(self, stack: TrainingStack) -> None:
        self._progress.training_starts()
        self._waiting = list(stack.history)  # after resuming: what the store may have lost
        self._flush(stack)

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self._waiting.append(record)
        self._progress.epoch_ends(len(self._places))
        if time.monotonic() - self._last >= _SECONDS_BETWEEN_REPORTS:
            self._flush(stack)

    def on_training_end(self, stack: TrainingStack) -> None:
        self._flush(stack)

    def _flush(self, stack: TrainingStack) -> None:
        self._last = time.monotonic()
        report: Report = {
            "runs": self._places,
            "epoch": self._progress._epochs_before + stack.epochs_done,
            "stage": "training",
            "first": stack.epochs_done - len(self._waiting),
            "records": [
                [
                    {name: float(values[member]) for name, values in record.values.items()}
                    for record in self._waiting
                ]
                for member in range(len(self._places))
            ],
        }
        self._waiting = []
        self._progress.send(report)
