"""How alike neighbours are: a value that travels along the edges is no secret of its node."""

from math import nan

import numpy as np
from numpy.typing import ArrayLike

from frem_core.datasets.graphs.graph import Graph


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
