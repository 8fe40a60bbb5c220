"""``python -m frem_core`` is the ``frem`` command."""

import sys

from frem_core.extras import MissingExtraError, import_module


def main() -> None:
    """Entry point of the installed command; the core alone is told what it lacks."""
    try:
        command = import_module("frem_core.cli").main
    except MissingExtraError as error:
        sys.exit(f"Error: {error}")
    command()


if __name__ == "__main__":
    main()
