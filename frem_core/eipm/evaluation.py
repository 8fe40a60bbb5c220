"""Brings representation, weights and kernel together: EIPM and gradient, or IPM of contrasts."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from frem_core.eipm.exact import (
    low_rank_ipm,
    low_rank_square,
    prefix_ipm,
    prefix_square,
    root_slope,
)
from frem_core.eipm.features import (
    feature_ipm,
    feature_square,
    prefix_feature_ipm,
    prefix_feature_square,
    spread_of,
)
from frem_core.eipm.plan import Plans, order_matters, runs_of_same
from frem_core.eipm.settings import EipmSettings
from frem_core.eipm.tiles import KernelTiles, is_mirrored, keep_freed_memory, row_blocks
from frem_core.eipm.units import comparable_rows, in_units, is_one
from frem_core.eipm.weights import (
    GroupedWeights,
    LowRankWeights,
    PrefixWeights,
    SummedWeights,
)
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import FeatureMap

# A stack is worked on in parts whose kernel matrices stay in the cache together.
_STACK_ENTRIES = 2**20

_Weights = LowRankWeights | PrefixWeights | SummedWeights


@dataclass(frozen=True)
class Evaluation:
    """EIPM of every member of a stack.

    Attributes:
        eipm: ``(B,)`` float64.
        share: ``(B, n)`` float64: what each anchor counts in the mean; 0 for those dropped.
        gradient: of each EIPM wrt z, ``(B, n, m)``, or None.
    """

    eipm: Tensor
    share: Tensor
    gradient: Tensor | None

    def in_units_of(self, scale: Tensor | float, dtype: torch.dtype) -> "Evaluation":
        """Gradients wrt z instead of z divided by the scale, ``(B, 1, 1)`` or one for all."""
        if self.gradient is None or (is_one(scale) and self.gradient.dtype == dtype):
            return self
        return replace(self, gradient=self.gradient.to(dtype) / scale)

    def with_rows(self, order: Tensor) -> "Evaluation":
        """The same with its rows in another order."""
        gradient = None if self.gradient is None else self.gradient[:, order]
        return Evaluation(self.eipm, self.share[:, order], gradient)


def evaluate(
    z: Tensor,
    s: Tensor,
    settings: EipmSettings,
    *,
    gradient: bool,
    planned: LowRankWeights | SummedWeights | Plans | None = None,
) -> Evaluation:
    """Evaluates each member of a stack by itself.

    Args:
        z: ``(B, n, m)``.
        s: ``(B, n)``.
        settings: what to estimate.
        gradient: whether to compute it.
        planned: weights on the S that all members share, where they are known already; or plans
            that other representations with this S were evaluated by, or will be. Summed weights
            go with the square and the kernel matrix.
    """
    stack, n, _ = z.shape
    # With one neighbour each, every weight equals the average weight.
    if n < 3 or stack == 0:
        share = s.new_ones(stack, n, dtype=torch.float64)
        nothing = share.new_zeros(stack)
        return Evaluation(nothing, share, torch.zeros_like(z) if gradient else None)
    keep_freed_memory()
    if isinstance(planned, LowRankWeights | SummedWeights):
        rows, scale = comparable_rows(z, settings)
        if _decides_for_others(rows, z, settings):
            alone = [
                evaluate(z[b : b + 1], s[b : b + 1], settings, gradient=gradient, planned=planned)
                for b in range(stack)
            ]
            return _joined(alone)
        return _all_weighted(rows, planned, settings, gradient).in_units_of(scale, z.dtype)
    plans = planned or Plans()
    s = s.double()
    runs = runs_of_same(s)
    if len(runs) == 1:
        return _evaluate_alike(z, s[:1], plans, settings, gradient)
    if len(runs) == stack:
        return _evaluate_different(z, s, plans, settings, gradient)
    return _joined([_evaluate_alike(z[run], s[run][:1], plans, settings, gradient) for run in runs])


def _evaluate_alike(
    z: Tensor, s: Tensor, plans: Plans, settings: EipmSettings, gradient: bool
) -> Evaluation:
    """Members that all have the S ``(1, n)``, and so share their weights."""
    n = s.shape[1]
    order = None
    if order_matters(n, settings.sensitive_kernel):
        # Tiles and running sums want neighbours together.
        order = torch.argsort(s[0], stable=True)
        z, s = z[:, order], s[:, order]
    rows, scale = comparable_rows(z, settings)
    if _decides_for_others(rows, z, settings):
        parts = [_evaluate_alike(one, s, plans, settings, gradient) for one in torch.split(z, 1)]
        found = _joined(parts)
        return found if order is None else found.with_rows(torch.argsort(order))
    weights = plans.weights(s, settings, rows.dtype)
    assert weights is not None
    found = _all_weighted(rows, weights, settings, gradient).in_units_of(scale, z.dtype)
    return found if order is None else found.with_rows(torch.argsort(order))


def _evaluate_different(
    z: Tensor, s: Tensor, plans: Plans, settings: EipmSettings, gradient: bool
) -> Evaluation:
    """Members that each have an S ``(B, n)`` of their own: together where they share groups."""
    size = _stack_part(s.shape[1])
    parts = []
    for some, theirs in zip(torch.split(z, size), torch.split(s, size), strict=True):
        rows, scale = comparable_rows(some, settings)
        weights = plans.weights(theirs, settings, rows.dtype)
        if weights is None:
            alone = zip(torch.split(some, 1), torch.split(theirs, 1), strict=True)
            parts += [_evaluate_alike(one, its, plans, settings, gradient) for one, its in alone]
        else:
            found = _weighted(rows, weights, settings, gradient)
            parts.append(found.in_units_of(scale, z.dtype))
    return _joined(parts)


def _stack_part(n: int) -> int:
    return max(1, _STACK_ENTRIES // n**2)


def _all_weighted(
    rows: Tensor, weights: _Weights, settings: EipmSettings, gradient: bool
) -> Evaluation:
    """Members that share their weights, as many at a time as suits the cache."""
    together = isinstance(weights, GroupedWeights | SummedWeights)
    size = _stack_part(rows.shape[1]) if together else 1
    parts = torch.split(rows, size) if len(rows) > size else (rows,)
    return _joined([_weighted(part, weights, settings, gradient) for part in parts])


def _weighted(
    rows: Tensor, weights: _Weights, settings: EipmSettings, gradient: bool
) -> Evaluation:
    share = weights.share.expand(rows.shape[:2])
    if settings.is_papers and not isinstance(weights, SummedWeights):
        ipm, pull = _ipm(rows, weights, settings, gradient)
        return Evaluation((ipm * share).sum(1), share, pull)
    value, pull = _mean_square(rows, weights, settings, gradient)
    if settings.form == "root":
        root = signed_root(value)
        if pull is not None:
            pull *= root_slope(root.abs(), torch.ones_like(root), rows.dtype).view(-1, 1, 1)
        value = root
    return Evaluation(value, share, pull)


def signed_root(squared: Tensor) -> Tensor:
    """``√x``, and ``-√-x`` below 0, where a square without its noise falls by chance."""
    return squared.sign() * squared.abs().sqrt()


def _joined(parts: list[Evaluation]) -> Evaluation:
    if len(parts) == 1:
        return parts[0]
    gradients = [part.gradient for part in parts if part.gradient is not None]
    return Evaluation(
        torch.cat([part.eipm for part in parts]),
        torch.cat([part.share for part in parts]),
        torch.cat(gradients) if gradients else None,
    )


def _ipm(
    rows: Tensor,
    weights: LowRankWeights | PrefixWeights,
    settings: EipmSettings,
    gradient: bool,
) -> tuple[Tensor, Tensor | None]:
    kernel = settings.representation_kernel
    linear = settings.linear(rows.shape[1])
    features = settings.feature_map(rows.shape[-1], linear=linear)
    if features is not None:
        if isinstance(weights, PrefixWeights):
            return prefix_feature_ipm(rows.double(), weights, features, gradient=gradient)
        return feature_ipm(rows, weights, features, gradient=gradient)
    if isinstance(weights, PrefixWeights):
        return prefix_ipm(rows.double(), weights, kernel, gradient=gradient)
    return low_rank_ipm(rows, weights, kernel, gradient=gradient)


def _mean_square(
    rows: Tensor,
    weights: _Weights,
    settings: EipmSettings,
    gradient: bool,
) -> tuple[Tensor, Tensor | None]:
    kernel = settings.representation_kernel
    noise = settings.noise == "kept"
    linear = settings.linear(rows.shape[1])
    features = settings.feature_map(rows.shape[-1], linear=linear)
    if isinstance(weights, PrefixWeights):
        rows = rows.double()
        if features is not None:
            return prefix_feature_square(rows, weights, features, noise=noise, gradient=gradient)
        return prefix_square(rows, weights, kernel, noise=noise, gradient=gradient)
    if features is not None and not isinstance(weights, SummedWeights):
        return feature_square(rows, weights, features, noise=noise, gradient=gradient)
    return low_rank_square(rows, weights, kernel, noise=noise, gradient=gradient)


def _decides_for_others(rows: Tensor, z: Tensor, settings: EipmSettings) -> bool:
    """Whether far rows of some members have widened all: each is to be judged as if alone."""
    widened = rows.dtype != z.dtype and not settings.representation_kernel.rough_at_zero
    return widened and len(z) > 1


def contrast_ipm(z: Tensor, contrasts: Tensor, settings: EipmSettings) -> Tensor:
    """``√(aᵀκa)`` for each row a of ``contrasts`` ``(points, n)``, less the noise."""
    keep_freed_memory()
    rows, _ = comparable_rows(in_units(z, settings.units), settings)
    linear = settings.linear(z.shape[1])
    features = settings.feature_map(z.shape[-1], linear=linear)
    kernel = settings.representation_kernel
    # Random features are good to a percent at best: float32 is plenty.
    rows = rows.float() if linear and features is not None else rows
    if features is None:
        squares = _by_kernel(rows, contrasts, kernel)
    else:
        squares = _by_features(rows, contrasts, features)
    if settings.noise == "removed":
        noise = contrasts.square().sum(1) * spread_of(rows, kernel, features)
        return signed_root(squares - noise)
    return squares.clamp_(min=0.0).sqrt_()


def _by_features(rows: Tensor, contrasts: Tensor, features: FeatureMap) -> Tensor:
    """``aᵀκa`` for each contrast a."""
    means = contrasts.new_zeros(len(contrasts), features.width)
    for block in row_blocks(rows.shape[1], 2**20 // features.width):
        means.addmm_(contrasts[:, block], features(rows[0, block]).to(means.dtype))
    return means.square_().sum(1).mul_(features.weight)


def _by_kernel(rows: Tensor, contrasts: Tensor, kernel: Kernel) -> Tensor:
    """``aᵀκa`` for each contrast a."""
    smoothed = torch.zeros_like(contrasts)  # (points, n): contrasts κ
    for first, second, tile in KernelTiles(rows, kernel):
        smoothed[:, second] += contrasts[:, first] @ tile[0]
        if is_mirrored(first, second):
            smoothed[:, first] += contrasts[:, second] @ tile[0].T
    return (smoothed * contrasts).sum(1)
