"""``python -m frem_core`` is the ``frem`` command."""

from frem_core.cli import main

main()
