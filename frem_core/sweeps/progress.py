"""Collects the epochs of a bundle and passes them on a few times a second."""

import time
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

from frem_core.sweeps.timing.stopwatch import Stopwatch
from frem_core.training import Callback, EpochRecord, TrainingStack

_SECONDS_BETWEEN_REPORTS = 0.5
PROBING = "measuring which fairness weights matter"

#: Plain values: ``runs`` (which of the bundle), ``epoch``, ``stage``, ``timings`` (what is known of
#: `Stopwatch.timings`) and, once the final training runs, ``first`` and ``records`` (per run,
#: per epoch).
Report = dict[str, Any]


class BundleProgress:
    """Turns epochs of stacks into reports about runs.

    Args:
        size: how many runs the bundle has.
        send: takes a report; called at most twice a second, and at every change of stage.

    Attributes:
        watch: what the parts cost.
    """

    def __init__(self, size: int, send: Callable[[Report], None]) -> None:
        self._everyone = list(range(size))
        self._send = send
        self._epochs_before = 0
        self.watch = Stopwatch()

    def stage(self, words: str) -> None:
        """Says what the whole bundle does now."""
        self.send({"runs": self._everyone, "stage": words})

    def send(self, report: Report) -> None:
        """Sends a report, with what is known of the costs and the load."""
        self.watch.look()
        self._send({**report, "timings": dict(self.watch.timings)})

    def probing(self, rows: int, batch_size: int) -> Callback:
        """Watches the two short trainings that measure which fairness weights matter.

        Args:
            rows: that will be trained on.
            batch_size: rows of a step.
        """
        return _Probing(self, ceil(rows / batch_size))

    def choosing(self, candidates: Sequence[float]) -> Callback:
        """Watches the trainings that choose γ: their epochs count, their curves are not kept."""
        words = [f"choosing γ: trying {gamma:g}" for gamma in candidates]
        return _Before(self, words, "epoch_processor", len(self._everyone))

    def unfair(self) -> Callback:
        """Watches the training of the unfair model that limits are relative to."""
        words = ["training the unfair model to compare with"]
        return _Before(self, words, "unfair_processor", 1)

    def training(self, places: Sequence[int]) -> Callback:
        """Watches the final training of the runs at these places of the bundle."""
        return _Training(self, list(places))


class _Probing(Callback):
    """Watches a probe: one member at a time, first on the rows as they are, then on shuffled."""

    def __init__(self, progress: BundleProgress, steps_of_epoch: int) -> None:
        self._progress = progress
        self._steps_of_epoch = steps_of_epoch
        self._steps = 0
        self._last = 0.0

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        steps = ceil(len(stack.data) / stack.config.batch_size)
        self._steps += steps
        self._progress.watch.probed(
            self._steps,
            2 * stack.total_epochs * steps,
            steps_of_epoch=self._steps_of_epoch,
            size=len(self._progress._everyone),
        )
        if time.monotonic() - self._last >= _SECONDS_BETWEEN_REPORTS:
            self._last = time.monotonic()
            self._progress.stage(PROBING)


class _Before(Callback):
    """Watches what is trained before the runs themselves; one stage for each training."""

    def __init__(
        self, progress: BundleProgress, stages: Sequence[str], timing: str, size: int
    ) -> None:
        self._progress = progress
        self._stages = iter(stages)
        self._timing = timing
        self._size = size
        self._words = ""
        self._last = 0.0

    def on_training_start(self, stack: TrainingStack) -> None:
        self._progress.watch.training_starts(self._timing)
        self._words = next(self._stages)
        self._report(stack.epochs_done)

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self._progress.watch.epoch_ends(self._size)
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
        self._progress.watch.training_starts()
        self._waiting = list(stack.history)  # after resuming: what the store may have lost
        self._flush(stack)

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self._waiting.append(record)
        self._progress.watch.epoch_ends(len(self._places))
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
