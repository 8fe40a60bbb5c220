"""Shows a running training as a bar with its loss and penalty."""

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from frem_core.console.terminal import messages
from frem_core.training import Callback, EpochRecord, TrainingStack


class TrainingProgress(Callback):
    """A callback to be used in a ``with`` block around the training.

    Args:
        title: what is trained, e.g. "FREM".
    """

    def __init__(self, title: str) -> None:
        console = messages()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("epochs"),
            TextColumn("{task.fields[losses]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=None, losses="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def on_training_start(self, stack: TrainingStack) -> None:
        """Sets the number of epochs, and where a resumed training starts."""
        self._bar.update(
            self._task,
            description=stack.method.title,  # a limit trains the unfair model first
            total=stack.total_epochs,
            completed=stack.epochs_done,
        )

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        """Moves the bar on."""
        loss, penalty = (float(record.values[name].mean()) for name in ("task_loss", "penalty"))
        # Epochs that train the head alone have no penalty.
        shown = f"loss {loss:.4f}" + (f"  penalty {penalty:.4f}" if penalty == penalty else "")
        self._bar.update(self._task, completed=record.epoch, losses=shown)
