"""The paper's encoder for tables: a small multilayer perceptron."""

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from frem_core.datasets.graphs import NodeFeatures
from frem_core.networks.activation import activation_of
from frem_core.networks.encoder import ENCODERS, Encoder
from frem_core.networks.inputs import Inputs
from frem_core.networks.stacked_linear import StackedLinear


@ENCODERS.register("mlp")
class MLP(Encoder):
    """Linear layers, each followed by the activation; Z is the last layer after activation.

    The paper uses two layers of 50 with selu ("Model network" in the appendix). On a graph it sees
    the nodes' own features only.

    Args:
        inputs: number of features d.
        hidden: sizes of the layers; the last is the size m of the representation.
        activation: "selu", "relu", "tanh" or "linear".
        generators: one per member of the stack.

    Example:
        >>> mlp = MLP(4, hidden=(50, 50), activation="selu", generators=[torch.Generator()])
        >>> mlp(mlp.read(torch.zeros(10, 4)), torch.tensor([[0, 3, 5]])).shape
        torch.Size([1, 3, 50])
    """

    title: ClassVar[str] = "MLP"

    def __init__(
        self,
        inputs: int,
        *,
        hidden: Sequence[int],
        activation: str,
        generators: Sequence[torch.Generator],
    ) -> None:
        super().__init__()
        self.activation = activation_of(activation)
        sizes = pairwise((inputs, *hidden))
        self.layers = nn.ModuleList(StackedLinear(*size, generators) for size in sizes)
        self.representation_size = hidden[-1]

    def read(self, x: ArrayLike | NodeFeatures) -> Inputs:
        """Copies the rows' own features."""
        return Inputs.of_table(x)

    def forward(self, inputs: Inputs, rows: Tensor) -> Tensor:
        """Returns (B, n, m)."""
        z = inputs.gather(rows)
        for layer in self.layers:
            z = self.activation(layer(z))
        return z
