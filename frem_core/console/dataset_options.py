"""The options that choose a dataset: a built-in one by name, or any table or graph by path."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import Progress

from frem_core.console.setting_option import section_option
from frem_core.console.terminal import messages
from frem_core.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

    from frem_core.datasets import Dataset

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

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands for the value in the help text."""
        return "COLUMN,COLUMN,…"


def dataset_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``--dataset`` and the roles of a table's columns; `chosen_dataset` reads them."""
    options = [
        section_option(
            SECTION,
            "--dataset",
            required=True,
            metavar="NAME|FILE",
            help="A built-in dataset (see 'frem datasets') or a CSV, TSV, Parquet or Excel file.",
        ),
        section_option(SECTION, "--target", metavar="COLUMN", help="Column of a file to predict."),
        section_option(
            SECTION,
            "--sensitive",
            metavar="COLUMN",
            help="Numeric column of a file that predictions must not follow.",
        ),
        section_option(
            SECTION,
            "--edges",
            metavar="FILE",
            help="Edges between the rows of a file, which make it a graph: two ids a line, a "
            "Parquet file or a SciPy .npz matrix.",
        ),
        section_option(
            SECTION,
            "--id",
            "node_id",
            metavar="COLUMN",
            help="Column of a file that the edges refer to.  [default: row numbers from 0]",
        ),
        section_option(
            SECTION,
            "--features",
            type=ColumnList(),
            help="Columns of a file to predict from.  [default: all others]",
        ),
        section_option(
            SECTION,
            "--task",
            type=click.Choice(["auto", "classification", "regression"]),
            default="auto",
            show_default=True,
            help="What to do with a file's target; two values make a classification.",
        ),
        section_option(
            SECTION, "--positive-class", metavar="LABEL", help="Which of two classes counts as 1."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def chosen_dataset(
    dataset: str,
    *,
    target: str | None,
    sensitive: str | None,
    edges: str | None,
    node_id: str | None,
    features: tuple[str, ...] | None,
    task: Any,
    positive_class: str | None,
) -> "Dataset":
    """Loads what the options of `dataset_options` name.

    Raises:
        ConfigError: the dataset is unknown, or roles are missing or given where they are fixed.
        DataError: the file cannot be used.
    """
    from frem_core.datasets import load_dataset, load_graph, table_to_dataset

    if not is_file_name(dataset):
        given = (target, sensitive, edges, node_id, features, positive_class, task != "auto")
        if any(given):
            raise ConfigError(
                f"The columns of '{dataset}' are fixed; leave out --target, --sensitive, --edges, "
                "--id, --features, --task and --positive-class, or give a file."
            )
        return load_dataset(dataset)
    if target is None or sensitive is None:
        roles = {"--target": target, "--sensitive": sensitive}
        missing = " and ".join(role for role, column in roles.items() if column is None)
        raise ConfigError(
            f"'{dataset}' is a file: say with {missing} which columns to use. "
            f"'frem datasets show {dataset}' lists them."
        )
    if node_id is not None and edges is None:
        raise ConfigError("--id names the column that edges refer to; give --edges as well.")
    columns: dict[str, Any] = {
        "target": target,
        "sensitive": sensitive,
        "features": features,
        "task": task,
        "positive_class": positive_class,
        "name": Path(dataset).stem,
    }
    frame = read_with_progress(dataset)
    if edges is None:
        return table_to_dataset(frame, **columns)
    return load_graph(frame, edges, id=node_id, **columns)


def is_file_name(dataset: str) -> bool:
    """Tells a file from the name of a built-in dataset, which wins where both exist."""
    from frem_core.datasets import addable_datasets, available_datasets

    if dataset in (*available_datasets(), *addable_datasets()):
        return False
    return Path(dataset).exists() or bool(Path(dataset).suffix) or Path(dataset).name != dataset


def read_with_progress(path: str) -> "pd.DataFrame":
    """Reads a table and shows how far it got."""
    from frem_core.datasets import read_table

    console = messages()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        reading = bar.add_task(f"Reading {Path(path).name}", total=1.0)
        return read_table(
            path, progress=lambda fraction, _message: bar.update(reading, completed=fraction)
        )
