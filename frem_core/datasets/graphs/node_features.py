"""The features of some nodes of a graph, which graph networks read together with the others'."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from frem_core.datasets.graphs.graph import Graph


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
