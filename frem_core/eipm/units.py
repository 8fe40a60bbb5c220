"""What Z is measured in: as it is or relative to its own spread, and then in units of σ.

Relative units leave an encoder nothing to gain by making Z, or a part of it, small.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from frem_core.eipm.settings import EipmSettings, Units
from frem_core.kernels import squared_distances
from frem_core.reproducible import stacked_product

Back = Callable[[Tensor], Tensor]
"""From the gradient wrt rows in their units to that wrt Z, for what depends on differences of rows
alone: such a gradient sums to 0 over them."""

# Share of the average variance that is added to every direction before whitening: directions in
# which Z hardly varies at all would otherwise be rounding errors, blown up.
_RIDGE = 1e-4

# Beyond this ‖z‖² (in units of σ) a squared distance in float32 is off by more than about 1e-4.
_FAR = 1e3

# Rows that the median distance is taken over.
_LARGEST_SAMPLE = 512


def in_units(z: Tensor, units: Units, least: Tensor | None = None) -> Tensor:
    """Z relative to its own spread, with the gradient that belongs to it.

    A kernel of fixed scale σ sees less in a small Z, and nothing in a dimension that is small
    beside the others, while a linear head makes up for either by larger weights.

    Args:
        z: ``(B, n, m)``.
        units: ``"as_is"``; ``"scale"``, divided by the root mean square distance to its centre;
            ``"standardised"``, every dimension divided by √m times its standard deviation;
            ``"whitened"``, standardised along the principal axes, so that no direction is small.
        least: ``(B,)``, a spread below which it counts less and less that ``"scale"`` is relative:
            rows are divided by the root of the sum of both squares.

    Returns:
        Shape ``(B, n, m)``; centred, unless as it is. In all units but these the mean square
        distance to the centre is 1, or less where there is a ``least``. A dimension that does not
        vary stays at 0.

    >>> in_units(torch.tensor([[[0.0, 1.0], [2.0, 3.0]]]), "standardised")
    tensor([[[-0.7071, -0.7071],
             [ 0.7071,  0.7071]]])
    """
    if units == "as_is":
        return z
    rows: Tensor = _InUnits.apply(z, units, least)  # type: ignore[no-untyped-call]
    return rows


def rows_and_back(
    z: Tensor, units: Units, least: Tensor | None = None
) -> tuple[Tensor, Back | None]:
    """As `in_units` without a graph: the rows, and what turns their gradient into that of Z."""
    if units == "as_is":
        return z, None
    return _whitened(z) if units == "whitened" else _relative(z, units == "standardised", least)


class _InUnits(torch.autograd.Function):
    """As one step it takes a third of the time of its parts."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, units: Units, least: Tensor | None) -> Tensor:
        rows, ctx.back = rows_and_back(z, units, least)
        return rows.view_as(rows)  # `back` knows the rows, which must not know `back`

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor, None, None]:
        return ctx.back(outer - outer.mean(1, keepdim=True)), None, None


def _relative(z: Tensor, each: bool, least: Tensor | None) -> tuple[Tensor, Back]:
    """Divides each dimension by its own spread, or all by one."""
    n, m = z.shape[1:]
    centre = z.mean(1, keepdim=True)
    relative = z - centre
    squares = relative.square().mean(1, keepdim=True)  # (B, 1, m)
    sizes = torch.addcmul(squares, centre, centre)
    if m > 1:
        squares = squares.mul_(m) if each else squares.sum(2, keepdim=True)
        sizes = sizes.mul_(m) if each else sizes.sum(2, keepdim=True)
    # Less than this is the rounding error of values of such a size.
    smallest = sizes.mul_(1e4 * torch.finfo(z.dtype).eps ** 2)
    smallest.clamp_(min=torch.finfo(z.dtype).tiny ** 0.5)
    varies = squares > smallest
    if least is not None:
        squares = squares + least.to(squares).square().view(-1, 1, 1)
    factor = torch.maximum(squares, smallest).rsqrt_()
    relative.mul_(factor)

    def back(outer: Tensor) -> Tensor:
        """Growing in proportion changes nothing, so that part of the gradient goes."""
        outward = (outer * relative).sum(1, keepdim=True)
        if m > 1:
            outward = outward.mul_(m) if each else outward.sum(2, keepdim=True)
        gradient = torch.addcmul(outer, relative, outward.mul_(varies), value=-1.0 / n)
        return gradient.mul_(factor)

    return relative, back


