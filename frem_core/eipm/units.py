"""Units of Z that leave an encoder nothing to gain by making Z, or a part of it, small."""

from typing import Any, Literal, get_args

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

Units = Literal["as_is", "scale", "standardised", "whitened"]
UNITS: tuple[Units, ...] = get_args(Units)

# Share of the average variance that is added to every direction before whitening: directions in
# which Z hardly varies at all would otherwise be rounding errors, blown up.
_RIDGE = 1e-4


def in_units(z: Tensor, units: Units) -> Tensor:
    """Z relative to its own spread, with the gradient that belongs to it.

    A kernel of fixed scale σ sees less in a small Z, and nothing in a dimension that is small
    beside the others, while a linear head makes up for either by larger weights.

    Args:
        z: ``(B, n, m)``.
        units: ``"as_is"``; ``"scale"``, divided by the root mean square distance to its centre;
            ``"standardised"``, every dimension divided by √m times its standard deviation;
            ``"whitened"``, standardised along the principal axes, so that no direction is small.

    Returns:
        Shape ``(B, n, m)``; centred, unless as it is. In all units but these the mean square
        distance to the centre is 1. A dimension that does not vary stays at 0.

    >>> in_units(torch.tensor([[[0.0, 1.0], [2.0, 3.0]]]), "standardised")
    tensor([[[-0.7071, -0.7071],
             [ 0.7071,  0.7071]]])
    """
    if units == "as_is":
        return z
    if units == "whitened":
        return _whitened(z - z.mean(1, keepdim=True))
    relative: Tensor = _Relative.apply(z, units == "standardised")  # type: ignore[no-untyped-call]
    return relative


class _Relative(torch.autograd.Function):
    """Z divided by its spread; as one step it takes a third of the time of its seven parts."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, each: bool) -> Tensor:
        """Divides each dimension by its own spread, or all by one."""
        m = z.shape[2]
        relative = z - z.mean(1, keepdim=True)
        squares, sizes = (x.square().mean(1, keepdim=True) for x in (relative, z))  # (B, 1, m)
        if each:
            squares, sizes = squares.mul_(m), sizes.mul_(m)
        else:
            squares, sizes = squares.sum(2, keepdim=True), sizes.sum(2, keepdim=True)
        # Less than this is the rounding error of values of such a size.
        smallest = sizes.mul_(1e4 * torch.finfo(z.dtype).eps ** 2)
        smallest.clamp_(min=torch.finfo(z.dtype).tiny ** 0.5)
        factor = torch.maximum(squares, smallest).rsqrt_()
        relative.mul_(factor)
        ctx.save_for_backward(relative, factor, squares > smallest)
        ctx.each = each
        return relative

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor, None]:
        """Growing in proportion changes nothing, so that part of the gradient goes."""
        relative, factor, varies = ctx.saved_tensors
        _, n, m = relative.shape
        outward = (outer * relative).sum(1, keepdim=True)
        outward = outward.mul_(m) if ctx.each else outward.sum(2, keepdim=True)
        gradient = torch.addcmul(outer, relative, outward.mul_(varies), value=-1.0 / n)
        return gradient.sub_(outer.mean(1, keepdim=True)).mul_(factor), None


def _whitened(centred: Tensor) -> Tensor:
    """Coordinates in which the covariance is 1/m; they differ from others by a rotation only."""
    _, n, m = centred.shape
    # A triangular root instead of principal axes: its gradient needs no distinct variances.
    covariance = centred.mT @ centred / n  # (B, m, m)
    average = torch.diagonal(covariance, dim1=1, dim2=2).mean(1).view(-1, 1, 1)
    ridge = (average * _RIDGE).clamp(min=torch.finfo(centred.dtype).tiny ** 0.5)
    root = torch.linalg.cholesky(covariance + ridge * torch.eye(m).to(covariance))
    whitened: Tensor = torch.linalg.solve_triangular(root, centred.mT, upper=False)
    return whitened.mT.div(m**0.5)
