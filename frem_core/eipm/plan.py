"""Chooses how the weights on S are represented: the cheapest form that is exact enough."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, repeat

import torch
from torch import Tensor

from frem_core.eipm.settings import EipmSettings
from frem_core.eipm.tiles import LARGEST_WHOLE
from frem_core.eipm.weights import (
    FactoredColumn,
    GroupedWeights,
    InterpolatedWeights,
    LowRankWeights,
    Nodes,
    Precision,
    PrefixWeights,
)
from frem_core.eipm.weights.product import kernel_factor
from frem_core.kernels import Kernel

# Operations per pair of rows that running sums cost, in the currency of groups: with fewer than
# √(this · n) distinct values, sums over groups are cheaper. Measured.
_RUNNING_SUM_COST = 800

# The fewest nodes that any interpolation has.
_SMALLEST_RANK = 2

# A snapped S lies within γ/64 of the true one; the smoothing changes by about (1/32)²/24.
_CELLS_PER_BANDWIDTH = 32
_MOST_CELLS = 4096

# Batches are planned together as long as their tables have at most so many entries.
_TABLE_ENTRIES = 2**17

# A factor of K for all rows of a training is kept up to so many entries, 16 MB; batches are planned
# together as long as their factors have at most so many.
_COLUMN_ENTRIES = 2**22
_FACTOR_ENTRIES = 2**17


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
        return _grouped(values, group, kernel, gamma)
    if stack > 1:
        return None
    precision = Precision.of(dtype, n)
    rank = kernel.interpolation_rank(_width(values, gamma), precision.node)
    if rank is not None:
        return InterpolatedWeights(s[0], Nodes(s[0], kernel, gamma, rank), precision)
    if kernel.polynomial is not None:
        return PrefixWeights(s[0], kernel, gamma)
    return _grouped(values, group, kernel, gamma)


def groups_pay(values: Tensor, n: int, kernel: Kernel, gamma: float, dtype: torch.dtype) -> bool:
    """Whether sums over groups are the cheapest form for n rows with so many distinct values."""
    # Finding the rank costs more than a small plan, and changes nothing for few values.
    if len(values) ** 2 <= n * 3 * _SMALLEST_RANK:
        return True
    rank = kernel.interpolation_rank(_width(values, gamma), Precision.of(dtype, n).node)
    # Sums over groups against the alternative: n²·rank operations, or running sums.
    return len(values) ** 2 <= n * (_RUNNING_SUM_COST if rank is None else 3 * rank)


def _grouped(values: Tensor, group: Tensor, kernel: Kernel, gamma: float) -> GroupedWeights:
    """Groups of distinct values ``(U,)``; ``group`` ``(B, n)`` is the place of each row's value."""
    scaled = values / gamma
    return GroupedWeights(kernel.log_sensitive(scaled.unsqueeze(0) - scaled.unsqueeze(1)), group)


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
        return _grouped(values, group, kernel, gamma)
    weights = plan_weights(s, kernel, gamma, dtype)
    if isinstance(weights, PrefixWeights):
        raise TypeError(f"kernel {kernel.name} is both smooth and compact")
    return weights


class Plans:
    """Weights on S that are planned once, though several representations are judged by them."""

    def __init__(self) -> None:
        self._known: list[tuple[Tensor, torch.dtype, LowRankWeights | PrefixWeights | None]] = []

    def weights(
        self, s: Tensor, settings: EipmSettings, dtype: torch.dtype
    ) -> LowRankWeights | PrefixWeights | None:
        """As ``plan_weights``, or ``plan_linear_weights`` for the linear computation."""
        for known, its_dtype, weights in self._known:
            if its_dtype == dtype and torch.equal(known, s):
                return weights
        plan = plan_linear_weights if settings.linear(s.shape[1]) else plan_weights
        weights = plan(s, settings.sensitive_kernel, settings.gamma, dtype)
        self._known.append((s, dtype, weights))
        return weights


PlannedRuns = list[tuple[slice, LowRankWeights | None]]
"""Members of a stack that share a batch, with its weights where these are known already."""


