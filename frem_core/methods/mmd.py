"""MMD: matches the representations of groups cut from the sensitive attribute."""

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from frem_core.eipm.tiles import KernelTiles, keep_freed_memory
from frem_core.kernels import get_kernel
from frem_core.methods.batch import Batch
from frem_core.methods.grouping import quantile_groups, two_groups
from frem_core.methods.method import Method, register
from frem_core.methods.parameter import parameter
from frem_core.methods.shared_parameters import representation_scale

# Keeps the gradient of the root finite where two distributions agree exactly.
TINY = 1e-12


@register
@dataclass(frozen=True, kw_only=True)
class MMD(Method):
    r"""Minimises L + λ · MMD(Z | A = 0, Z | A = 1), or L + λ · Σ_j MMD(Z, Z | bin j) with bins."""

    name = "mmd"
    title = "MMD"
    explanation = (
        "Splits people into groups by the sensitive value and makes the representations of the "
        "groups look alike."
    )
    citation = "Deka and Sutherland, MMD-B-Fair, AISTATS 2023; with bins as in the FREM paper"
    colour = "#921416"
    symbol = "cross"
    fairness_weights: ClassVar = {
        "crime": (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.15),
        "adult": (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0),
    }

    cut: str = parameter(
        "median",
        label="cut of the sensitive attribute",
        help="Two groups divided at the median or the mean, or several quantile bins.",
        choices=("median", "mean", "bins"),
    )
    bins: int = parameter(
        10,
        label="number of bins",
        symbol="J",
        help="Quantile bins when the cut is 'bins'; equal edges are merged.",
        minimum=2,
        maximum=100,
    )
    sigma: float = representation_scale(
        "Distance at which two representations count as different.", advanced=True
    )

    def cuts(self, s: Tensor) -> Tensor:
        """Returns the inner edges of the groups."""
        return quantile_groups(s, self.bins) if self.cut == "bins" else two_groups(s, self.cut)

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the sum of the discrepancies (B,)."""
        assert batch.group is not None
        groups = self.bins if self.cut == "bins" else 2
        belongs = functional.one_hot(batch.group, groups).transpose(1, 2).to(batch.z.dtype)
        counts = belongs.sum(dim=-1, keepdim=True)
        shares = belongs / counts.clamp(min=1)  # (B, J, n)
        if self.cut == "bins":
            contrasts = (shares - 1 / batch.z.shape[1]) * (counts > 0)
        else:
            both = (counts > 0).all(dim=1, keepdim=True)
            contrasts = (shares[:, :1] - shares[:, 1:]) * both
        return summed_discrepancies(batch.z, contrasts, self.sigma)


def summed_discrepancies(z: Tensor, contrasts: Tensor, sigma: float) -> Tensor:
    r"""Sum over contrasts a of √(aᵀ κ a), the V-statistic of MMD with a Gaussian κ.

    A contrast is the difference of two empirical distributions: weights over the rows that sum
    to 0. All-zero contrasts give 0 and no gradient.

    With x = z/σ and w_a = 1/(2√(aᵀκa)) the gradient is

        ∂/∂x_i = −2 Σ_a w_a a_i [(κa)_i x_i − Σ_j a_j κ_ij x_j],

    so one product with κ gives all of it. It is taken while κ (n, n) is still in the cache, one
    member of the stack after the other, which is several times faster than automatic
    differentiation through (B, n, n).

    Args:
        z: (B, n, m) representations.
        contrasts: (B, J, n).
        sigma: scale of the kernel.

    Returns:
        (B,).

    Example:
        >>> z = torch.tensor([[[0.0], [1.0]]])
        >>> apart = torch.tensor([[[1.0, -1.0]]])
        >>> round(float(summed_discrepancies(z, apart, 1.0)), 4)  # √(2 − 2 e^(−1/2))
        0.8871
    """
    value: Tensor = _SummedDiscrepancies.apply(z, contrasts, sigma)  # type: ignore[no-untyped-call]
    return value


class _SummedDiscrepancies(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, z: Tensor, contrasts: Tensor, sigma: float) -> Tensor:
        keep_freed_memory()
        centred = (z - z.mean(dim=1, keepdim=True)) / sigma  # distances lose fewer digits
        gradient = torch.empty_like(z)
        values = z.new_empty(len(z))
        for member, (x, contrast) in enumerate(zip(centred, contrasts, strict=True)):
            values[member], gradient[member] = _one_member(x, contrast)
        ctx.save_for_backward(gradient.div_(sigma))
        return values

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * slope[:, None, None], None, None


def _one_member(x: Tensor, contrasts: Tensor) -> tuple[Tensor, Tensor]:
    """Value and gradient for x (n, m) in units of σ and contrasts (J, n)."""
    rows = slice(0, len(x))
    kernel = KernelTiles(x.unsqueeze(0), get_kernel("rbf")).tile(rows, rows)[0]  # (n, n)
    used = contrasts.ne(0).any(dim=1)
    smoothed = contrasts @ kernel  # (J, n)
    squared = (smoothed * contrasts).sum(dim=1).clamp_(min=0) + TINY
    root = torch.where(used, squared, 1.0).sqrt()
    weighted = contrasts * (used / (2 * root)).unsqueeze(1)  # (J, n)
    pairs = (weighted.mT @ contrasts).mul_(kernel)  # (n, n)
    pull = (weighted * smoothed).sum(dim=0).unsqueeze(1)  # (n, 1)
    return (root * used).sum(), (pairs @ x - pull * x).mul_(2)
