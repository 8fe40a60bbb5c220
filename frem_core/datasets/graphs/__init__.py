"""Graphs over the rows of a dataset.

Only the parts a `Dataset` itself is made of are loaded here; readers live in their own modules
(`frem_core.datasets.graphs.load_graph`, …) and are public as `frem_core.datasets.load_graph`.
"""

from frem_core.datasets.graphs.graph import Features, Graph, GraphFeatures, NodeFeatures

__all__ = ["Features", "Graph", "GraphFeatures", "NodeFeatures"]
