"""IPM of every anchor from the kernel matrix of Z, walked in tiles."""

import torch
from torch import Tensor

from frem_core.eipm.tiles import KernelTiles, is_mirrored, row_blocks
from frem_core.eipm.weights import LowRankWeights, PrefixWeights
from frem_core.kernels import Kernel
from frem_core.reproducible import is_narrow, stacked_product

# Running sums go down whole columns: a narrow block of them stays in the cache.
COLUMNS = 64


def low_rank_ipm(
    z: Tensor, weights: LowRankWeights, kernel: Kernel, *, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """IPM of every anchor, and the gradient of their mean.

    With ``b_i = L B_iᵀ`` the anchor's weights are ``a_i = b_i - c_i e_i``, so
    ``q_i = a_iᵀκa_i = b_iᵀκb_i - 2c_i(κb_i)_i + c_i²κ_ii`` needs κ only through ``Lᵀκ`` (r × n):
    O(n²m + n²) operations for grouped S instead of O(n³), and O(nr) memory.

    Args:
        z: centred rows in units of σ, ``(B, n, m)``.
        weights: on S.
        kernel: on Z.
        gradient: whether to compute it.

    Returns:
        ``√q`` of shape ``(B, n)`` in float64, and the gradient of each stacked EIPM wrt z.
    """
    stack, n, _ = z.shape
    tiles = KernelTiles(z, kernel)
    sums = z.new_zeros(stack, weights.rank, n)
    for rows, columns, tile in tiles:
        weights.collect_(sums, tile, rows, columns)
    ipm = ipm_from_sums(sums, weights, kernel)
    if not gradient:
        return ipm, None
    adjoint = weights.adjoint(root_slope(ipm, weights.share, z.dtype), z)
    pull = torch.zeros_like(z)
    for rows, columns, tile in tiles:
        strength = kernel.times_slope_(adjoint(rows, columns), tile)  # (B, b, c)
        add_pull_(pull, z, rows, columns, strength)
    return ipm, pull


def add_pull_(
    pull: Tensor,
    z: Tensor,
    rows: slice,
    columns: slice,
    strength: Tensor,
    total: Tensor | None = None,
) -> None:
    """Adds ``2 Σ_k strength_jk (z_k - z_j)`` over a block of columns k to the pull on rows j.

    A tile off the diagonal also stands for its mirror image. ``total`` are the sums ``(B, b, 1)``
    over k of the strengths, where they are known.
    """
    if total is None:
        total = strength.sum(2, keepdim=True)
    block = pull[:, rows]
    if z.shape[2] == 1:
        block.add_((strength * z[:, columns].mT).sum(2, keepdim=True), alpha=2.0)
    elif is_narrow(*strength.shape[1:], z.shape[2]):
        block.add_(stacked_product(strength, z[:, columns]), alpha=2.0)
    else:
        block.baddbmm_(strength, z[:, columns], alpha=2.0)
    block.addcmul_(total, z[:, rows], value=-2.0)
    if is_mirrored(rows, columns):
        add_pull_(pull, z, columns, rows, strength.mT)


def prefix_ipm(
    z: Tensor, weights: PrefixWeights, kernel: Kernel, *, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """IPM of every anchor, and the gradient of their mean: as ``low_rank_ipm``, for one stack.

    ``q_i = Σ_j (Aκ)_ij A_ij`` is summed over blocks of columns j, where ``Aκ`` comes from running
    sums, in O(n²) altogether. The gradient wrt κ, ``Aᵀ diag(slope) A``, comes the same way.

    Args:
        z: centred rows in units of σ, sorted by S, ``(1, n, m)``, float64.
        weights: on S.
        kernel: on Z.
        gradient: whether to compute it.
    """
    n = z.shape[1]
    tiles = KernelTiles(z, kernel)
    rows = slice(0, n)
    blocks = row_blocks(n, COLUMNS)
    squared = z.new_zeros(n)
    for columns in blocks:
        smoothed = weights.smooth(tiles.tile(rows, columns)[0])  # (n, c)
        squared += (smoothed * weights.columns(columns)).sum(1)
    ipm = squared.clamp_(min=0.0).sqrt_().unsqueeze(0)
    if not gradient:
        return ipm, None
    slope = root_slope(ipm, weights.share, z.dtype).view(n, 1)
    pull = torch.empty_like(z)
    for columns in blocks:
        adjoint = weights.smooth_transposed(weights.columns(columns) * slope)  # (n, c)
        strength = kernel.times_slope_(adjoint.unsqueeze(0), tiles.tile(rows, columns))[0]
        pull[0, columns] = strength.T @ z[0] - strength.sum(0).unsqueeze(1) * z[0, columns]
    return ipm, pull.mul_(2.0)


def ipm_from_sums(sums: Tensor, weights: LowRankWeights, kernel: Kernel) -> Tensor:
    """IPM of every anchor ``(B, n)``, float64, from ``Lᵀκ`` ``(B, r, n)``."""
    squared, cross = weights.reduce(sums)
    own = weights.own
    squared.addcmul_(own, cross, value=-2.0).addcmul_(own, own, value=kernel.at_zero)
    return squared.clamp_(min=0.0).sqrt_()


def root_slope(ipm: Tensor, share: Tensor, dtype: torch.dtype) -> Tensor:
    """Derivative of the mean of ``√q`` wrt every q, finite also where q is 0.

    There the true derivative is infinite, while the gradient of q is 0; a floor below anything
    the dtype resolves makes their product 0 instead of NaN.
    """
    floor = 1e-10 if dtype == torch.float64 else 1e-5
    return share / ipm.clamp(min=floor).mul_(2.0)
