"""Named moments at which others may watch a training."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
