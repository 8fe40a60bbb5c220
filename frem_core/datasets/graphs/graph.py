"""A graph over the rows of a dataset: who is joined to whom, and what travels along the edges."""

from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy import sparse

from frem_core.errors import DataError

Edges = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected graph without self-loops; each edge is kept once.

    The first nodes are the rows of the dataset, in their order. Further nodes, the *context*, lack
    a target or a sensitive value: nothing is learned or tested on them, but they are neighbours,
    and their features travel along the edges.

    Attributes:
        n_nodes: number of nodes, context included.
        edges: (E, 2) int64 node numbers, sorted, the smaller one first.
        context: the feature columns of the context nodes, or None when there are none.

    Example:
        >>> path = Graph(3, np.array([[0, 1], [1, 2]]))
        >>> path.degrees.tolist()
        [1, 2, 1]
    """

    n_nodes: int
    edges: Edges
    context: pd.DataFrame | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        edges = np.array(self.edges, dtype=np.int64)
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise DataError(f"The edges have shape {edges.shape}; give (number of edges, 2).")
        if len(edges):
            low, high = int(edges.min()), int(edges.max())
            if low < 0 or high >= self.n_nodes:
                raise DataError(
                    f"An edge joins node {low if low < 0 else high}; the {self.n_nodes:,} nodes "
                    f"are numbered 0 to {self.n_nodes - 1}."
                )
        edges = undirected(edges, self.n_nodes)
        edges.flags.writeable = False
        object.__setattr__(self, "edges", edges)

    @property
    def n_edges(self) -> int:
        """Number of edges, each counted once."""
        return len(self.edges)

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """(n_nodes,), how many neighbours each node has."""
        return np.bincount(self.edges.ravel(), minlength=self.n_nodes)

    @property
    def n_context(self) -> int:
        """Number of context nodes."""
        return 0 if self.context is None else len(self.context)

    def normalised_adjacency(self) -> sparse.csr_array:
        r"""Returns ``Â = D^(−½)(A + I)D^(−½)`` in float32, symmetric, with sorted columns.

        A is the adjacency matrix and D the diagonal of the row sums of A + I. A node without
        neighbours keeps its own features.
        """
        first, second = self.edges.T
        own = np.arange(self.n_nodes)
        rows = np.concatenate([first, second, own])
        columns = np.concatenate([second, first, own])
        weight = 1.0 / np.sqrt(self.degrees + 1.0)
        values = (weight[rows] * weight[columns]).astype(np.float32)
        matrix = sparse.coo_array((values, (rows, columns)), shape=(self.n_nodes, self.n_nodes))
        return sparse.csr_array(matrix)


def undirected(pairs: Edges, n_nodes: int) -> Edges:
    """Returns each joined pair once, the smaller node first, sorted; self-loops are left out."""
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    joined = low < high
    # One number a pair: sorting these is several times faster than sorting rows.
    keys = np.unique(low[joined] * n_nodes + high[joined])
    return np.column_stack([keys // n_nodes, keys % n_nodes])


def homophily(graph: Graph, values: ArrayLike) -> float:
    """Returns the correlation of a value between joined nodes, in [−1, 1].

    Near 1, a node's neighbours tell its value even where the node's own features do not: a graph
    network can follow the sensitive attribute through them. Every edge counts in both directions.

    Args:
        graph: over the rows, and perhaps context nodes.
        values: one for each row of the dataset, (n,). Edges to context nodes, whose value is not
            known, do not count.

    Returns:
        The correlation; NaN when no edge counts or all values are the same.

    Example:
        >>> path = Graph(4, np.array([[0, 1], [1, 2], [2, 3]]))
        >>> round(homophily(path, [1.0, 2.0, 3.0, 4.0]), 3)
        0.455
    """
    known = np.asarray(values, dtype=np.float64)
    first, second = graph.edges[(graph.edges < len(known)).all(axis=1)].T
    ends = np.concatenate([known[first], known[second]])
    others = np.concatenate([known[second], known[first]])
    spread = float(ends.std()) if len(ends) else 0.0  # both have the same values
    if spread == 0.0:
        return nan
    centred = (ends - ends.mean()) * (others - ends.mean())
    return float(centred.mean()) / spread**2


@dataclass(frozen=True, eq=False)
class GraphFeatures:
    """The encoded features of every node, and the graph that joins the nodes.

    Attributes:
        nodes: (N, d) float32.
        graph: the graph over these N nodes.
    """

    nodes: NDArray[np.float32]
    graph: Graph


@dataclass(frozen=True, eq=False)
class NodeFeatures:
    """Some rows of `GraphFeatures`; to everyone but a graph network a table of their own features.

    ``numpy.asarray(x)`` gives (n, d) the nodes' own features, ``len(x)`` is n, and ``x[rows]`` are
    some of the rows, as with an array.

    Attributes:
        whole: all nodes and the graph.
        rows: (n,) node numbers.
    """

    whole: GraphFeatures
    rows: NDArray[np.int64]

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return len(self.rows), self.whole.nodes.shape[1]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, rows: NDArray[np.int64]) -> "NodeFeatures":
        return NodeFeatures(self.whole, self.rows[rows])

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        own = self.whole.nodes[self.rows]
        return own if dtype is None else own.astype(dtype, copy=False)


Features = NDArray[np.float32] | NodeFeatures
