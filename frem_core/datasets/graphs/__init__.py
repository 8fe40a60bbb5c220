"""Graphs over the rows of a dataset."""

from frem_core.datasets.graphs.graph import Graph
from frem_core.datasets.graphs.node_features import Features, GraphFeatures, NodeFeatures

__all__ = ["Features", "Graph", "GraphFeatures", "NodeFeatures"]
