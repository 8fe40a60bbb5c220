"""The mean of the squared IPMs, with the noise of the rows left in or taken off.

``mean_i q_i = Σ_jk G_jk κ(z_j, z_k)`` with ``G = Σ_i share_i a_i a_iᵀ``, which depends on S alone:
one walk over κ gives value and gradient, where the mean of roots needs two.

If Z and S are independent, ``q_i`` is not 0 on average but ``Σ_j A_ij² (κ(0) - κ̄)``, κ̄ being the
mean of κ over pairs of different rows: an anchor has few neighbours, and few rows differ from many
by chance. With ``N = Σ_i share_i Σ_j A_ij²`` the noise-free form is

    mean_i q_i - N (κ(0) - κ̄) = Σ_{j≠k} (G_jk + N / (n(n-1))) κ(z_j, z_k),

a U-statistic: exactly 0 on average under independence, whatever n, γ, σ and the distribution of Z.
"""

import torch
from torch import Tensor

from frem_core.eipm.exact import COLUMNS, add_pull_
from frem_core.eipm.features import Contrasts, Spread
from frem_core.eipm.tiles import KernelTiles, is_mirrored, row_blocks
from frem_core.eipm.weights import LowRankWeights, PrefixWeights, SummedWeights
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import FeatureMap


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
        products = pair * tile
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
    for columns in row_blocks(n, COLUMNS):
        strength = weights.smooth_transposed(weights.columns(columns) * share).add_(shift)  # (n, c)
        torch.diagonal(strength, -columns.start).zero_()
        tile = tiles.tile(rows, columns)
        value += (strength * tile[0]).sum()
        if pull is not None:
            strength = kernel.times_slope_(strength.unsqueeze(0), tile)[0]
            towards = strength.T @ z[0] - strength.sum(0).unsqueeze(1) * z[0, columns]
            pull[0, columns] = towards.mul_(2.0)
    return value, pull


def feature_square(
    z: Tensor, weights: LowRankWeights, features: FeatureMap, *, noise: bool, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """As ``low_rank_square``, from features φ: ``mean_i ‖Σ_j A_ij φ_j‖²``, linear in n."""
    contrasts = Contrasts(z, weights, features)
    value = z.new_zeros(len(z), dtype=torch.float64)
    for rows in contrasts.blocks:
        squared = contrasts.of(rows)[1].square().sum(-1)
        value += (squared * weights.share[:, rows]).sum(1)
    value *= features.weight
    spread = None
    if not noise:
        spread = Spread(features, weights.noise)
        for rows in contrasts.blocks:
            spread.add(contrasts.of(rows)[0])
        value -= spread.value
    return value, contrasts.pull(weights.share, spread) if gradient else None


def prefix_feature_square(
    z: Tensor, weights: PrefixWeights, features: FeatureMap, *, noise: bool, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """As ``feature_square``, for running sums; ``z`` is ``(1, n, m)`` float64, sorted by S."""
    mapped = features(z)
    contrast = weights.smooth(mapped[0])  # (n, D)
    share = weights.share.unsqueeze(1)
    value = (contrast.square() * share).sum().view(1).mul_(features.weight)
    spread = None
    if not noise:
        spread = Spread(features, weights.noise.view(1))
        spread.add(mapped)
        value -= spread.value
    if not gradient:
        return value, None
    along = weights.smooth_transposed(contrast * share).mul_(2.0 * features.weight).unsqueeze(0)
    if spread is not None:
        along.sub_(spread.slope(mapped))
    return value, features.pull(mapped, along)


def spread_of(z: Tensor, kernel: Kernel, features: FeatureMap | None) -> float:
    """``κ(0) - κ̄`` of one sample of centred rows in units of σ, ``(1, n, m)``."""
    n = z.shape[1]
    if features is not None:
        spread = Spread(features, z.new_ones(1, dtype=torch.float64))
        for rows in row_blocks(n, 2**20 // features.width):
            spread.add(features(z[:, rows]))
        return float(spread.value)
    total = 0.0
    for rows, columns, tile in KernelTiles(z, kernel, keep_bytes=0, halves=True):
        total += float(tile.sum(dtype=torch.float64)) * (1 + is_mirrored(rows, columns))
    return kernel.at_zero - (total - n * kernel.at_zero) / (n * (n - 1))
