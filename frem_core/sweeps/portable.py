"""A sweep as files that mean the same on another computer."""

import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from frem_core.errors import DataError
from frem_core.store import Store
from frem_core.store.tables import Tables
from frem_core.sweeps.spec import SweepSpec


def portable_sweep(store: Store, sweep: str, *, name: str = "sweep.toml") -> dict[str, bytes]:
    """Returns the description of a sweep with the tables it needs, by file name.

    Args:
        store: where the sweep is.
        sweep: its id.
        name: of the TOML file.
    """
    return portable_files(store.sweeps.spec(sweep), store.tables, name=name)


def portable_files(text: str, tables: Tables, *, name: str = "sweep.toml") -> dict[str, bytes]:
    """Returns a description with the tables it needs, by file name.

    Within a store a table is known by its id, which says nothing elsewhere: the description then
    names a file, and the file is among those returned. The runs are the same ones: what identifies
    them is the content of the table.

    Args:
        text: the description, as TOML.
        tables: what it may refer to.
        name: of the TOML file.
    """
    spec = SweepSpec.from_toml(text)
    files: dict[str, bytes] = {}
    changes: dict[str, Any] = {}
    for kept, path in (("table", "path"), ("edge_table", "edges")):
        table = getattr(spec.dataset, kept)
        if table is None:
            continue
        try:
            title = tables.find(table).name
            content = tables.read_bytes(table)
        except (DataError, OSError):
            return {name: text.encode()}  # the table is gone; its id is all there is
        file = _file_name(title, taken=files)
        files[file] = content
        changes |= {kept: None, path: file}
    if changes:
        text = replace(spec, dataset=replace(spec.dataset, **changes)).to_toml()
    return {name: text.encode(), **files}


def needs_tables(text: str) -> bool:
    """Whether a description refers to tables that only its store knows."""
    dataset = SweepSpec.from_toml(text).dataset
    return dataset.table is not None or dataset.edge_table is not None


def portable_file(text: str, tables: Tables, *, name: str = "sweep.toml") -> bytes:
    """Returns :func:`portable_files` as one: a zip where tables are needed, else the TOML."""
    files = portable_files(text, tables, name=name)
    if not needs_tables(text):
        return files[name]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, part in files.items():
            archive.writestr(file, part)
    return content.getvalue()


def runs_by_dataset_name(runs: pd.DataFrame, store: Store) -> pd.DataFrame:
    """Returns runs with the name of their dataset before its fingerprint."""
    known = store.datasets.frame().set_index("hash")["name"]
    named = runs.copy()
    named.insert(list(runs.columns).index("dataset"), "dataset_name", runs["dataset"].map(known))
    return named


def _file_name(title: str, *, taken: dict[str, bytes]) -> str:
    """The name of the file a table came from, as Parquet: that is how tables are kept."""
    stem = re.sub(r"[^\w.-]+", "-", Path(title).stem).strip("-.")[:60] or "table"
    return f"{stem}.parquet" if f"{stem}.parquet" not in taken else f"{stem}-edges.parquet"
