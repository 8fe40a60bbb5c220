"""Penalties over all pairs of rows, with a gradient in closed form."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from frem_core.eipm.tiles import KernelTiles, keep_freed_memory
from frem_core.kernels import get_kernel

Rule = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""From one member's rows x (n, m), centred, and s (n,) to the value () and its gradient (n, m)."""


def pairwise_penalty(z: Tensor, s: Tensor, rule: Rule) -> Tensor:
    """Applies a rule to every member of a stack: (B, n, m) and (B, n) give (B,).

    The (n, n) matrices of one member are built, used for value and gradient while they are in the
    cache, and dropped; automatic differentiation would keep several (B, n, n) until the backward
    pass. No gradient flows into s.
    """
    value: Tensor = _PairwisePenalty.apply(z, s, rule)  # type: ignore[no-untyped-call]
    return value


class _PairwisePenalty(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, z: Tensor, s: Tensor, rule: Rule) -> Tensor:
        keep_freed_memory()
        centred = z - z.mean(dim=1, keepdim=True)  # distances lose fewer digits
        gradient = torch.empty_like(z)
        values = z.new_empty(len(z))
        for member, (x, own) in enumerate(zip(centred, s.to(z.dtype), strict=True)):
            values[member], gradient[member] = rule(x, own)
        ctx.save_for_backward(gradient)
        return values

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * slope[:, None, None], None, None


def similarities(x: Tensor, kernel: str) -> Tensor:
    """κ(x_i, x_j) of rows (n, m) in units of the kernel's scale. Returns (n, n)."""
    rows = slice(0, len(x))
    return KernelTiles(x.unsqueeze(0), get_kernel(kernel)).tile(rows, rows)[0]


def doubly_centred(matrix: Tensor) -> Tensor:
    """HMH with H = I − 1/n: takes away the means of rows and columns of a symmetric (n, n).

    >>> doubly_centred(torch.tensor([[0.0, 2.0], [2.0, 0.0]]))
    tensor([[-1.,  1.],
            [ 1., -1.]])
    """
    means = matrix.mean(dim=0)
    return matrix - means - means.unsqueeze(1) + means.mean()


def along_differences(weights: Tensor, x: Tensor) -> Tensor:
    """Σ_j w_ij (x_i − x_j) for weights (n, n) and rows (n, m). Returns (n, m)."""
    return weights.sum(dim=1, keepdim=True) * x - weights @ x
