"""``python -m studio.reading_child FILE TABLE_ID NAME KIND``: reads one file and keeps it.

Reports on standard output, one JSON object per line: ``{"share": 0.4, …}`` while it reads, then
``{"done": true}`` or ``{"error": "…"}``.
"""

import contextlib
import json
import os
import sys

import pyarrow as pa

from frem_core.datasets import read_edges, read_table
from frem_core.errors import FremError
from frem_core.store.tables import TableKind
from studio.tables import the_tables

_POLITENESS = 19  # the server answers viewers first


def main(file: str, table_id: str, name: str, kind: TableKind = "table") -> None:
    """Reads ``file`` and keeps it under ``table_id``."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_POLITENESS)
    pa.set_cpu_count(max(1, (os.cpu_count() or 1) - 1))  # one core stays free for the server
    try:
        frame = (
            read_edges(file)
            if kind == "edges"
            else read_table(
                file,
                progress=lambda share, message: _report(share=round(share, 3), message=message),
            )
        )
        the_tables().keep(frame, table_id=table_id, name=name, kind=kind)
    except FremError as error:
        _report(error=str(error))
    else:
        _report(done=True)


def _report(**news: object) -> None:
    sys.stdout.write(json.dumps(news) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]  # the last one is a kind of table
