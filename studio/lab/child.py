"""``python -m studio.lab.child ADDRESS``: runs one simulation of the Estimator lab.

ADDRESS holds the settings as the page's address does. Every batch of estimates is one line of JSON
on standard output. A process of its own keeps the server free for its viewers, can be stopped at
once, and ends by itself when the server is gone and nobody reads the output any more.
"""

import contextlib
import os
import sys
from urllib.parse import parse_qs

from frem_core.simulation import simulate
from studio.lab.settings import LabSettings

_POLITENESS = 10  # the server answers viewers first
_DIGITS = 15


def main(address: str) -> None:
    """Simulates and reports."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_POLITENESS)
    settings = LabSettings.from_address(parse_qs(address))
    for batch in simulate(
        settings.cells, settings.grid, replicates=settings.replicates, seed=settings.seed
    ):
        line = batch.to_json(orient="split", index=False, double_precision=_DIGITS)
        try:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # Nobody listens; without this the interpreter would complain while it closes stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
