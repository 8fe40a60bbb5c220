"""Small graphs with features, as networks read them."""

import numpy as np

from frem_core.datasets import Graph, GraphFeatures, NodeFeatures


def node_features(
    n_nodes: int = 40, n_edges: int = 90, width: int = 5, *, rows: int = 12, seed: int = 0
) -> NodeFeatures:
    """Some nodes of a random graph; the last node has no edge."""
    rng = np.random.default_rng(seed)
    graph = Graph(n_nodes, rng.integers(0, n_nodes - 1, (n_edges, 2)))
    nodes = rng.random((n_nodes, width)).astype(np.float32)
    chosen = np.append(rng.permutation(n_nodes - 1)[: rows - 1], n_nodes - 1)
    return NodeFeatures(GraphFeatures(nodes, graph), chosen)


def dense_adjacency(graph: Graph) -> np.ndarray:
    """D^(−½)(A + I)D^(−½) by the textbook, in float64."""
    a = np.eye(graph.n_nodes)
    for first, second in graph.edges:
        a[first, second] = a[second, first] = 1.0
    scale = 1.0 / np.sqrt(a.sum(axis=1))
    return scale[:, None] * a * scale
