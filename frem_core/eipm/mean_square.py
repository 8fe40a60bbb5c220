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
from frem_core.eipm.weights import LowRankWeights, PrefixWeights
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import FeatureMap


def low_rank_square(
    z: Tensor, weights: LowRankWeights, kernel: Kernel, *, noise: bool, gradient: bool
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
    stack, n, _ = z.shape
    diagonal, shift = _noise_terms(weights.noise, n, kernel, kept=noise)
    pairs = weights.mean_adjoint(shift, z)
    value = diagonal.repeat(stack // len(diagonal))
    pull = torch.zeros_like(z) if gradient else None
    for rows, columns, tile in KernelTiles(z, kernel, keep_bytes=0):
        strength = pairs(rows, columns)  # (B, b, c), or (1, b, c) when members share their S
        torch.diagonal(strength, rows.start - columns.start, dim1=1, dim2=2).zero_()
        counted = 2.0 if is_mirrored(rows, columns) else 1.0
        value.add_((strength * tile).sum(2).sum(1, dtype=value.dtype), alpha=counted)
        if pull is not None:
            if len(strength) < stack:
                strength = strength.repeat(stack, 1, 1)
            add_pull_(pull, z, rows, columns, kernel.times_slope_(strength, tile))
    return value, pull


def prefix_square(
    z: Tensor, weights: PrefixWeights, kernel: Kernel, *, noise: bool, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """As ``low_rank_square``, for running sums; ``z`` is ``(1, n, m)`` float64, sorted by S."""
    n = z.shape[1]
    diagonal, shift = _noise_terms(weights.noise.view(1), n, kernel, kept=noise)
    tiles, rows = KernelTiles(z, kernel, keep_bytes=0), slice(0, n)
    share = weights.share.unsqueeze(1)
    value = diagonal.clone()
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


def _noise_terms(noise: Tensor, n: int, kernel: Kernel, *, kept: bool) -> tuple[Tensor, Tensor]:
    """What pairs of a row with itself contribute, and what is added to G for all other pairs."""
    if kept:
        return noise * kernel.at_zero, torch.zeros_like(noise)
    return torch.zeros_like(noise), noise / (n * (n - 1))


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
