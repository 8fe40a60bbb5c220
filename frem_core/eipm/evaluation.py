"""Brings representation, weights and kernel together: IPM of every anchor, and the gradient."""

from dataclasses import dataclass

import torch
from torch import Tensor

from frem_core.eipm.exact import low_rank_ipm
from frem_core.eipm.feature_ipm import feature_ipm
from frem_core.eipm.low_rank import LowRankWeights
from frem_core.eipm.median_scale import median_scale
from frem_core.eipm.memory import keep_freed_memory
from frem_core.eipm.plan import order_matters, plan_linear_weights, plan_weights
from frem_core.eipm.prefix_exact import prefix_feature_ipm, prefix_ipm
from frem_core.eipm.prefix_sums import PrefixWeights
from frem_core.eipm.settings import Settings

# A stack is worked on in parts whose kernel matrices stay in the cache together.
_STACK_ENTRIES = 2**20

# Beyond this ‖z‖² (in units of σ) a squared distance in float32 is off by more than about 1e-4.
_FAR = 1e3


@dataclass(frozen=True)
class Evaluation:
    """IPM of every anchor.

    Attributes:
        ipm: ``(B, n)`` float64; 0 for dropped anchors.
        anchors: ``(B, n)`` float64; 0 for anchors without a neighbour in reach, else 1.
        gradient: of each stacked EIPM wrt z, ``(B, n, m)``, or None.
    """

    ipm: Tensor
    anchors: Tensor
    gradient: Tensor | None

    @property
    def eipm(self) -> Tensor:
        """Mean over the anchors that were not dropped, ``(B,)`` float64."""
        return self.ipm.sum(1) / self.anchors.sum(1).clamp(min=1.0)


def evaluate(z: Tensor, s: Tensor, settings: Settings, *, gradient: bool) -> Evaluation:
    """Evaluates each member of a stack by itself.

    Args:
        z: ``(B, n, m)``.
        s: ``(B, n)`` float64.
        settings: what to estimate.
        gradient: whether to compute it.
    """
    stack, n, _ = z.shape
    # With one neighbour each, every weight equals the average weight.
    if n < 3 or stack == 0:
        nothing = s.new_zeros(stack, n)
        return Evaluation(nothing, nothing + 1.0, torch.zeros_like(z) if gradient else None)
    keep_freed_memory()
    part = max(1, _STACK_ENTRIES // n**2)
    if stack > part:
        return _in_parts(z, s, settings, gradient, part)
    if stack > 1 or not order_matters(n, settings.sensitive_kernel):
        found = _evaluate_together(z, s, settings, gradient)
        return found or _in_parts(z, s, settings, gradient, 1)
    order = torch.argsort(s[0], stable=True)  # tiles and running sums want neighbours together
    found = _evaluate_together(z[:, order], s[:, order], settings, gradient)
    assert found is not None
    back = torch.argsort(order)
    return Evaluation(
        found.ipm[:, back],
        found.anchors[:, back],
        None if found.gradient is None else found.gradient[:, back],
    )


def _in_parts(z: Tensor, s: Tensor, settings: Settings, gradient: bool, size: int) -> Evaluation:
    parts = [
        evaluate(z[i : i + size], s[i : i + size], settings, gradient=gradient)
        for i in range(0, len(z), size)
    ]
    gradients = [part.gradient for part in parts if part.gradient is not None]
    return Evaluation(
        torch.cat([part.ipm for part in parts]),
        torch.cat([part.anchors for part in parts]),
        torch.cat(gradients) if gradients else None,
    )


def _evaluate_together(
    z: Tensor, s: Tensor, settings: Settings, gradient: bool
) -> Evaluation | None:
    """One pass over a whole stack; None when its members cannot share groups of S."""
    rows, scale = comparable_rows(z, settings)
    linear = settings.linear(rows.shape[1])
    plan = plan_linear_weights if linear else plan_weights
    weights = plan(s, settings.sensitive_kernel, settings.gamma, rows.dtype)
    if weights is None:
        return None
    ipm, pull = _ipm(rows, weights, settings, linear, gradient)
    anchors = weights.anchors.view_as(ipm)
    return Evaluation(ipm, anchors, None if pull is None else pull.to(z.dtype) / scale)


def _ipm(
    rows: Tensor,
    weights: LowRankWeights | PrefixWeights,
    settings: Settings,
    linear: bool,
    gradient: bool,
) -> tuple[Tensor, Tensor | None]:
    kernel = settings.representation_kernel
    features = settings.feature_map(rows.shape[-1], linear=linear)
    if features is not None:
        if isinstance(weights, PrefixWeights):
            return prefix_feature_ipm(rows.double(), weights, features, gradient=gradient)
        return feature_ipm(rows, weights, features, gradient=gradient)
    if isinstance(weights, PrefixWeights):
        return prefix_ipm(rows.double(), weights, kernel, gradient=gradient)
    return low_rank_ipm(rows, weights, kernel, gradient=gradient)


def comparable_rows(z: Tensor, settings: Settings) -> tuple[Tensor, Tensor | float]:
    """Centred rows in units of σ, in a dtype that keeps the digits of their distances, and σ."""
    scale = median_scale(z).to(z.dtype) if settings.sigma is None else settings.sigma
    rows = z if z.dtype == torch.float64 else z.float()
    rows = (rows - rows.mean(1, keepdim=True)).div_(scale)
    if rows.dtype == torch.float64:
        return rows, scale
    wide = _has_far_rows(rows) or settings.representation_kernel.rough_at_zero
    return rows.double() if wide else rows, scale


def _has_far_rows(rows: Tensor) -> bool:
    low, high = torch.aminmax(rows)
    largest = max(-float(low), float(high))
    if rows.shape[-1] * largest**2 <= _FAR:  # cheaper, and nearly always enough
        return False
    return float(rows.square().sum(-1).max()) > _FAR
