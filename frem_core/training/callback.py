"""Named moments at which others may watch a training, or steer it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

    from frem_core.training.stack import EpochRecord, TrainingStack


class Callback:
    """Override what is of interest: a progress bar, a log, a store.

    A callback must not change the stack; an exception it raises ends the training.
    """

    def on_training_start(self, stack: "TrainingStack") -> None:
        """Before the first epoch, also after resuming (``stack.epochs_done`` says from where)."""

    def on_epoch_end(self, stack: "TrainingStack", record: "EpochRecord") -> None:
        """After every epoch, with its record."""

    def on_training_end(self, stack: "TrainingStack") -> None:
        """After the last epoch; not when the training was cancelled."""


class Controller:
    """Moves the fairness weights of a stack while it trains; the loop asks it after every epoch.

    What it keeps between epochs is part of a checkpoint, so that a resumed training ends as if it
    had never been interrupted.
    """

    def steer(self, stack: "TrainingStack") -> dict[str, NDArray[np.float64]]:
        """May change ``stack.fairness_weights`` (B,); returns what to record, (B,) by name."""
        raise NotImplementedError

    def state(self) -> "dict[str, Tensor]":
        """What it remembers."""
        raise NotImplementedError

    def restore(self, state: "dict[str, Tensor]") -> None:
        """Takes up what `state` gave."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """What determines its moves, as plain values: part of a checkpoint's identity."""
        raise NotImplementedError
