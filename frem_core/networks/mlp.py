"""The paper's encoder for tables: a small multilayer perceptron."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from frem_core.errors import ConfigError, did_you_mean
from frem_core.networks.encoder import ENCODERS, Encoder
from frem_core.networks.stacked_linear import StackedLinear

ACTIVATIONS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    "selu": functional.selu,
    "relu": functional.relu,
    "tanh": torch.tanh,
}


@ENCODERS.register("mlp")
class MLP(Encoder):
    """Linear layers, each followed by the activation; Z is the last layer after activation.

    The paper uses two layers of 50 with selu ("Model network" in the appendix).

    Args:
        inputs: number of features d.
        hidden: sizes of the layers; the last is the size m of the representation.
        activation: "selu", "relu" or "tanh".
        generators: one per member of the stack.

    Example:
        >>> mlp = MLP(4, hidden=(50, 50), activation="selu", generators=[torch.Generator()])
        >>> mlp(torch.zeros(10, 4), torch.tensor([[0, 3, 5]])).shape
        torch.Size([1, 3, 50])
    """

    def __init__(
        self,
        inputs: int,
        *,
        hidden: Sequence[int],
        activation: str,
        generators: Sequence[torch.Generator],
    ) -> None:
        super().__init__()
        if activation not in ACTIVATIONS:
            raise ConfigError(
                f"There is no activation '{activation}'; choose one of {', '.join(ACTIVATIONS)}."
                + did_you_mean(activation, ACTIVATIONS)
            )
        sizes = pairwise((inputs, *hidden))
        self.layers = nn.ModuleList(StackedLinear(*size, generators) for size in sizes)
        self.activation = ACTIVATIONS[activation]
        self.representation_size = hidden[-1]

    def forward(self, features: Tensor, rows: Tensor) -> Tensor:
        """Returns (B, n, m)."""
        # One flat gather is several times faster than features[rows] with 2-D rows.
        z = features.index_select(0, rows.flatten()).view(*rows.shape, features.shape[1])
        for layer in self.layers:
            z = self.activation(layer(z))
        return z
