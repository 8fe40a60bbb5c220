"""What an encoder reads of a table or a graph, moved to tensors once."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.datasets.graphs import NodeFeatures
from frem_core.networks.propagation import adjacency_tensor, propagated_features


@dataclass(frozen=True)
class Inputs:
    """Features, and where the wanted rows lie among them.

    Attributes:
        features: (N, d) float32: the rows of a table, or every node of a graph.
        positions: (n,) where the wanted rows lie among the N; None when they are the same.
        adjacency: Â (N, N) for networks that propagate themselves, else None.
    """

    features: Tensor
    positions: Tensor | None = None
    adjacency: Tensor | None = None

    @classmethod
    def of_table(cls, x: ArrayLike) -> "Inputs":
        """Copies (n, d) features, so that the caller's array is never touched."""
        return cls(torch.tensor(np.asarray(x, dtype=np.float32)))

    @classmethod
    def of_graph(cls, x: NodeFeatures, *, hops: int, with_adjacency: bool = False) -> "Inputs":
        """Shares ``Â^hops X`` of the whole graph, which is computed at the first call only."""
        return cls(
            propagated_features(x.whole, hops),
            positions=torch.tensor(x.rows),
            adjacency=adjacency_tensor(x.whole.graph) if with_adjacency else None,
        )

    def double(self) -> "Inputs":
        """Returns the same in float64."""
        adjacency = None if self.adjacency is None else self.adjacency.double()
        return Inputs(self.features.double(), self.positions, adjacency)

    def to(self, device: torch.device) -> "Inputs":
        """Returns the same on a device; what lies there already is shared."""
        moved = [
            None if part is None else part.to(device) for part in (self.positions, self.adjacency)
        ]
        return Inputs(self.features.to(device), *moved)

    @property
    def width(self) -> int:
        """Number of features d."""
        return self.features.shape[1]

    def places(self, rows: Tensor) -> Tensor:
        """Returns where some of the wanted rows lie in ``features``; the same shape."""
        if self.positions is None:
            return rows
        return self.positions.index_select(0, rows.flatten()).view(rows.shape)

    def gather(self, rows: Tensor) -> Tensor:
        """Returns the features (B, n, d) of rows (B, n)."""
        # One flat gather is several times faster than features[rows] with 2-D rows.
        flat = self.places(rows).flatten()
        return self.features.index_select(0, flat).view(*rows.shape, self.width)
