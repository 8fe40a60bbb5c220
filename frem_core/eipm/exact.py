"""IPM of every anchor, or the mean of their squares, from the kernel matrix of Z, walked in tiles.

The mean of roots takes two walks: ``q_i`` first, then its gradient. The mean of squares takes one:
``mean_i q_i = Σ_jk G_jk κ(z_j, z_k)`` with ``G = Σ_i share_i a_i a_iᵀ``, which depends on S alone.

If Z and S are independent, ``q_i`` is not 0 on average but ``Σ_j A_ij² (κ(0) - κ̄)``, κ̄ being the
mean of κ over pairs of different rows: an anchor has few neighbours, and few rows differ from many
by chance. With ``N = Σ_i share_i Σ_j A_ij²`` the noise-free form is

    mean_i q_i - N (κ(0) - κ̄) = Σ_{j≠k} (G_jk + N / (n(n-1))) κ(z_j, z_k),

a U-statistic: exactly 0 on average under independence, whatever n, γ, σ and the distribution of Z.
"""

import torch
from torch import Tensor

from frem_core.eipm.tiles import KernelTiles, is_mirrored, row_blocks
from frem_core.eipm.weights import LowRankWeights, PrefixWeights, SummedWeights
from frem_core.kernels import Kernel
from frem_core.reproducible import is_narrow, stacked_product

# Running sums go down whole columns: a narrow block of them stays in the cache.
_COLUMNS = 64


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
    tiles = KernelTiles(z, kernel, halves=weights.takes_halves)
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
    over k of the strengths, where they are known. The memory of the strengths may be used.
    """
    if total is None:
        total = strength.sum(2, keepdim=True)
    block = pull[:, rows]
    if z.shape[2] == 1:
        again = is_mirrored(rows, columns)  # else its memory is reused
        towards = z[:, columns].mT
        pulled = strength * towards if again else strength.mul_(towards)
        block.add_(pulled.sum(2, keepdim=True), alpha=2.0)
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
    blocks = row_blocks(n, _COLUMNS)
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


def low_rank_square(
    z: Tensor,
    weights: LowRankWeights | SummedWeights,
    kernel: Kernel,
    *,
    noise: bool,
    gradient: bool,
) -> tuple[Tensor, Tensor | None]:
    """Mean of ``q`` over the anchors, and its gradient.

    Args:
        z: centred rows in units of σ, ``(B, n, m)``.
        weights: on S.
        kernel: on Z.
        noise: whether it stays in.
        gradient: whether to compute it.

    Returns:
        ``(B,)`` float64, and the gradient wrt z.
    """
    stack = len(z)
    pairs = weights.mean_pairs(z, noise=noise)
    value = z.new_zeros(stack, dtype=torch.float64)
    if noise:
        value += (weights.noise * kernel.at_zero).repeat(stack // len(weights.noise))
    pull = torch.zeros_like(z) if gradient else None
    for rows, columns, tile in KernelTiles(z, kernel, keep_bytes=0, halves=True):
        pair = pairs(rows, columns)  # (B, b, c), or (1, b, c) when members share their S
        # Kernels whose slope is something else need the tile again; else its memory is reused.
        products = tile.mul_(pair) if kernel.slope_is_similarity else pair * tile
        total = products.sum(2, keepdim=True)
        counted = 2.0 if is_mirrored(rows, columns) else 1.0
        value.add_(total.sum((1, 2), dtype=value.dtype), alpha=counted)
        if pull is None:
            continue
        if kernel.slope_is_similarity:
            add_pull_(pull, z, rows, columns, products, total)
        else:
            strength = kernel.times_slope_(pair.expand_as(tile).clone(), tile)
            add_pull_(pull, z, rows, columns, strength)
    return value, pull


def prefix_square(
    z: Tensor, weights: PrefixWeights, kernel: Kernel, *, noise: bool, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """As ``low_rank_square``, for running sums; ``z`` is ``(1, n, m)`` float64, sorted by S."""
    n = z.shape[1]
    shift = 0.0 if noise else float(weights.noise) / (n * (n - 1))
    value = z.new_full((1,), float(weights.noise) * kernel.at_zero if noise else 0.0)
    tiles, rows = KernelTiles(z, kernel, keep_bytes=0), slice(0, n)
    share = weights.share.unsqueeze(1)
    pull = torch.empty_like(z) if gradient else None
    for columns in row_blocks(n, _COLUMNS):
        strength = weights.smooth_transposed(weights.columns(columns) * share).add_(shift)  # (n, c)
        torch.diagonal(strength, -columns.start).zero_()
        tile = tiles.tile(rows, columns)
        value += (strength * tile[0]).sum()
        if pull is not None:
            strength = kernel.times_slope_(strength.unsqueeze(0), tile)[0]
            towards = strength.T @ z[0] - strength.sum(0).unsqueeze(1) * z[0, columns]
            pull[0, columns] = towards.mul_(2.0)
    return value, pull
