"""From edges between ids to a graph between rows, with a sentence on everything that was odd."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.graphs.graph import Edges, undirected
from frem_core.datasets.tables.checks import listed
from frem_core.errors import ConfigError, DataError
from frem_core.words import counted

UnknownIds = Literal["drop", "refuse"]

_log = logging.getLogger(__name__)


class NodeIds:
    """The ids of a node table.

    Numbers and text are the same id when they read the same: 17, 17.0 and "17".

    Args:
        name: the id column, for messages; None when nodes are known by their row number.
        ids: one id a node.
    """

    def __init__(self, name: str | None, ids: pd.Series) -> None:
        self.name = name
        self._index = pd.Index(_plain(ids))
        missing = int(ids.isna().sum())
        if missing:
            raise DataError(f"{missing:,} nodes have no id in column '{name}'; fill or drop them.")
        if not self._index.is_unique:
            repeated = self._index[self._index.duplicated(keep=False)].unique()
            raise DataError(
                f"{len(repeated):,} ids stand in column '{name}' more than once (for example "
                f"{listed(str(one) for one in repeated[:3])}); keep one row for each node."
            )

    @classmethod
    def row_numbers(cls, n_nodes: int) -> "NodeIds":
        """Nodes that are known by their row number, from 0."""
        return cls(None, pd.Series(np.arange(n_nodes)))

    def positions(self, ids: pd.Series) -> NDArray[np.int64]:
        """Returns the row of each id in the node table, −1 for an id that is not there."""
        codes, values = pd.factorize(_plain(ids))
        index, wanted = self._index, pd.Index(values)
        if pd.api.types.is_integer_dtype(index.dtype) != pd.api.types.is_integer_dtype(
            wanted.dtype
        ):
            index, wanted = index.astype(str), wanted.astype(str)
        found: NDArray[np.int64] = index.get_indexer(wanted)[codes].astype(np.int64)
        return found


@dataclass(frozen=True, eq=False)
class JoinedEdges:
    """Edges between rows of the node table.

    Attributes:
        edges: (E, 2) row numbers, each edge once.
        notes: what was dropped or changed.
    """

    edges: Edges
    notes: tuple[str, ...]


def join_edges(
    edges: pd.DataFrame,
    ids: NodeIds,
    n_nodes: int,
    *,
    name: str = "edges",
    unknown_ids: UnknownIds = "drop",
    strict: bool = False,
) -> JoinedEdges:
    """Looks up both ends of every edge.

    Args:
        edges: columns source and target, as `read_edges` gives them.
        ids: the ids of the node table.
        n_nodes: how many nodes the table has.
        name: what to call the edge list in messages.
        unknown_ids: ``"drop"`` edges to nodes that are not in the table, with a warning, or
            ``"refuse"`` the list.
        strict: refuse self-loops, nodes without edges and edges that are given in one direction
            only beside others given in both; otherwise they are noted.

    Raises:
        DataError: the list is refused, or no edge is left.
    """
    if unknown_ids not in ("drop", "refuse"):
        raise ConfigError(f"unknown_ids is 'drop' or 'refuse', not {unknown_ids!r}.")
    notes: list[str] = []

    def odd(sentence: str, remedy: str) -> None:
        if strict:
            raise DataError(f"{sentence} {remedy}")
        notes.append(sentence)

    pairs = np.column_stack([ids.positions(edges["source"]), ids.positions(edges["target"])])
    pairs = _known(pairs, edges, ids, name, unknown_ids, notes)
    loops = pairs[:, 0] == pairs[:, 1]
    if loops.any():
        odd(
            _loop_words(int(loops.sum())),
            "Remove them or leave out strict.",
        )
    joined = undirected(pairs, n_nodes)
    if not len(joined):
        raise DataError(
            f"'{name}' has {counted(len(edges), 'row')}, and none of them joins two different "
            "nodes of the table. Do ids and node table belong together?"
        )
    _note_directions(pairs[~loops], joined, n_nodes, odd)
    alone = n_nodes - len(np.unique(joined))
    if alone:
        odd(
            f"{alone:,} of {n_nodes:,} nodes have no edge; they are predicted from their own "
            "features.",
            "Remove these nodes or leave out strict.",
        )
    return JoinedEdges(joined, tuple(notes))


def _known(
    pairs: Edges,
    edges: pd.DataFrame,
    ids: NodeIds,
    name: str,
    unknown_ids: UnknownIds,
    notes: list[str],
) -> Edges:
    known: NDArray[np.bool_] = np.all(pairs >= 0, axis=1)
    n_unknown = int((~known).sum())
    if not n_unknown:
        return pairs
    first = np.flatnonzero(~known)[:3]
    missing = dict.fromkeys(str(end) for end in edges.to_numpy()[first][pairs[first] < 0])
    where = "row numbers of the node table" if ids.name is None else f"column '{ids.name}'"
    sentence = (
        f"{n_unknown:,} of {len(pairs):,} edges in '{name}' lead to nodes that are not in the node "
        f"table ({where}), for example to {listed(missing, most=3)}."
    )
    if unknown_ids == "refuse":
        raise DataError(f"{sentence} Add these nodes, or drop such edges with unknown_ids='drop'.")
    _log.warning("%s They were dropped.", sentence)
    notes.append(f"{sentence} They were dropped.")
    return pairs[known]


def _loop_words(count: int) -> str:
    what = "joins a node to itself and was" if count == 1 else "join a node to itself and were"
    edges = counted(count, "edge")
    return f"{edges} {what} dropped; every node counts as its own neighbour anyway."


def _note_directions(
    pairs: Edges, joined: Edges, n_nodes: int, odd: Callable[[str, str], None]
) -> None:
    """Says so when some edges are given both ways and others one way: the graph has directions.

    A list with every edge once is the usual way to write an undirected graph.
    """
    n_arrows = len(np.unique(pairs[:, 0] * n_nodes + pairs[:, 1]))
    both_ways = n_arrows - len(joined)
    one_way = len(joined) - both_ways
    if both_ways and one_way:
        odd(
            f"{one_way:,} of {len(joined):,} joined pairs are given in one direction only; edges "
            "count in both directions.",
            "Add the other direction or leave out strict.",
        )


def _plain(ids: pd.Series) -> pd.Series:
    """Whole numbers as int64, everything else as stripped text."""
    if pd.api.types.is_integer_dtype(ids.dtype) and not ids.hasnans:
        return ids.astype(np.int64)
    if pd.api.types.is_float_dtype(ids.dtype):
        known = ids.dropna()
        if (known == known.round()).all() and known.abs().max() < 2**53:
            return known.astype(np.int64)
    return ids.astype(str).str.strip()
