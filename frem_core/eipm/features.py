"""The estimator that is linear in n: inner products of features instead of a kernel matrix."""

from functools import reduce
from operator import add

import torch
from torch import Tensor

from frem_core.eipm.exact import root_slope
from frem_core.eipm.tiles import KernelTiles, is_mirrored, row_blocks
from frem_core.eipm.weights import LowRankWeights, PrefixWeights
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import FeatureMap

_BLOCK_ENTRIES = 2**20


def feature_ipm(
    z: Tensor, weights: LowRankWeights, features: FeatureMap, *, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """IPM of every anchor, and the gradient of their mean.

    With φ the features, ``√q_i = ‖Σ_j A_ij φ_j‖ = ‖B_i (Lᵀφ) - c_i φ_i‖``: one walk over blocks of
    rows gathers ``Lᵀφ``, a second one takes the norms; the gradient needs two more.

    Args:
        z: centred rows in units of σ, ``(B, n, m)``.
        weights: on S.
        features: φ, of the kernel on Z.
        gradient: whether to compute it.

    Returns:
        ``√q`` of shape ``(B, n)`` in float64, and the gradient of each stacked EIPM wrt z.
    """
    contrasts = _Contrasts(z, weights, features)
    # Norms go into one tensor: thousands of small ones, kept between blocks of megabytes, would
    # split the heap so that no freed block fits the next one (17 GB for a million rows).
    ipm = weights.share.new_empty(z.shape[:2])
    for rows in contrasts.blocks:
        ipm[:, rows] = torch.linalg.vector_norm(contrasts.of(rows)[1], dim=-1)
    ipm.mul_(features.weight**0.5)
    if not gradient:
        return ipm, None
    slope = root_slope(ipm, weights.share, z.dtype)
    return ipm, contrasts.pull(slope)


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


def feature_square(
    z: Tensor, weights: LowRankWeights, features: FeatureMap, *, noise: bool, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """As ``low_rank_square``, from features φ: ``mean_i ‖Σ_j A_ij φ_j‖²``, linear in n."""
    contrasts = _Contrasts(z, weights, features)
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


class Spread:
    """``N (κ(0) - κ̄)``, κ̄ being the mean of κ over pairs of different rows.

    ``κ(0) - κ(z, z')`` is half the squared distance of the features of z and z', so that its mean
    is their variance, ``Σ_j ‖φ_j - φ̄‖² / (n-1)``.

    Args:
        features: φ.
        factor: N of each member, or one for all, float64.
    """

    def __init__(self, features: FeatureMap, factor: Tensor) -> None:
        self._weight, self._factor = features.weight, factor
        self._rows = 0
        self._sum = factor.new_zeros(1, features.width)
        self._squares = factor.new_zeros(1)

    def add(self, mapped: Tensor) -> None:
        """Counts the features ``(B, b, D)`` of more rows."""
        self._rows += mapped.shape[1]
        self._sum = self._sum + mapped.sum(1)
        self._squares = self._squares + mapped.square().sum(2).sum(1, dtype=self._squares.dtype)

    @property
    def value(self) -> Tensor:
        """Of each member, ``(B,)`` float64."""
        variance = self._squares - self._sum.square().sum(1) / self._rows
        return self._factor * variance * (self._weight / (self._rows - 1))

    def slope(self, mapped: Tensor) -> Tensor:
        """Derivative wrt the features of some rows, ``(B, b, D)``."""
        factor = (self._factor * (2.0 * self._weight / (self._rows - 1))).view(-1, 1, 1)
        mean = (self._sum / self._rows).unsqueeze(1).to(mapped.dtype)
        return (mapped - mean).mul_(factor.to(mapped.dtype))


class _Contrasts:
    """Features φ_i and contrasts ``Σ_j A_ij φ_j`` of one block of rows at a time."""

    def __init__(self, z: Tensor, weights: LowRankWeights, features: FeatureMap) -> None:
        self._z, self._weights, self._features = z, weights, features
        stack, n, _ = z.shape
        self.blocks = row_blocks(n, _BLOCK_ENTRIES // (stack * features.width))
        self._own = weights.own.to(z.dtype).unsqueeze(-1)
        self._only: tuple[Tensor, Tensor] | None = None
        self._factor: Tensor | None = None
        if len(self.blocks) == 1:
            mapped = features(z)
            self._table = weights.anchor_table(weights.into_basis(mapped, self.blocks[0]))
            self._only = mapped, self._contrast(mapped, self.blocks[0])
        else:
            shares = (weights.into_basis(features(z[:, rows]), rows) for rows in self.blocks)
            self._table = weights.anchor_table(reduce(add, shares))  # (B, r, D)

    def _contrast(self, mapped: Tensor, rows: slice) -> Tensor:
        smoothed = self._weights.at_anchors(self._table, rows)
        return smoothed.addcmul_(self._own[:, rows], mapped, value=-1.0)

    def of(self, rows: slice) -> tuple[Tensor, Tensor]:
        """Features and contrasts ``(B, b, D)``; remembered when there is only one block."""
        if self._only is not None:
            return self._only
        mapped = self._features(self._z[:, rows])
        contrast = self._contrast(mapped, rows)
        return mapped, contrast if self._factor is None else contrast.mul_(self._factor[:, rows])

    def pull(self, slope: Tensor, spread: Spread | None = None) -> Tensor:
        """Gradient ``(B, n, m)`` of ``Σ_i slope_i q_i``, less that of a spread; call it last.

        Args:
            slope: ``(B, n)``.
            spread: to be taken off, if any.
        """
        weights, features, z = self._weights, self._features, self._z
        # From now on contrasts come times this factor, without another copy of them.
        self._factor = (slope * (2.0 * features.weight)).to(z.dtype).unsqueeze(-1)
        if self._only is not None:
            self._only[1].mul_(self._factor)
        shares = (weights.from_anchors(self.of(rows)[1], rows) for rows in self.blocks)
        back = weights.finish_anchors(reduce(add, shares))  # (B, r, D): Bᵀ diag(slope) contrast
        pull = torch.empty_like(z)
        for rows in self.blocks:
            mapped, contrast = self.of(rows)
            along = weights.at_rows(back, rows).addcmul_(self._own[:, rows], contrast, value=-1.0)
            if spread is not None:
                along.sub_(spread.slope(mapped))
            pull[:, rows] = features.pull(mapped, along)
        return pull


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
