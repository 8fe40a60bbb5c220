"""Simple graph convolution: features travel two steps along the edges, then one linear layer."""

from collections.abc import Mapping
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from frem_core.datasets.graphs import NodeFeatures
from frem_core.errors import ConfigError
from frem_core.networks.encoder import ENCODERS, no_graph
from frem_core.networks.inputs import Inputs
from frem_core.networks.mlp import MLP

HOPS = 2


@ENCODERS.register("sgc")
class SGC(MLP):
    r"""``Z = Â²XW + c`` with ``Â = D^(−½)(A + I)D^(−½)``; the paper's second graph network.

    Nothing that is learned comes before the propagation, so ``Â²X`` is computed once for a dataset
    and training costs what it costs on a table. Further entries of ``hidden`` add layers on top.
    """

    title: ClassVar[str] = "SGC"
    needs_graph: ClassVar[bool] = True
    suggested: ClassVar[Mapping[str, Any]] = {"hidden": (64,), "activation": "linear"}

    def read(self, x: ArrayLike | NodeFeatures) -> Inputs:
        """Shares ``Â²X`` of the whole graph."""
        if not isinstance(x, NodeFeatures):
            raise ConfigError(no_graph(self.title))
        return Inputs.of_graph(x, hops=HOPS)