def _whitened(z: Tensor) -> tuple[Tensor, Back]:
    """``(z - mean) L⁻ᵀ / √m`` with ``L Lᵀ`` the covariance and its ridge.

    Coordinates in which the covariance is 1/m; they differ from others by a rotation only. A
    triangular root of the covariance instead of principal axes: its gradient needs no distinct
    variances. Root and inverse are of float64, in which the ridge is far above rounding errors.
    """
    n, m = z.shape[1:]
    centred = z - z.mean(1, keepdim=True)
    wide = centred.double()
    covariance = stacked_product(wide.mT, wide).div_(n)  # (B, m, m)
    average = torch.diagonal(covariance, dim1=1, dim2=2).mean(1).view(-1, 1, 1)
    smallest = torch.finfo(z.dtype).tiny ** 0.5
    ridge = (average * _RIDGE).clamp(min=smallest)
    one = torch.eye(m).to(covariance)
    # One by one: factors of several matrices are rounded by where these lie in memory.
    roots = [torch.linalg.cholesky(part) for part in torch.split(covariance + ridge * one, 1)]
    inverses = [torch.linalg.solve_triangular(root, one[None], upper=False) for root in roots]
    turn = torch.cat(inverses).mT / m**0.5  # (B, m, m), upper triangular
    whitened = stacked_product(centred, turn.to(z.dtype))
    grows = average * _RIDGE > smallest

    def back(outer: Tensor) -> Tensor:
        """Through the rows themselves, and through the covariance that they have together."""
        # d(L⁻¹) = -Φ(L⁻¹ dC L⁻ᵀ) L⁻¹, Φ taking the lower triangle and half of the diagonal.
        along = stacked_product(outer.mT, whitened).double().tril()
        torch.diagonal(along, dim1=1, dim2=2).mul_(0.5)
        strain = stacked_product(stacked_product(turn, along + along.mT), turn.mT)
        spread = torch.diagonal(strain, dim1=1, dim2=2).sum(1).view(-1, 1, 1)
        strain = strain + torch.eye(m).to(strain) * (spread * grows * (_RIDGE / m))
        gradient = stacked_product(outer, turn.mT.to(outer.dtype))
        return gradient.sub_(stacked_product(centred, (strain * (m / n)).to(outer.dtype)))

    return whitened, back


def comparable_rows(z: Tensor, settings: EipmSettings) -> tuple[Tensor, Tensor | float]:
    """Centred rows in units of σ, in a dtype that keeps the digits of their distances, and σ."""
    scale = median_scale(z).to(z.dtype) if settings.sigma is None else settings.sigma
    rows = z if z.dtype == torch.float64 else z.float()
    relative = settings.units != "as_is"
    if not relative:  # others are centred
        rows = rows - rows.mean(1, keepdim=True)
    if not is_one(scale):
        rows = rows / scale
    if rows.dtype == torch.float64:
        return rows, scale
    # Of rows with a mean square of 1 none is further away than all of them together.
    near = relative and is_one(scale) and z.shape[1] <= _FAR
    wide = settings.representation_kernel.rough_at_zero or (not near and _has_far_rows(rows))
    return rows.double() if wide else rows, scale


def is_one(scale: Tensor | float) -> bool:
    """Whether dividing by it would only cost time."""
    return isinstance(scale, float) and scale == 1.0


def _has_far_rows(rows: Tensor) -> bool:
    low, high = torch.aminmax(rows)
    largest = max(-float(low), float(high))
    if rows.shape[-1] * largest**2 <= _FAR:  # cheaper, and nearly always enough
        return False
    return float(rows.square().sum(-1).max()) > _FAR


def median_scale(z: Tensor) -> Tensor:
    """σ of each stacked representation: the median distance between two of its rows.

    Multiplying Z by a number multiplies σ by the same number, so that EIPM cannot be lowered by
    merely shrinking Z. Taken over at most 512 evenly spaced rows. Where more than half of the
    distances are 0 their mean is used instead, and 1 where all rows coincide.

    Args:
        z: ``(B, n, m)`` with n >= 2.

    Returns:
        Shape ``(B, 1, 1)``, float64, detached.

    >>> median_scale(torch.tensor([[[0.0], [1.0], [3.0]]]))
    tensor([[[2.]]], dtype=torch.float64)
    """
    sample = z.detach().double()
    n = sample.shape[1]
    if n > _LARGEST_SAMPLE:
        chosen = torch.linspace(0, n - 1, _LARGEST_SAMPLE, device=z.device).round().long()
        sample = sample[:, chosen]
    sample = sample - sample.mean(1, keepdim=True)
    first, second = torch.triu_indices(*2 * (sample.shape[1],), offset=1, device=z.device)
    distances = squared_distances(sample)[:, first, second].sqrt()  # (B, pairs)
    median = distances.median(1).values
    scale = torch.where(median > 0, median, distances.mean(1))
    return torch.where(scale > 0, scale, 1.0).view(-1, 1, 1)