class BatchPlanner:
    """Weights on S of the batches of a training, many at a time and ahead of the representations.

    Z has no part in the weights on S, so they need not wait for it: some dozens of small
    operations are made once for many batches instead of once for each. The values of S are sorted,
    or their kernel is factored, once for the training, so that no batch has to do that again.

    Args:
        s: the sensitive values ``(N,)`` of all rows.
        settings: of the estimator, for representations in single precision.
    """

    def __init__(self, s: Tensor, settings: EipmSettings) -> None:
        self._s = s.double()
        self._values, self._number = torch.unique(self._s, return_inverse=True)
        self._settings = settings
        self._column: tuple[int, FactoredColumn | None] = (0, None)

    def __call__(self, batches: Sequence[Tensor]) -> Iterator["PlannedRuns"]:
        """Plans an epoch.

        Args:
            batches: the rows ``(B, n)`` of each batch, every member of a stack its own.

        Yields:
            For each batch the members that see the same rows and the weights that they share, or
            None where the estimator had better plan by itself. Members that see other rows have
            no part in them, so a training does not depend on the company it is in.
        """
        runs = runs_of_same(batches[0])  # members with one seed stay together
        epochs = [self._epoch([rows[run.start] for rows in batches]) for run in runs]
        for weights in zip(*epochs, strict=True):
            yield list(zip(runs, weights, strict=True))

    def _epoch(self, batches: Sequence[Tensor]) -> Iterator[LowRankWeights | None]:
        """Weights of the batches ``(n,)`` that one training sees."""
        for n, alike in groupby(batches, len):
            yield from self._planned(n, torch.stack(list(alike)))

    def _planned(self, n: int, batches: Tensor) -> Iterator[LowRankWeights | None]:
        """Weights of batches that all have n rows."""
        kernel, gamma = self._settings.sensitive_kernel, self._settings.gamma
        if order_matters(n, kernel):
            yield from repeat(None, len(batches))
        elif groups_pay(self._values, n, kernel, gamma, torch.float32):
            yield from self._grouped(batches)
        else:
            yield from self._factored(n, batches)

    def _grouped(self, batches: Tensor) -> Iterator[GroupedWeights]:
        """Weights of batches whose values repeat."""
        kernel, gamma = self._settings.sensitive_kernel, self._settings.gamma
        values = self._values
        for some in torch.split(batches, max(1, _TABLE_ENTRIES // len(values) ** 2)):
            with torch.inference_mode():
                weights = _grouped(values, self._number[some], kernel, gamma)
                if not self._settings.is_papers:
                    weights.prepare_mean(torch.float32)
            for batch in range(len(some)):
                yield weights.member(batch)

    def _factored(self, n: int, batches: Tensor) -> Iterator[LowRankWeights | None]:
        """Weights of batches whose values differ; None where no short factor gives K."""
        if n > self._column[0]:  # what is fine enough for many rows is so for few
            self._column = n, self._factored_column(n)
        column = self._column[1]
        if column is None:
            yield from repeat(None, len(batches))
            return
        for some in torch.split(batches, max(1, _FACTOR_ENTRIES // (n * column.rank))):
            with torch.inference_mode():
                weights = column.weights(some)
            yield from weights

    def _factored_column(self, n: int) -> FactoredColumn | None:
        """All rows, finely enough for batches of n."""
        kernel, gamma = self._settings.sensitive_kernel, self._settings.gamma
        precision = Precision.of(torch.float32, n)
        most = kernel.interpolation_rank(_width(self._values, gamma), precision.node)
        if most is None or most > n or most * len(self._s) > _COLUMN_ENTRIES:
            return None
        scaled = self._s / gamma

        def log_kernel(left: Tensor, right: Tensor) -> Tensor:
            return kernel.log_sensitive(left - right.T)

        factor = kernel_factor(scaled.unsqueeze(1), log_kernel, precision.node, most)
        if factor is None:
            return None
        mean = not self._settings.is_papers
        return FactoredColumn(scaled, factor, kernel, precision, mean=mean)


def runs_of_same(s: Tensor) -> list[slice]:
    """Neighbours in a stack ``(B, n)`` with the same S: trainings with one seed see one batch.

    >>> import torch
    >>> runs_of_same(torch.tensor([[0.1, 0.2], [0.1, 0.2], [0.3, 0.2]]))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    if len(s) == 1:
        return [slice(0, 1)]
    changes = (s[1:] != s[:-1]).any(1).nonzero().flatten().tolist()
    edges = [0, *(change + 1 for change in changes), len(s)]
    return [slice(start, stop) for start, stop in pairwise(edges)]
