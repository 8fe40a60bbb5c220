"""Arithmetic that comes out the same, to the bit, whatever else is computed beside it.

Trainings run side by side in stacks, and a training must end the same in any company. PyTorch sums
a product with few rows or columns in another order when it stands alone, or elsewhere in memory;
and of exp2, selu and sigmoid it computes most elements several at a time with one formula, and the
few that are left over at a tensor's end with another. The last digits differ, and over hundreds of
steps a last digit becomes another model. Here every member has a product of its own, with enough
rows and columns, and no element is ever left over. With one thread, that is: several threads cut
tensors at places of their own.
"""

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

_NARROW: Final = 16
"""Products with fewer rows, columns or terms depend on where in memory they lie; measured."""

_WHOLE: Final = 64
"""A multiple of the numbers that any processor's vector unit takes at once."""


def stacked_product(left: Tensor, right: Tensor) -> Tensor:
    """``left @ right`` for every member.

    Args:
        left: ``(B, n, k)``.
        right: ``(B, k, m)``, or ``(1, k, m)`` when all members share it.

    Returns:
        ``(B, n, m)``.

    >>> stacked_product(torch.ones(2, 1, 3), torch.ones(1, 3, 1)).shape
    torch.Size([2, 1, 1])
    """
    (rows, terms), columns = left.shape[1:], right.shape[2]
    more_rows, more_terms, more_columns = (max(0, _NARROW - k) for k in (rows, terms, columns))
    if more_rows or more_terms:
        left = functional.pad(left, (0, more_terms, 0, more_rows))
    if more_columns or more_terms:
        right = functional.pad(right, (0, more_columns, 0, more_terms))
    # A transposed matrix would be multiplied in another way once it is shared by several.
    product = torch.bmm(left, right.contiguous().expand(len(left), -1, -1))
    return product[:, :rows, :columns] if more_rows or more_columns else product


def is_narrow(*sizes: int) -> bool:
    """Whether a product of matrices with these sizes needs `stacked_product`."""
    return min(sizes) < _NARROW


def elementwise(function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Applies an element-wise function, with its gradient.

    >>> elementwise(torch.sigmoid, torch.zeros(3))
    tensor([0.5000, 0.5000, 0.5000])
    """
    missing = -x.numel() % _WHOLE
    if not missing:
        return function(x.contiguous())
    filled = functional.pad(x.reshape(-1), (0, missing))
    return function(filled)[: x.numel()].view(x.shape)


def elementwise_(function_: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Applies an element-wise function in place of contiguous ``x``; for what has no gradient.

    >>> elementwise_(torch.exp2_, torch.zeros(3))
    tensor([1., 1., 1.])
    """
    flat = x.view(-1)
    whole = flat.numel() // _WHOLE * _WHOLE
    if whole:
        function_(flat[:whole])
    rest = flat[whole:]
    if rest.numel():
        filled = functional.pad(rest, (0, _WHOLE - rest.numel()))
        rest.copy_(function_(filled)[: rest.numel()])
    return x
