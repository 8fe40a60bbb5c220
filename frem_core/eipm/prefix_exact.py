"""The exact estimator for continuous S under a compact kernel."""

import torch
from torch import Tensor

from frem_core.eipm.exact import root_slope
from frem_core.eipm.prefix_sums import PrefixWeights
from frem_core.eipm.row_blocks import row_blocks
from frem_core.eipm.tiles import KernelTiles
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import FeatureMap

# Running sums go down whole columns: a narrow block of them stays in the cache.
_COLUMNS = 64


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


def prefix_feature_ipm(
    z: Tensor, weights: PrefixWeights, features: FeatureMap, *, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """As ``prefix_ipm``, for a kernel on Z with an explicit feature map: O(nm)."""
    mapped = features(z)
    contrast = weights.smooth(mapped[0])  # (n, D): Σ_j A_ij φ_j
    norms = torch.linalg.vector_norm(contrast, dim=1).mul_(features.weight**0.5)
    ipm = norms.unsqueeze(0)
    if not gradient:
        return ipm, None
    slope = root_slope(ipm, weights.share, z.dtype).view(-1, 1)
    along = weights.smooth_transposed(contrast * slope).mul_(2.0 * features.weight)
    return ipm, features.pull(mapped, along.unsqueeze(0))
