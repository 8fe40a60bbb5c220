"""``python -m studio.reading_child FILE TABLE_ID NAME KIND``: reads one file and keeps it.

Reports ``share``, from 0 to 1, while it reads.
"""

import os

import pyarrow as pa

from frem_core.datasets import read_edges, read_table
from frem_core.datasets.tables.read_table import check_is_table
from frem_core.home import data_home
from frem_core.store.tables import TableKind, Tables
from studio.child import Report, run_child

_POLITENESS = 19  # files may be large


def main(report: Report, file: str, table_id: str, name: str, kind: TableKind = "table") -> None:
    """Reads ``file`` and keeps it under ``table_id``."""
    pa.set_cpu_count(max(1, (os.cpu_count() or 1) - 1))  # one core stays free for the server
    if kind == "edges":
        frame = read_edges(file)
    else:
        frame = read_table(file, progress=lambda share, _message: report(share=round(share, 3)))
        check_is_table(frame, name)
    Tables(data_home() / "tables").keep(frame, table_id=table_id, name=name, kind=kind)


if __name__ == "__main__":
    run_child(main, politeness=_POLITENESS)
