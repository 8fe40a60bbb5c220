"""Loads any graph: a table of nodes and a list of edges."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from frem_core.datasets.dataset import Dataset
from frem_core.datasets.graphs.edge_text import (
    CutLine,
    check_cut_line,
    last_line,
    no_line_break,
    without_last_line,
)
from frem_core.datasets.graphs.graph import Graph
from frem_core.datasets.graphs.join_edges import NodeIds, UnknownIds, join_edges
from frem_core.datasets.graphs.read_edges import EdgeSource, is_matrix, read_edges
from frem_core.datasets.tables.checks import check_known
from frem_core.datasets.tables.read_table import NOTES, read_table
from frem_core.datasets.tables.source import FileSource, open_source
from frem_core.datasets.tables.table_to_dataset import split_table
from frem_core.errors import ConfigError, DataError
from frem_core.roles import Roles

WithoutLabel = Literal["context", "drop"]


def load_graph(
    nodes: FileSource | pd.DataFrame,
    edges: EdgeSource,
    *,
    unknown_ids: UnknownIds = "drop",
    without_label: WithoutLabel = "context",
    strict: bool = False,
    partial_last_line: CutLine = "refuse",
    max_edges: int | None = None,
    name: str | None = None,
    **roles: Any,
) -> Dataset:
    """Loads a node table and an edge list as a dataset with a graph.

    The node table follows the rules of `load_table`. Edges count in both directions and once each;
    what was odd about them is written into ``Dataset.notes``.

    Args:
        nodes: a CSV, TSV, Parquet or Excel file, or a DataFrame; one row a node.
        edges: who is joined to whom, see `read_edges`.
        unknown_ids: ``"drop"`` edges to nodes that are not in the table, with a warning, or
            ``"refuse"`` the list.
        without_label: nodes without target or sensitive value stay in the graph as ``"context"``:
            their features reach their neighbours, and nothing is learned or tested on them. Or
            ``"drop"`` them with their edges.
        strict: refuse self-loops, nodes without edges and a mix of one-way and two-way edges.
        partial_last_line: what to do with a text file that was cut off: ``"refuse"`` or ``"skip"``
            its last line.
        max_edges: refuse more; by default what half of the free memory holds.
        name: what to call the dataset; the node file's name when not given.
        roles: what the columns of the node table are for, as in `load_table`; ``id`` is the one
            that the edges refer to, without it they hold row numbers, from 0.

    Raises:
        DataError: a table, an id or an edge cannot be used; the message says which and what to do.

    >>> people = pd.DataFrame({"who": range(60), "age": range(20, 80), "paid": [0, 1, 1] * 20,
    ...                        "hours": [8, 4] * 30})
    >>> friends = pd.DataFrame({"a": range(59), "b": range(1, 60)})
    >>> load_graph(people, friends, target="paid", sensitive="age", id="who").graph.n_edges
    59
    """
    check_cut_line(partial_last_line)
    check_edges_fit(edges, Roles(**roles))
    frame = read_nodes(nodes, partial_last_line)
    table = read_edges(edges, max_edges=max_edges, partial_last_line=partial_last_line)
    return tables_to_graph(
        frame,
        table,
        unknown_ids=unknown_ids,
        without_label=without_label,
        strict=strict,
        name=name or _name_of(nodes, "graph"),
        edges_name=_name_of(edges, "edges", suffix=True),
        **roles,
    )


def tables_to_graph(
    nodes: pd.DataFrame,
    edges: pd.DataFrame,
    *,
    unknown_ids: UnknownIds = "drop",
    without_label: WithoutLabel = "context",
    strict: bool = False,
    name: str = "graph",
    edges_name: str = "edges",
    **roles: Any,
) -> Dataset:
    """`load_graph` for what `read_table` and `read_edges` have read."""
    if without_label not in ("context", "drop"):
        raise ConfigError(f"without_label is 'context' or 'drop', not {without_label!r}.")
    asked = Roles(**roles)
    ids = _ids(nodes, asked)
    joined = join_edges(
        edges, ids, len(nodes), name=edges_name, unknown_ids=unknown_ids, strict=strict
    )
    keep = without_label == "context"
    if asked.id is not None:
        nodes = nodes.drop(columns=asked.id)
        asked = replace(asked, leave_out=tuple(one for one in asked.leave_out if one != asked.id))
    table = split_table(nodes, asked, name=name, keep_rest=keep)
    # Rows of the dataset come first, context after them: a new number for every node.
    usable = pd.Series(table.usable)
    number = usable.cumsum() - 1
    number[~usable] = (~usable).cumsum()[~usable] - 1 + (usable.sum() if keep else len(usable))
    renamed = number.to_numpy()[joined.edges]
    n_nodes = len(nodes) if keep else int(usable.sum())
    graph = Graph(
        n_nodes,
        renamed[(renamed < n_nodes).all(axis=1)],
        context=table.rest if len(table.rest) else None,
    )
    dataset = table.dataset
    notes = (*dataset.notes, *edges.attrs.get(NOTES, ()), *joined.notes)
    about = f"{dataset.description} A graph of {graph.n_nodes:,} nodes and {graph.n_edges:,} edges."
    return replace(dataset, graph=graph, notes=notes, description=about)


def check_edges_fit(edges: EdgeSource, roles: Roles) -> None:
    """Refuses an id column beside edges that are a matrix and so know row numbers only."""
    if roles.id is not None and is_matrix(edges):
        raise ConfigError("A matrix joins row numbers; leave out id, or give a list of edges.")


def _ids(nodes: pd.DataFrame, roles: Roles) -> NodeIds:
    column = roles.id
    if column is None:
        return NodeIds.row_numbers(len(nodes))
    check_known("id", column, [str(one) for one in nodes.columns])
    if column in (roles.target, roles.sensitive):
        raise DataError(f"Column '{column}' names the nodes; it cannot be target or sensitive too.")
    return NodeIds(column, nodes[column])


def read_nodes(nodes: FileSource | pd.DataFrame, partial_last_line: CutLine) -> pd.DataFrame:
    """Reads a node table, and looks whether a text file ends where it should."""
    if isinstance(nodes, pd.DataFrame):
        return read_table(nodes)
    with open_source(nodes) as opened:
        offset, tail = last_line(opened.file, opened.size)
        if opened.head(4) in (b"PAR1", b"PK\x03\x04") or not tail.strip():
            return read_table(nodes)
        if partial_last_line == "refuse":
            _check_cells(opened.name, opened.head(1 << 20), tail, offset)
            frame, note = read_table(nodes), no_line_break(opened.name)
        else:
            whole, cut = without_last_line(opened.file, opened.size)
            frame = read_table(whole)
            note = (
                f"The last line of '{opened.name}' ({len(cut):,} bytes) has no end and was skipped."
            )
    frame.attrs[NOTES] = (*frame.attrs.get(NOTES, ()), note)
    return frame


def _check_cells(name: str, head: bytes, tail: bytes, offset: int) -> None:
    """Compares the last line with the first: a cut line has fewer cells."""
    header = head.split(b"\n", 1)[0]
    mark = max((b",", b"\t", b";"), key=header.count)
    if offset and tail.count(mark) < header.count(mark):
        raise DataError(
            f"'{name}' ends in the middle of a line ({tail.count(mark) + 1} of "
            f"{header.count(mark) + 1} cells at byte {offset:,}): the file was cut off. Get the "
            "whole file, or read what is there with partial_last_line='skip'."
        )


def _name_of(source: Any, otherwise: str, suffix: bool = False) -> str:
    text = getattr(source, "name", None) if hasattr(source, "read") else source
    if not isinstance(text, str | Path):
        return otherwise
    path = Path(text)
    return path.name if suffix else path.name.split(".")[0] or otherwise
