"""Where a command writes, and how it ends when somebody presses Ctrl-C."""

import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from click.exceptions import Exit
from rich.console import Console
from rich.text import Text

INTERRUPTED = 130  # what shells expect of a command that was stopped by Ctrl-C


class _HarmlessConsole(Console):
    """Shows control characters as "�": those in a name could rewrite what a terminal shows."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Turns a string into what is printed; tables, too, do so with every cell."""
        return super().render_str(harmless(text), **options)


def harmless(text: str) -> str:
    r"""Returns a text that a terminal shows as it is; line breaks and tabs stay.

    >>> harmless("a\x1b[2Jb")
    'a�[2Jb'
    """
    return "".join(
        "�" if unicodedata.category(one) == "Cc" and one not in "\n\t" else one for one in text
    )


def echo_text(content: bytes) -> None:
    """Writes a text to standard output: to a file or pipe as it is, to a terminal harmless."""
    shown = harmless(content.decode()) if sys.stdout.isatty() else content
    click.echo(shown, nl=False)


def results() -> Console:
    """For tables a user asked for: standard output."""
    return _HarmlessConsole(highlight=False)


def messages() -> Console:
    """For progress and remarks: standard error, so that results sent to a file stay clean."""
    return _HarmlessConsole(stderr=True, highlight=False)


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
