"""What the training loop expects of an encoder; each file of this package may add one."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, cast

import torch
from torch import Tensor, nn

from frem_core.registry import Registry


class Encoder(nn.Module, ABC):
    """Turns the rows of a table (or the nodes of a graph) into representations Z, stacked.

    Every parameter has the members of the stack as its first dimension. The encoder is handed
    all features and the rows that are wanted: a multilayer perceptron gathers these rows, a
    graph network propagates over the whole graph first and gathers afterwards.
    """

    representation_size: int

    @abstractmethod
    def forward(self, features: Tensor, rows: Tensor) -> Tensor:
        """Encodes some rows.

        Args:
            features: (N, d), the same for every member.
            rows: (B, n) positions in ``features``, each member its own.

        Returns:
            (B, n, m), the representations.
        """

    def __call__(self, features: Tensor, rows: Tensor) -> Tensor:
        """The same as `forward`, with its type."""
        return cast(Tensor, super().__call__(features, rows))


class EncoderBuilder(Protocol):
    """Builds an encoder with one member per generator."""

    def __call__(
        self,
        inputs: int,
        *,
        hidden: Sequence[int],
        activation: str,
        generators: Sequence[torch.Generator],
    ) -> Encoder:
        """Returns the encoder of a table with ``inputs`` features."""


ENCODERS: Registry[EncoderBuilder] = Registry("encoder", "frem_core.networks")
