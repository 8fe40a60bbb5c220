"""``frem datasets``: what is built in, and what a table would look like as a dataset."""

from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from frem_core.console.dataset_options import (
    described_dataset,
    load_with_progress,
    read_with_progress,
    role_options,
)
from frem_core.console.terminal import results
from frem_core.datasets import (
    Dataset,
    FeatureEncoding,
    add_dataset,
    addable_datasets,
    available_datasets,
    dataset_card,
    homophily,
    load_dataset,
)
from frem_core.words import counted, per_cent

_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_COLUMNS = 40


@click.group(invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List the built-in datasets, or look at one (or at your own table) with `show`."""
    if context.invoked_subcommand is not None:
        return
    table = Table(title="Built-in datasets", show_lines=True)
    table.add_column("name", no_wrap=True)  # it is what people type
    table.add_column("rows", justify="right", no_wrap=True)
    table.add_column("d", justify="right", no_wrap=True)
    table.add_column("about")
    for name in available_datasets():
        dataset = load_dataset(name)
        predicts = f"{dataset.task} of {dataset.target_name}, sensitive: {dataset.sensitive_name}"
        about = f"{dataset_card(name).title}\n{predicts}"
        table.add_row(name, f"{dataset.n_rows:,}", str(_encoded_width(dataset)), about)
    results().print(table)
    missing = [name for name in addable_datasets() if name not in available_datasets()]
    if missing:
        results().print(
            f"More with files of your own: {', '.join(missing)} (frem datasets add NAME FOLDER)."
        )


@command.command()
@click.argument("name")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def add(name: str, folder: Path) -> None:
    """Copy the files of a dataset that cannot be shipped: pokec_z, pokec_n, bail.

    They are read from FOLDER and, when they are in order, kept in your data folder; the dataset
    then has its name everywhere.
    """
    results().print(f"{name}: {add_dataset(name, folder).description}", markup=False)


@command.command()
@click.argument("dataset", metavar="NAME_OR_PATH")
@role_options
@click.option("--feature", "single", multiple=True, help="Feature column; repeat for more.")
def show(single: tuple[str, ...], **options: Any) -> None:
    """Summarise a built-in dataset or a CSV, TSV, Parquet or Excel file.

    A file without --target and --sensitive is read and its columns are listed.
    """
    console = results()
    spec = described_dataset(options | {"features": single or options["features"]})
    if spec.path is None or spec.is_complete:
        _print_dataset(console, load_with_progress(spec))
        return
    console.print(_column_table(Path(spec.path).name, read_with_progress(spec.path)))
    console.print("Choose two columns: --target NAME --sensitive NAME")


def _print_dataset(console: Console, dataset: Dataset) -> None:
    console.print(f"[bold]{escape(dataset.name)}[/bold]: {escape(dataset.description)}")
    table = Table(show_header=False)
    for label, value in _facts(dataset):
        table.add_row(label, escape(value))
    console.print(table)
    for note in dataset.notes:
        console.print(f"• {escape(note)}", highlight=False)
    console.print(_column_table("Features", dataset.features))


def _facts(dataset: Dataset) -> list[tuple[str, str]]:
    quantiles = " · ".join(f"{value:g}" for value in np.quantile(dataset.sensitive, _QUANTILES))
    columns = counted(dataset.features.shape[1], "column")
    facts = [
        ("rows", f"{dataset.n_rows:,}"),
        ("features", f"{columns}, {_encoded_width(dataset)} encoded (d)"),
        *_graph_facts(dataset),
        ("task", dataset.task),
        (
            "sensitive (S)",
            f"{dataset.sensitive_name}, {len(np.unique(dataset.sensitive)):,} values",
        ),
        ("S: min · quartiles · max", quantiles),
    ]
    if dataset.class_names is not None:
        counts = np.bincount(dataset.target.astype(np.intp), minlength=dataset.n_classes)
        named = list(zip(counts / dataset.n_rows, dataset.class_names, strict=True))
        shown = named[1:2] if len(named) == 2 else named
        share = ", ".join(f"{per_cent(part, 1)} are {name}" for part, name in shown)
        facts.append(("target", f"{dataset.target_name}: {share}"))
    else:
        low, high = dataset.target.min(), dataset.target.max()
        mean = dataset.target.mean()
        facts.append(("target", f"{dataset.target_name}: {low:g} to {high:g}, mean {mean:.4g}"))
    return [*facts, ("fingerprint", dataset.fingerprint[:16])]


def _graph_facts(dataset: Dataset) -> list[tuple[str, str]]:
    graph = dataset.graph
    if graph is None:
        return []
    friends = f"{np.median(graph.degrees):g} (median), at most {graph.degrees.max():,}"
    alike = (
        f"correlation {homophily(graph, dataset.sensitive):.3f} of {dataset.sensitive_name}, "
        f"{homophily(graph, dataset.target):.3f} of {dataset.target_name}"
    )
    facts = [
        ("edges", f"{graph.n_edges:,}"),
        ("neighbours of a node", friends),
        ("joined nodes are alike", alike),
    ]
    if graph.n_context:
        facts.append(("context nodes", f"{graph.n_context:,} without target or sensitive value"))
    return facts


def _column_table(title: str, frame: pd.DataFrame) -> Table:
    table = Table(
        title=escape(f"{title}: {counted(len(frame), 'row')}, {counted(frame.shape[1], 'column')}")
    )
    for heading in ("column", "type", "missing", "distinct", "for example"):
        table.add_column(heading)
    for name in frame.columns[:_MOST_COLUMNS]:
        column = frame[name]
        known = column.dropna()
        example = str(known.iloc[0])[:30] if len(known) else "–"
        cells = (name, _kind(column), f"{len(column) - len(known):,}", f"{known.nunique():,}")
        table.add_row(*(escape(str(cell)) for cell in (*cells, example)))
    if frame.shape[1] > _MOST_COLUMNS:
        table.caption = f"… and {frame.shape[1] - _MOST_COLUMNS} more columns"
    return table


def _kind(column: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "true/false"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "number"
    return "date" if pd.api.types.is_datetime64_any_dtype(column.dtype) else "text"


def _encoded_width(dataset: Dataset) -> int:
    every_row = np.arange(dataset.n_rows)
    return len(FeatureEncoding.fit(dataset.features, every_row).feature_names)
