"""A sweep as files that mean the same on another computer."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from frem_core.errors import DataError
from frem_core.store import Store
from frem_core.sweeps.spec import SweepSpec


def portable_sweep(store: Store, sweep: str, *, name: str = "sweep.toml") -> dict[str, bytes]:
    """Returns the description of a sweep with the tables it needs, by file name.

    Within a store a table is known by its id, which says nothing elsewhere: the description then
    names a file, and the file is among those returned. The runs are the same ones: what identifies
    them is the content of the table.

    Args:
        store: where the sweep is.
        sweep: its id.
        name: of the TOML file.
    """
    text = store.sweeps.spec(sweep)
    spec = SweepSpec.from_toml(text)
    files: dict[str, bytes] = {}
    changes: dict[str, Any] = {}
    for kept, path in (("table", "path"), ("edge_table", "edges")):
        table = getattr(spec.dataset, kept)
        if table is None:
            continue
        try:
            title = store.tables.find(table).name
            content = store.tables.read_bytes(table)
        except (DataError, OSError):
            return {name: text.encode()}  # the table is gone; its id is all there is
        file = _file_name(title, taken=files)
        files[file] = content
        changes |= {kept: None, path: file}
    if changes:
        text = replace(spec, dataset=replace(spec.dataset, **changes)).to_toml()
    return {name: text.encode(), **files}


def _file_name(title: str, *, taken: dict[str, bytes]) -> str:
    """The name of the file a table came from, as Parquet: that is how tables are kept."""
    stem = re.sub(r"[^\w.-]+", "-", Path(title).stem).strip("-.")[:60] or "table"
    return f"{stem}.parquet" if f"{stem}.parquet" not in taken else f"{stem}-edges.parquet"
