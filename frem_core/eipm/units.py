"""Units of Z that leave an encoder nothing to gain by making Z, or a part of it, small."""

from typing import Literal, get_args

import torch
from torch import Tensor

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
    centred = z - z.mean(1, keepdim=True)
    if units == "whitened":
        return _whitened(centred)
    squares = centred.square().mean(1, keepdim=True)  # (B, 1, m)
    sizes = z.detach().square().mean(1, keepdim=True)
    if units == "scale":
        squares, sizes = squares.sum(2, keepdim=True), sizes.sum(2, keepdim=True)
    else:
        squares, sizes = squares * z.shape[2], sizes * z.shape[2]
    return centred * squares.clamp(min=_rounding(sizes)).rsqrt()


def _rounding(sizes: Tensor) -> Tensor:
    """Variances below this are rounding errors of values with such mean squares."""
    smallest = torch.finfo(sizes.dtype).tiny ** 0.5
    return sizes.mul(1e4 * torch.finfo(sizes.dtype).eps ** 2).clamp_(min=smallest)


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
