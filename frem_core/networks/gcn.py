"""Graph convolutional network: each layer mixes a node with its neighbours."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.datasets.graphs import NodeFeatures
from frem_core.errors import ConfigError
from frem_core.networks.encoder import ENCODERS, no_graph
from frem_core.networks.inputs import Inputs
from frem_core.networks.mlp import MLP
from frem_core.networks.propagation import propagate


@ENCODERS.register("gcn")
class GCN(MLP):
    r"""Graph convolutions ``H ↦ relu(ÂHW + c)``; the paper's first graph network has one of 64.

    The first convolution needs no sparse product while training: ``Â(XW) = (ÂX)W``, and ``ÂX`` is
    computed once for a dataset. So one convolution gives the same numbers as a forward pass over
    the whole graph at the price of a table. Each further entry of ``hidden`` is a convolution that
    does walk the whole graph in every step, forward and backward.
    """

    title: ClassVar[str] = "GCN"
    needs_graph: ClassVar[bool] = True
    suggested: ClassVar[Mapping[str, Any]] = {"hidden": (64,), "activation": "relu"}

    @classmethod
    def walks_graph(cls, hidden: Sequence[int]) -> bool:
        """True from the second convolution on."""
        return len(hidden) > 1

    def read(self, x: ArrayLike | NodeFeatures) -> Inputs:
        """Shares ``ÂX`` of the whole graph, and Â where further convolutions need it."""
        if not isinstance(x, NodeFeatures):
            raise ConfigError(no_graph(self.title))
        return Inputs.of_graph(x, hops=1, with_adjacency=len(self.layers) > 1)

    def forward(self, inputs: Inputs, rows: Tensor) -> Tensor:
        """Returns (B, n, m)."""
        if inputs.adjacency is None:
            return super().forward(inputs, rows)
        members = len(rows)
        h = inputs.features.expand(members, -1, -1)  # (B, N, d)
        for number, layer in enumerate(self.layers):
            if number:
                h = _propagate_stack(inputs.adjacency, h)
            h = self.activation(layer(h))
        places = inputs.places(rows).unsqueeze(-1).expand(-1, -1, h.shape[-1])
        return h.gather(1, places)


def _propagate_stack(adjacency: Tensor, h: Tensor) -> Tensor:
    """Returns Â h for (B, N, k), all members in one product."""
    members, nodes, width = h.shape
    side_by_side = h.transpose(0, 1).reshape(nodes, members * width)
    spread = propagate(adjacency, side_by_side).view(nodes, members, width)
    return spread.transpose(0, 1)
