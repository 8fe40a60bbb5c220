"""A linear layer that holds the weights of several networks side by side."""

from collections.abc import Sequence
from math import sqrt
from typing import cast

import torch
from torch import Tensor, nn

from frem_core.reproducible import is_narrow, stacked_product


class StackedLinear(nn.Module):
    r"""Applies ``y_b = x_b W_b + c_b`` for every member b of a stack in one product.

    Small networks spend most of their time on the overhead of each call. B of them share that
    overhead when their weights lie in one tensor, and no member influences another.

    Args:
        inputs: columns of x.
        outputs: columns of y.
        generators: one per member; member b is drawn from ``generators[b]`` only, so it starts
            the same alone and in company.

    Shape:
        x (B, n, inputs) → (B, n, outputs)

    Example:
        >>> layer = StackedLinear(3, 2, [torch.Generator().manual_seed(b) for b in range(5)])
        >>> layer(torch.zeros(5, 7, 3)).shape
        torch.Size([5, 7, 2])
    """

    def __init__(self, inputs: int, outputs: int, generators: Sequence[torch.Generator]) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(len(generators), inputs, outputs))
        self.bias = nn.Parameter(torch.empty(len(generators), 1, outputs))
        self.draw(generators)

    def forward(self, x: Tensor) -> Tensor:
        """Returns (B, n, outputs)."""
        if self.weight.shape[2] == 1:
            # A product with one column sums in another order elsewhere in memory; this does not.
            return (x * self.weight.mT).sum(dim=-1, keepdim=True) + self.bias
        if is_narrow(x.shape[1], *self.weight.shape[1:]):
            return stacked_product(x, self.weight) + self.bias
        return torch.baddbmm(self.bias, x, self.weight)

    @torch.no_grad()
    def draw(self, generators: Sequence[torch.Generator]) -> None:
        """Draws fresh weights from U(−1/√inputs, 1/√inputs), as ``torch.nn.Linear`` does."""
        bound = 1.0 / sqrt(self.weight.shape[1])
        for member, generator in enumerate(generators):
            self.weight[member].uniform_(-bound, bound, generator=generator)
            self.bias[member].uniform_(-bound, bound, generator=generator)

    def __call__(self, x: Tensor) -> Tensor:
        """The same as `forward`, with its type."""
        return cast(Tensor, super().__call__(x))
