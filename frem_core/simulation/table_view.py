"""Simulation tables for a terminal, laid out as in the paper: columns are estimators."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import pandas as pd
from rich import box
from rich.table import Table

from frem_core.simulation.labels import setting_label

_Column = tuple[Any, ...]  # estimator and setting

# Nine columns have to fit a terminal of 80 characters.
_WIDEST = 9
_SHORT_LABELS = {
    "binning": "Bin",
    "nadaraya-watson": "NW",
    "proposed": "Prop",
    "proposed-noise-free": "Noise\nfree",
}


def rich_tables(comparison: pd.DataFrame, *, errors: tuple[str, ...]) -> Iterator[Table]:
    """Yields one table per case, in units of 10⁻² as the paper prints its first table.

    Every error has three lines: ours, its Monte-Carlo standard error, and the paper's value.
    More columns than fit go into a further table of the same case.

    Args:
        comparison: result of ``compare_with_paper``.
        errors: the errors to show, of ``"bias"``, ``"mae"`` and ``"rmse"``.
    """
    shown = comparison[comparison["error"].isin(errors)]
    for case, rows in shown.groupby("case", sort=False):
        title = f"{case}: true EIPM {rows['truth'].iloc[0] * 100:.3f}; errors in 10⁻²"
        keys = rows[["estimator", "setting"]].drop_duplicates()
        columns = list(keys.itertuples(index=False, name=None))
        for some in _fitting(columns):
            yield _case_table(rows, some, errors, title)
            title = f"{case}, continued"


def _fitting(columns: list[_Column]) -> Iterator[list[_Column]]:
    """As many columns at a time as fit; those of one estimator stay together if they can."""
    group: list[_Column] = []
    for _, own in groupby(columns, key=itemgetter(0)):
        rest = list(own)
        while rest:
            some, rest = rest[:_WIDEST], rest[_WIDEST:]
            if len(group) + len(some) > _WIDEST:
                yield group
                group = []
            group += some
    yield group


def _case_table(
    rows: pd.DataFrame, columns: list[_Column], errors: tuple[str, ...], title: str
) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=0,
        pad_edge=False,
    )
    table.add_column("n", no_wrap=True)
    table.add_column("", no_wrap=True)
    for estimator, setting in columns:
        heading = f"{_SHORT_LABELS[estimator]}\n{setting_label(estimator, setting)}"
        table.add_column(heading, justify="right", vertical="bottom", no_wrap=True)
    for n, cell in rows.groupby("n", sort=False):
        for error in errors:
            lookup = cell[cell["error"] == error].set_index(["estimator", "setting"])
            values = [lookup.loc[column] for column in columns]
            table.add_row(str(n), error.upper(), *map(_ours, values))
            table.add_row("", "± SE", *(f"{row['se'] * 100:.2f}" for row in values), style="dim")
            table.add_row("", "paper", *map(_paper, values), end_section=True)
    return table


def _ours(row: "pd.Series[float]") -> str:
    value = f"{row['ours'] * 100:.2f}"
    return f"[bold red]{value}*[/]" if row["differs"] else value


def _paper(row: "pd.Series[float]") -> str:
    return "–" if pd.isna(row["paper"]) else f"{row['paper'] * 100:.2f}"
