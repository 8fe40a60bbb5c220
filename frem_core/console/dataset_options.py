"""The options that choose a dataset: a built-in one by name, or any table or graph by path."""

import csv
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import Progress

from frem_core.console.setting_option import section_option
from frem_core.console.terminal import messages
from frem_core.roles import COLUMN_LISTS, TASKS, role_names, role_words

if TYPE_CHECKING:
    import pandas as pd

    from frem_core.datasets import Dataset, DatasetSpec

SECTION = "Data"


class ColumnList(click.ParamType):  # type: ignore[type-arg]
    """Column names, separated by commas; a name with a comma goes into double quotes."""

    name = "columns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the names."""
        if not isinstance(value, str):
            return value
        names = next(csv.reader([value], skipinitialspace=True), [])
        return tuple(name.strip() for name in names if name.strip())


def dataset_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``--dataset`` and the roles of a table's columns; `described_dataset` reads them."""
    dataset = section_option(
        SECTION,
        "--dataset",
        required=True,
        metavar="NAME|FILE",
        help="A built-in dataset (see 'frem datasets') or a CSV, TSV, Parquet or Excel file.",
    )
    return dataset(role_options(function))


def role_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds an option for the edges of a graph and one for each role a column can play."""
    edges = section_option(
        SECTION,
        "--edges",
        metavar="FILE",
        help="Edges between the rows of a file, which make it a graph: two ids a line, a "
        "Parquet file or a SciPy .npz matrix.",
    )
    options = [_role_option(name) for name in role_names()]
    options.insert(role_names().index("id"), edges)
    for option in reversed(options):
        function = option(function)
    return function


def _role_option(name: str) -> Callable[..., Any]:
    words, metavar = role_words(name)
    settings: dict[str, Any] = {"help": words, "metavar": metavar}
    if name == "task":
        settings |= {"type": click.Choice(TASKS), "default": "auto", "show_default": True}
        del settings["metavar"]
    elif name in COLUMN_LISTS:
        settings["type"] = ColumnList()
    elif name == "sensitive":
        settings |= {"multiple": True, "callback": _one_or_several}
    return section_option(SECTION, f"--{name.replace('_', '-')}", name, **settings)


def _one_or_several(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> str | tuple[str, ...] | None:
    """One column as it is, several as a tuple."""
    return given if len(given) > 1 else next(iter(given), None)


def described_dataset(options: Mapping[str, Any]) -> "DatasetSpec":
    """The description in the options of `dataset_options`; other options are passed over."""
    from frem_core.datasets import DatasetSpec

    names = ("edges", *role_names())
    given = {name: options[name] for name in names if options.get(name)}
    return DatasetSpec.of(options["dataset"], **given)


def load_with_progress(spec: "DatasetSpec") -> "Dataset":
    """Loads a dataset and shows how far a file has been read."""
    if spec.path is None:
        return spec.load()
    spec.check()
    with reading_progress(spec.path) as progress:
        return spec.load(progress=progress)


def read_with_progress(path: str) -> "pd.DataFrame":
    """Reads a table whose columns have no roles yet, and shows how far it got."""
    from frem_core.datasets import read_table

    with reading_progress(path) as progress:
        return read_table(path, progress=progress)


@contextmanager
def reading_progress(path: str) -> Iterator[Callable[[float, str], None]]:
    """Shows how far a file has been read; gives what to call with a share and a message."""
    console = messages()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        reading = bar.add_task(f"Reading {Path(path).name}", total=1.0)
        yield lambda fraction, _message: bar.update(reading, completed=fraction)
