"""Which dataset is meant: a built-in one, a kept table or a file, with the roles of its columns.

Pages, command line, sweeps and audits all describe a dataset by a `DatasetSpec`. It is written as
a section of a TOML file (`to_dict`), as parameters of an address (`to_address`) or as options of a
command (`DatasetSpec.of`), and it loads the dataset.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Protocol

import pandas as pd

from frem_core.datasets.catalogue import available_datasets, known_datasets, load_dataset
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.graphs.load_graph import check_edges_fit, tables_to_graph
from frem_core.datasets.graphs.read_edges import read_edges
from frem_core.datasets.tables.csv_reader import Progress
from frem_core.datasets.tables.read_table import check_is_table, read_table
from frem_core.datasets.tables.table_to_dataset import split_table
from frem_core.errors import ConfigError, DataError, did_you_mean
from frem_core.roles import COLUMN_LISTS, TASKS, Roles, role_names
from frem_core.sections import check_keys, choice, text

TABLE_PREFIX: Final = "table-"
_SECTION: Final = "[dataset]"
_SOURCES: Final = ("name", "table", "path")
# The order of the TOML file; all other roles follow. Stored sweeps are recognised by its text.
_FIRST: Final = (*_SOURCES, "target", "sensitive", "edges", "edge_table")
# What an address calls them; it never names a file, or whoever reaches a page could read it.
_IN_ADDRESS: Final = {
    **{name: name for name in role_names()},
    "id": "node_id",
    "positive_class": "positive",
    "edge_table": "edges",
}
ADDRESS_PARAMETERS: Final = ("dataset", *_IN_ADDRESS.values())


class _Kept(Protocol):
    @property
    def name(self) -> str: ...


class KeptTables(Protocol):
    """Where tables lie that were kept: `frem_core.store.Tables`."""

    def load(self, table_id: str) -> pd.DataFrame:
        """Reads a table."""

    def find(self, table_id: str) -> _Kept:
        """What is known of a table."""


@dataclass(frozen=True, kw_only=True)
class DatasetSpec(Roles):
    """A dataset by name, or a table with the roles of its columns.

    Attributes:
        name: a built-in dataset; then nothing else is given.
        table: the id of a kept table.
        path: a CSV, TSV, Parquet or Excel file.
        edges: a file of edges between the rows, which makes the table a graph.
        edge_table: the id of a kept edge list.

    Example:
        >>> spec = DatasetSpec.of("people.csv", target="joined", sensitive="age")
        >>> spec.to_dict()
        {'path': 'people.csv', 'target': 'joined', 'sensitive': 'age'}
        >>> DatasetSpec.of("crime").load().n_rows
        1994
    """

    name: str | None = None
    table: str | None = None
    path: str | None = None
    edges: str | None = None
    edge_table: str | None = None

    @classmethod
    def of(cls, name_or_path: str, **roles: Any) -> "DatasetSpec":
        """A built-in dataset by name, or a file by path; the name wins where both exist."""
        path = Path(name_or_path)
        is_path = path.exists() or bool(path.suffix) or path.name != name_or_path
        if name_or_path not in known_datasets() and is_path:
            return cls(path=name_or_path, **roles)
        return cls(name=name_or_path, **roles)

    @property
    def preset(self) -> str:
        """Which built-in dataset this is, empty for a table: settings are looked up by it."""
        return self.name or ""

    @property
    def is_graph(self) -> bool:
        """Whether edges are given; a built-in dataset may be a graph of its own accord."""
        return self.edges is not None or self.edge_table is not None

    @property
    def is_complete(self) -> bool:
        """Whether there is enough to load the dataset."""
        return self.name is not None or super().is_complete

    def check(self) -> None:
        """Raises a ConfigError, in words that fit a file, a form and a command, when it is wrong.

        Whether the table has these columns is seen when it is loaded.
        """
        given = [source for source in _SOURCES if getattr(self, source) is not None]
        if len(given) != 1:
            raise ConfigError(
                "A dataset must give exactly one of name (built in), table (the id of a kept "
                f"table) and path (a file); it gives {', '.join(given) or 'none'}."
            )
        choice(_SECTION, "task", self.task, TASKS)
        if self.name is not None:
            self._check_builtin(self.name)
            return
        missing = [role for role in ("target", "sensitive") if getattr(self, role) is None]
        if missing:
            words = f"say with {' and '.join(missing)} which columns to use."
            hint = f" 'frem datasets show {self.path}' lists them." if self.path else ""
            raise ConfigError(f"'{self.path or self.table}' is a table: {words}{hint}")
        if self.edges is not None and self.edge_table is not None:
            raise ConfigError(
                "Both edges (a file) and edge_table (the id of a kept edge list) are given; leave "
                "out one of them."
            )
        if self.id is not None and not self.is_graph:
            raise ConfigError(
                "id says what the edges of a graph refer to; give edges as well, or leave it out."
            )

    def _check_builtin(self, name: str) -> None:
        if name not in known_datasets():
            raise ConfigError(
                f"There is no built-in dataset '{name}'; there are "
                f"{', '.join(available_datasets())}. A table of your own is given by its path."
                + did_you_mean(name, available_datasets())
            )
        edges = [key for key in ("edges", "edge_table") if getattr(self, key) is not None]
        fixed = [*self.given, *edges]
        if fixed:
            raise ConfigError(
                f"The columns of '{name}' are fixed, it is built in; leave out "
                f"{', '.join(fixed)}, or give a table of your own."
            )

    def load(self, tables: KeptTables | None = None, progress: Progress | None = None) -> Dataset:
        """Loads the dataset.

        Args:
            tables: where kept tables lie; needed where one is named.
            progress: called as ``progress(fraction, message)`` while a file is read.

        Raises:
            ConfigError: the description is wrong.
            DataError: the table, or these columns of it, cannot be used.
        """
        self.check()
        if self.name is not None:
            return load_dataset(self.name)
        if self.path is not None:
            name = Path(self.path).name
            frame = check_is_table(read_table(self.path, progress=progress), name)
        else:
            frame, name = _kept(tables, str(self.table))
        if not self.is_graph:
            return split_table(frame, self, name=name).dataset
        if self.edges is not None:
            check_edges_fit(self.edges, self)
            edges, edges_name = read_edges(self.edges), Path(self.edges).name
        else:
            kept, edges_name = _kept(tables, str(self.edge_table))
            edges = read_edges(kept)
        return tables_to_graph(frame, edges, name=name, edges_name=edges_name, **self.given)

    def with_features(self, columns: Iterable[str]) -> "DatasetSpec":
        """The same with the columns that are used written out, instead of those left out."""
        if not self.leave_out:
            return self
        taken = {self.target, *self.all_sensitive, self.id, *self.leave_out}
        features = tuple(name for name in columns if name not in taken)
        return replace(self, features=features, leave_out=())

    def with_left_out(self, columns: Iterable[str]) -> "DatasetSpec":
        """The same with the columns that are not used written out, instead of the features."""
        if self.features is None:
            return self
        used = {self.target, *self.all_sensitive, self.id, *self.features}
        left = tuple(name for name in columns if name not in used)
        return replace(self, features=None, leave_out=left)

    def to_dict(self) -> dict[str, Any]:
        """Returns what was given, as plain values."""
        sources = {key: getattr(self, key) for key in _FIRST}
        values = {**sources, **self.given}
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in values.items()
            if value is not None
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], folder: Path | None = None) -> "DatasetSpec":
        """Reads a section; a relative path is one from ``folder``."""
        names = [field.name for field in fields(cls) if field.name != "also_sensitive"]
        check_keys(_SECTION, values, sorted(names, key=lambda name: name not in _FIRST))
        settings = dict(values)
        for key, value in values.items():
            if key in COLUMN_LISTS or (key == "sensitive" and isinstance(value, list | tuple)):
                settings[key] = _columns(key, value)
            else:
                text(_SECTION, key, value)
        if folder is not None:
            for key in {"path", "edges"} & set(settings):
                settings[key] = str(folder / settings[key])
        spec = cls(**settings)
        spec.check()
        return spec

    def to_address(self) -> dict[str, str | list[str]]:
        """The parameters that carry the description in an address."""
        roles = {**self.given, "edge_table": self.edge_table}
        written = {_IN_ADDRESS[name]: value for name, value in roles.items() if value is not None}
        return {"dataset": self.key} | {
            name: list(value) if isinstance(value, tuple) else str(value)
            for name, value in written.items()
        }

    @classmethod
    def from_address(cls, parameters: Mapping[str, Sequence[str]]) -> "DatasetSpec":
        """Reads what `to_address` wrote, however incomplete; `load` checks it.

        Args:
            parameters: all values of each of ``ADDRESS_PARAMETERS`` that is there.
        """
        dataset = parameters["dataset"][0]
        roles: dict[str, Any] = {}
        for name, written in _IN_ADDRESS.items():
            values = parameters.get(written)
            if values:
                several = name in COLUMN_LISTS or (name == "sensitive" and len(values) > 1)
                roles[name] = tuple(values) if several else values[0]
        if dataset.startswith(TABLE_PREFIX):
            return cls(table=dataset.removeprefix(TABLE_PREFIX), **roles)
        return cls(name=dataset, **roles)

    @property
    def key(self) -> str:
        """What an address and widgets call it: a built-in name, or ``table-`` and an id."""
        return self.name if self.name is not None else f"{TABLE_PREFIX}{self.table}"


def _kept(tables: KeptTables | None, table_id: str) -> tuple[pd.DataFrame, str]:
    if tables is None:
        raise DataError(f"The table {table_id} lies in a store; say in which, or give its file.")
    return tables.load(table_id), tables.find(table_id).name


def _columns(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise ConfigError(f"{key} in {_SECTION} must be a list of column names.")
    return tuple(text(_SECTION, key, name) for name in value)
