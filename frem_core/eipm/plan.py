"""Chooses how the weights on S are represented: the cheapest form that is exact enough."""

import torch
from torch import Tensor

from frem_core.eipm.grouped import GroupedWeights
from frem_core.eipm.interpolated import InterpolatedWeights
from frem_core.eipm.low_rank import LowRankWeights
from frem_core.eipm.precision import Precision
from frem_core.eipm.prefix_sums import PrefixWeights
from frem_core.eipm.tiles import LARGEST_WHOLE
from frem_core.kernels import Kernel

# Operations per pair of rows that running sums cost, in the currency of groups: with fewer than
# √(this · n) distinct values, sums over groups are cheaper. Measured.
_RUNNING_SUM_COST = 800

# The fewest nodes that any interpolation has.
_SMALLEST_RANK = 2

# A snapped S lies within γ/64 of the true one; the smoothing changes by about (1/32)²/24.
_CELLS_PER_BANDWIDTH = 32
_MOST_CELLS = 4096


def plan_weights(
    s: Tensor, kernel: Kernel, gamma: float, dtype: torch.dtype
) -> LowRankWeights | PrefixWeights | None:
    """Weights on S without approximation beyond the stated precision.

    Args:
        s: ``(B, n)`` float64; ascending where ``order_matters``.
        kernel: on S.
        gamma: its bandwidth γ.
        dtype: of Z; decides how fine an interpolation has to be.

    Returns:
        Grouped weights where values repeat or rows are few, otherwise interpolated weights for a
        smooth kernel and running sums for a compact one; None when the members of a stack have
        too many values between them to share groups, and should go one by one.
    """
    values, group = torch.unique(s, return_inverse=True)
    stack, n = s.shape
    if groups_pay(values, n, kernel, gamma, dtype):
        return GroupedWeights(values, group, kernel, gamma)
    if stack > 1:
        return None
    precision = Precision.of(dtype, n)
    rank = kernel.interpolation_rank(_width(values, gamma), precision.node)
    if rank is not None:
        return InterpolatedWeights(s, kernel, gamma, rank, precision)
    if kernel.polynomial is not None:
        return PrefixWeights(s[0], kernel, gamma)
    return GroupedWeights(values, group, kernel, gamma)


def groups_pay(values: Tensor, n: int, kernel: Kernel, gamma: float, dtype: torch.dtype) -> bool:
    """Whether sums over groups are the cheapest form for n rows with so many distinct values."""
    # Finding the rank costs more than a small plan, and changes nothing for few values.
    if len(values) ** 2 <= n * 3 * _SMALLEST_RANK:
        return True
    rank = kernel.interpolation_rank(_width(values, gamma), Precision.of(dtype, n).node)
    # Sums over groups against the alternative: n²·rank operations, or running sums.
    return len(values) ** 2 <= n * (_RUNNING_SUM_COST if rank is None else 3 * rank)


def _width(values: Tensor, gamma: float) -> float:
    """Bandwidths between the smallest and the largest value."""
    return (float(values[-1]) - float(values[0])) / gamma


def order_matters(n: int, kernel: Kernel) -> bool:
    """Whether n rows have to be sorted by S first: for square tiles and for running sums."""
    return n > LARGEST_WHOLE or (kernel.polynomial is not None and n > _RUNNING_SUM_COST)


def plan_linear_weights(
    s: Tensor, kernel: Kernel, gamma: float, dtype: torch.dtype
) -> LowRankWeights | None:
    """Weights of low rank whatever S is, for the estimator that is linear in n.

    As ``plan_weights``, but where that would use running sums, S is snapped to a grid much finer
    than the bandwidth.
    """
    if kernel.interpolation_rank(1.0, 0.5) is None:
        width = float(s.max() - s.min())
        step = max(gamma / _CELLS_PER_BANDWIDTH, width / _MOST_CELLS)
        if len(torch.unique(s)) > width / step + 1:
            s = (s / step).round() * step
        values, group = torch.unique(s, return_inverse=True)
        return GroupedWeights(values, group, kernel, gamma)
    weights = plan_weights(s, kernel, gamma, dtype)
    if isinstance(weights, PrefixWeights):
        raise TypeError(f"kernel {kernel.name} is both smooth and compact")
    return weights
