"""Stops a running training when somebody asks for it."""

from collections.abc import Callable
from time import monotonic

from frem_core.errors import FremError

SECONDS_BETWEEN_CHECKS = 0.2


class TrainingCancelledError(FremError):
    """A training was stopped on request; a checkpoint, if one was asked for, can be resumed."""


class StopCheck:
    """Asks ``should_stop`` at each epoch, and inside long epochs about five times a second.

    Args:
        should_stop: returns True to stop, e.g. the ``is_set`` of an event; None never stops.
    """

    def __init__(self, should_stop: Callable[[], bool] | None) -> None:
        self._should_stop = should_stop
        self._last = monotonic()

    def at_epoch_start(self) -> None:
        """Raises TrainingCancelledError when asked to stop."""
        self._last = monotonic()
        if self._should_stop is not None and self._should_stop():
            raise TrainingCancelledError("The training was stopped on request.")

    def between_batches(self) -> None:
        """The same, but only when the last check is a while ago: asking may be a remote call."""
        if monotonic() - self._last >= SECONDS_BETWEEN_CHECKS:
            self.at_epoch_start()
