"""Which dataset a sweep is about: a built-in one, a kept table or graph, or files."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import pandas as pd

from frem_core.datasets import (
    Dataset,
    addable_datasets,
    available_datasets,
    load_dataset,
    read_edges,
    read_table,
    tables_to_graph,
)
from frem_core.datasets.tables.table_to_dataset import tidy_table_to_dataset
from frem_core.errors import ConfigError, did_you_mean
from frem_core.home import data_home
from frem_core.store.tables import TableKind, Tables, table_id_of
from frem_core.sweeps.sections import check_keys, choice, text

_SECTION = "[dataset]"
_SOURCES = ("name", "table", "path")
_TASKS = ("auto", "classification", "regression")


@dataclass(frozen=True, kw_only=True)
class DatasetSpec:
    """A dataset by name, or a table with the roles of its columns.

    Attributes:
        name: a built-in dataset; then nothing else is given.
        table: the id of a kept table.
        path: a CSV, TSV, Parquet or Excel file.
        target: column of the table to predict.
        sensitive: continuous column that predictions must not follow.
        edges: a file of edges between the rows, which makes the table a graph.
        edge_table: the id of a kept edge list.
        id: column of the table that the edges refer to; None when they hold row numbers.
        features: columns to predict from; None for all others.
        task: ``"auto"``, ``"classification"`` or ``"regression"``.
        positive_class: which of two classes counts as 1; None for the usual rule.
    """

    name: str | None = None
    table: str | None = None
    path: str | None = None
    target: str | None = None
    sensitive: str | None = None
    edges: str | None = None
    edge_table: str | None = None
    id: str | None = None
    features: tuple[str, ...] | None = None
    task: str = "auto"
    positive_class: str | None = None

    def __post_init__(self) -> None:
        given = [source for source in _SOURCES if getattr(self, source) is not None]
        if len(given) != 1:
            raise ConfigError(
                f"{_SECTION} must give exactly one of name (built in), table (the id of a kept "
                f"table) and path (a file); it gives {', '.join(given) or 'none'}."
            )
        choice(_SECTION, "task", self.task, _TASKS)
        if self.name is not None:
            self._check_builtin(self.name)
        else:
            text(_SECTION, "target", self.target)
            text(_SECTION, "sensitive", self.sensitive)
            self._check_edges()

    @property
    def preset(self) -> str:
        """Which built-in dataset this is, empty for a table: settings are looked up by it."""
        return self.name or ""

    @property
    def is_graph(self) -> bool:
        """Whether edges are given; a built-in dataset may be a graph of its own accord."""
        return self.edges is not None or self.edge_table is not None

    def _check_edges(self) -> None:
        if self.edges is not None and self.edge_table is not None:
            raise ConfigError(
                f"{_SECTION} gives both edges (a file) and edge_table (the id of a kept edge "
                "list); leave out one of them."
            )
        if self.id is not None and not self.is_graph:
            raise ConfigError(
                f"id in {_SECTION} says what the edges of a graph refer to; give edges as well, "
                "or leave it out."
            )

    def _check_builtin(self, name: str) -> None:
        roles = (
            *(self.target, self.sensitive, self.features, self.positive_class),
            *(self.edges, self.edge_table, self.id),
        )
        if any(role is not None for role in roles) or self.task != "auto":
            raise ConfigError(
                f"The columns of the built-in dataset '{name}' are fixed; leave out target, "
                "sensitive, edges, id, features, task and positive_class, or give a table or path."
            )
        if name not in (*available_datasets(), *addable_datasets()):
            raise ConfigError(
                f"There is no built-in dataset '{name}'; there are "
                f"{', '.join(available_datasets())}. A file is given as path."
                + did_you_mean(name, available_datasets())
            )

    def load(self, tables: Tables | None = None) -> Dataset:
        """Loads the dataset.

        Args:
            tables: where kept tables lie; the user's own data folder by default.
        """
        if self.name is not None:
            return load_dataset(self.name)
        kept = tables or Tables(data_home() / "tables")
        if self.path is not None:
            frame, name = read_table(self.path), Path(self.path).name
        else:
            frame, name = kept.load(str(self.table)), kept.find(str(self.table)).name
        roles: dict[str, Any] = {
            "target": str(self.target),
            "sensitive": str(self.sensitive),
            "features": self.features,
            "task": self.task,
            "positive_class": self.positive_class,
            "name": name,
        }
        if not self.is_graph:
            return tidy_table_to_dataset(frame, **roles)
        edges, edges_name = self._edges(kept)
        return tables_to_graph(frame, edges, id=self.id, edges_name=edges_name, **roles)

    def _edges(self, kept: Tables) -> tuple[pd.DataFrame, str]:
        if self.edges is not None:
            return read_edges(self.edges), Path(self.edges).name
        return read_edges(kept.load(str(self.edge_table))), kept.find(str(self.edge_table)).name

    def kept(self, tables: Tables) -> "DatasetSpec":
        """Keeps the tables of files, so that they can be loaded when the files have moved."""
        spec = self
        if self.path is not None:
            table_id = _keep(tables, Path(self.path), "table")
            spec = replace(spec, path=None, table=table_id)
        if self.edges is not None:
            table_id = _keep(tables, Path(self.edges), "edges")
            spec = replace(spec, edges=None, edge_table=table_id)
        return spec

    def to_dict(self) -> dict[str, Any]:
        """Returns what was given, as plain values."""
        values = {key: value for key, value in asdict(self).items() if value is not None}
        if self.task == "auto":
            del values["task"]
        if self.features is not None:
            values["features"] = list(self.features)
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], folder: Path | None = None) -> "DatasetSpec":
        """Reads a section; a relative path is one from ``folder``."""
        check_keys(_SECTION, values, (field.name for field in fields(cls)))
        settings = dict(values)
        if "features" in settings:
            settings["features"] = tuple(_names(settings["features"]))
        for key in set(settings) - {"features"}:
            text(_SECTION, key, settings[key])
        if folder is not None:
            for key in {"path", "edges"} & set(settings):
                settings[key] = str(folder / settings[key])
        return cls(**settings)


def _keep(tables: Tables, file: Path, kind: TableKind) -> str:
    """Keeps what is in a file, unless it is kept already, and returns its id."""
    table_id = table_id_of(file)
    if table_id not in {table.id for table in tables.list() if table.kind == kind}:
        frame = read_table(file) if kind == "table" else read_edges(file)
        tables.keep(frame, table_id=table_id, name=file.name, kind=kind)
    return table_id


def _names(value: Any) -> list[str]:
    if not isinstance(value, list | tuple) or not value:
        raise ConfigError(f"features in {_SECTION} must be a list of column names.")
    return [text(_SECTION, "features", name) for name in value]
