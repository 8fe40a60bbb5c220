"""Where a command writes, and how it ends when somebody presses Ctrl-C."""

from collections.abc import Iterator
from contextlib import contextmanager

from click.exceptions import Exit
from rich.console import Console

INTERRUPTED = 130  # what shells expect of a command that was stopped by Ctrl-C


def results() -> Console:
    """For tables a user asked for: standard output."""
    return Console(highlight=False)


def messages() -> Console:
    """For progress and remarks: standard error, so that results sent to a file stay clean."""
    return Console(stderr=True, highlight=False)


@contextmanager
def stoppable(consequence: str) -> Iterator[None]:
    """Ends the command with exit code 130 at Ctrl-C, without a traceback.

    Args:
        consequence: one sentence on what was kept or lost.
    """
    try:
        yield
    except KeyboardInterrupt:
        messages().print(f"Stopped. {consequence}", style="yellow")
        raise Exit(INTERRUPTED) from None
