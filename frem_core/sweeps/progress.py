"""Collects the epochs of a bundle and passes them on a few times a second."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from frem_core.training import Callback, EpochRecord, TrainingStack

_SECONDS_BETWEEN_REPORTS = 0.5

#: Plain values: ``runs`` (which of the bundle), ``epoch``, ``stage`` and, once the final training
#: runs, ``first`` and ``records`` (per run, per epoch).
Report = dict[str, Any]


class BundleProgress:
    """Turns epochs of stacks into reports about runs.

    Args:
        size: how many runs the bundle has.
        send: takes a report; called at most twice a second, and at every change of stage.
    """

    def __init__(self, size: int, send: Callable[[Report], None]) -> None:
        self._everyone = list(range(size))
        self._send = send
        self._epochs_before = 0

    def stage(self, words: str) -> None:
        """Says what the whole bundle does now."""
        self._send({"runs": self._everyone, "stage": words})

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
        self._words = next(self._stages)
        self._report(stack.epochs_done)

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        if time.monotonic() - self._last >= _SECONDS_BETWEEN_REPORTS:
            self._report(record.epoch)

    def on_training_end(self, stack: TrainingStack) -> None:
        self._progress._epochs_before += stack.total_epochs

    def _report(self, epoch: int) -> None:
        self._last = time.monotonic()
        done = self._progress._epochs_before + epoch
        self._progress._send(
            {"runs": self._progress._everyone, "epoch": done, "stage": self._words}
        )


class _Training(Callback):
    def __init__(self, progress: BundleProgress, places: list[int]) -> None:
        self._progress = progress
        self._places = places
        self._waiting: list[EpochRecord] = []
        self._last = 0.0

    def on_training_start(self, stack: TrainingStack) -> None:
        self._waiting = list(stack.history)  # after resuming: what the store may have lost
        self._flush(stack)

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self._waiting.append(record)
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
        self._progress._send(report)
