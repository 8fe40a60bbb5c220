"""Sends features along the edges of a graph."""

import warnings
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from frem_core.datasets.graphs import Graph, GraphFeatures

# Kept as long as the graph itself: every split part, stack and model on it shares them.
_ADJACENCIES: WeakKeyDictionary[Graph, Tensor] = WeakKeyDictionary()
_PROPAGATED: WeakKeyDictionary[GraphFeatures, dict[int, Tensor]] = WeakKeyDictionary()


def adjacency_tensor(graph: Graph) -> Tensor:
    """Returns ``Â = D^(−½)(A + I)D^(−½)`` as a sparse CSR tensor, made once for each graph."""
    if graph not in _ADJACENCIES:
        matrix = graph.normalised_adjacency()
        with warnings.catch_warnings():
            # torch calls the layout "beta"; the one product used here has been there since 2.0.
            warnings.simplefilter("ignore", UserWarning)
            _ADJACENCIES[graph] = torch.sparse_csr_tensor(
                torch.from_numpy(matrix.indptr.astype("int64")),
                torch.from_numpy(matrix.indices.astype("int64")),
                torch.from_numpy(matrix.data),
                size=matrix.shape,
                check_invariants=False,
            )
    return _ADJACENCIES[graph]


def propagated_features(whole: GraphFeatures, hops: int) -> Tensor:
    """Returns ``Â^hops X`` (N, d) of every node; computed once and shared, so treat as read-only.

    A network whose first weights come after the propagation (SGC; the first convolution of a GCN,
    since ``Â(XW) = (ÂX)W``) then trains on these rows as on a table, without any sparse product.
    """
    known = _PROPAGATED.setdefault(whole, {})
    if hops not in known:
        features = torch.from_numpy(whole.nodes)
        for _ in range(hops):
            features = _product(adjacency_tensor(whole.graph), features)
        known[hops] = features
    return known[hops]


def propagate(adjacency: Tensor, h: Tensor) -> Tensor:
    """Returns ``Â h`` for (N, k) activations; differentiable in h.

    Args:
        adjacency: Â from `adjacency_tensor`, (N, N) and symmetric.
        h: (N, k).
    """
    product: Tensor = _SymmetricProduct.apply(adjacency, h)  # type: ignore[no-untyped-call]
    return product


class _SymmetricProduct(torch.autograd.Function):
    """Â is its own transpose, so the gradient needs no transposed copy of it."""

    @staticmethod
    def forward(ctx: Any, adjacency: Tensor, h: Tensor) -> Tensor:
        ctx.adjacency = adjacency
        return _product(adjacency, h)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor]:
        return None, _product(ctx.adjacency, gradient.contiguous())


def _product(adjacency: Tensor, dense: Tensor) -> Tensor:
    # With a named reduction torch takes its own row-by-row kernel, which was faster than both the
    # plain product and scatter-based libraries (python -m benchmarks graphs).
    product: Tensor = torch.sparse.mm(adjacency, dense, "sum")
    return product
