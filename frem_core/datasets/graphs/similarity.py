"""Makes a graph from a table: rows that resemble each other are joined."""

import numpy as np
from numpy.typing import NDArray

from frem_core.datasets.graphs.graph import Edges, undirected
from frem_core.errors import ConfigError

_BLOCK_ROWS = 1024


def similarity_edges(features: NDArray[np.floating], *, threshold: float = 0.8) -> Edges:
    """Joins rows that are nearly as close as a row's nearest neighbour.

    With the similarity ``sim(i, j) = 1 / (1 + ‖xᵢ − xⱼ‖)``, row i is joined to every j with
    ``sim(i, j) ≥ threshold · max_k sim(i, k)``, as the similarity graphs of the fairness
    literature are (NIFTY). Takes O(n²d) time and O(n) memory a block.

    Args:
        features: (n, d) numbers on comparable scales, for example min-max scaled.
        threshold: in (0, 1]; smaller joins more.

    Returns:
        (E, 2) row numbers, each edge once.

    >>> similarity_edges(np.array([[0.0], [0.1], [5.0], [5.1]])).tolist()
    [[0, 1], [2, 3]]
    """
    if not 0.0 < threshold <= 1.0:
        raise ConfigError(f"threshold = {threshold} must lie above 0 and at most at 1.")
    x = np.asarray(features, dtype=np.float64)
    squares = np.square(x).sum(axis=1)
    found = []
    for start in range(0, len(x), _BLOCK_ROWS):
        rows = np.arange(start, min(start + _BLOCK_ROWS, len(x)))
        products = x[rows] @ x.T  # (block, n)
        distances = np.sqrt(np.maximum(squares[rows, None] + squares - 2.0 * products, 0.0))
        similarity = 1.0 / (1.0 + distances)
        similarity[np.arange(len(rows)), rows] = 0.0
        near = similarity >= threshold * similarity.max(axis=1, keepdims=True)
        near[np.arange(len(rows)), rows] = False
        first, second = np.nonzero(near)
        found.append(np.column_stack([rows[first], second]))
    return undirected(np.concatenate(found), len(x))
