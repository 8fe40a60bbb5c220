"""The child's side of work beside a page; the page's side is `studio.child_job`.

It imports nothing of pages, and a child should not either: it is there a second sooner then.
"""

import contextlib
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Protocol

from frem_core.errors import FremError
from frem_core.settings import whole_number


class Report(Protocol):
    """How a child tells its job something."""

    def __call__(self, **news: object) -> None:
        """Reports values that JSON knows; ends the process when nobody listens any more."""


def run_child(main: Callable[..., None], *, politeness: int = 10) -> None:
    """The child's side: does the work and says how it went.

    Reports own the standard output: what anything else prints goes to the terminal.

    Args:
        main: the work; called with a :class:`Report` and the arguments of the process.
        politeness: niceness of the process, so that the server answers its viewers first; no more
            than FREM_NICENESS where that is set.
    """
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def report(**news: object) -> None:
        try:
            output.write(json.dumps(news) + "\n")
            output.flush()
        except BrokenPipeError:
            os._exit(0)  # a usual end would complain about what could not be written

    try:
        _give_way(politeness)
        main(report, *sys.argv[1:])
    except FremError as error:
        report(end="failed", message=str(error), is_foreseen=True)
    except Exception as error:
        traceback.print_exc()
        report(end="failed", message=f"{type(error).__name__}: {error}")
    else:
        report(end="done")


def _give_way(politeness: int) -> None:
    most = whole_number("FREM_NICENESS")
    with contextlib.suppress(AttributeError, OSError):
        os.nice(politeness if most is None else min(politeness, most))
