"""Weights on several attributes under a smooth kernel: a factor of K by pivoted Cholesky."""

from collections.abc import Callable
from copy import copy

import torch
from torch import Tensor

from frem_core.eipm.tiles import row_blocks
from frem_core.eipm.weights.factored import FactoredWeights, factor_blocks
from frem_core.eipm.weights.interpolated import Precision
from frem_core.eipm.weights.low_rank import equal_shares, exact_rows

LogKernel = Callable[[Tensor, Tensor], Tensor]
"""``log K`` between places ``(a, d)`` and ``(b, d)``, ``(a, b)``."""

MOST_COLUMNS = 1536
"""A factor with more columns than this costs more than it saves."""

MOST_EXACT = 512
"""So many anchors at most get an element of their own."""

# Rows that pivots are looked for among at a time.
_CANDIDATES = 4096


class ProductWeights(FactoredWeights):
    """``K ≈ F Fᵀ``, so that ``A = [F / mass, -1/(n-1)] [F, 1]ᵀ - diag(c)``.

    Anchors with few and far neighbours are weighed exactly, in an element of their own; those
    with fewer effective neighbours than ``n_min`` do not count at all.

    Args:
        places: ``(n, d)`` float64.
        log_kernel: on them.
        factor: F, ``(n, r)`` float64, from ``kernel_factor``.
        precision: that F was made for.
        n_min: fewest effective neighbours.

    Attributes:
        exact_anchors: how many anchors are weighed exactly.
    """

    def __init__(
        self,
        places: Tensor,
        log_kernel: LogKernel,
        factor: Tensor,
        precision: Precision,
        n_min: float,
    ) -> None:
        super().__init__(precision.dtype)
        n, self._nodes = factor.shape
        self._factor, self._uniform = factor, 1.0 / (n - 1)
        itself = factor.square().sum(1)
        mass = factor @ factor.sum(0) - itself
        gram = factor.T @ factor
        squares = (
            torch.cat(
                [((factor[b] @ gram) * factor[b]).sum(1) for b in factor_blocks(n, self._nodes)]
            )
            - itself.square()
        )
        near = mass >= precision.smallest_mass
        covered = near & (mass.square() * (1 + 1e-9) >= n_min * squares)
        self._isolated, self._exact = _covered_far(places, log_kernel, ~near, n_min)
        self.exact_anchors = len(self._isolated)
        covered[self._isolated] = True
        self._scale = torch.where(near & covered, 1.0 / mass.clamp(min=1e-300), 0.0)
        self._counts = (near & covered).to(factor.dtype)
        self.own = (itself * self._scale - self._uniform * self._counts).unsqueeze(0)
        self.share = equal_shares(covered.to(factor.dtype)).unsqueeze(0)
        self.rank = self._nodes + 1 + len(self._isolated)

    def reordered(self, order: Tensor) -> "ProductWeights":
        """Rows of both factors change places."""
        other = copy(self)
        other._forget()
        other._factor, other._scale = self._factor[order], self._scale[order]
        other._counts = self._counts[order]
        other.own, other.share = self.own[:, order], self.share[:, order]
        other._isolated = torch.argsort(order)[self._isolated]
        other._exact = self._exact[:, order]
        return other

    def _factors(self, rows: slice) -> tuple[Tensor, Tensor]:
        factor = self._factor[rows]
        loading = [factor, torch.ones_like(factor[:, :1])]
        anchor = [factor * self._scale[rows, None], self._counts[rows, None] * -self._uniform]
        if len(self._isolated):
            row = torch.arange(len(self._factor), device=factor.device)[rows].unsqueeze(1)
            loading.append(self._exact[:, rows].T)
            anchor.append((row == self._isolated).to(factor.dtype))
        return torch.cat(loading, 1), torch.cat(anchor, 1)


def kernel_factor(
    places: Tensor, log_kernel: LogKernel, tolerance: float, most: int = MOST_COLUMNS
) -> Tensor | None:
    """F ``(n, r)`` with ``|K - F Fᵀ| <= tolerance`` in every entry, by pivoted Cholesky.

    What is left of a positive definite K stays positive definite, so that no entry of it exceeds
    the largest on its diagonal. Pivots are chosen among a sample of the rows; rows that it leaves
    too far off are looked at next. K is 1 on its diagonal.

    Returns:
        F, or None when it would have more than ``most`` columns.
    """
    n = len(places)
    scale = float(log_kernel(places[:1], places[:1]).exp())
    step = max(1, n // _CANDIDATES)
    looked_at = torch.arange(0, n, step, device=places.device)[:_CANDIDATES]
    pivots = places[:0]
    while True:
        pivots = _more_pivots(pivots, places[looked_at], log_kernel, tolerance, scale, most)
        if len(pivots) > most:
            return None
        inner = log_kernel(pivots, pivots).exp()
        root, failed = torch.linalg.cholesky_ex(inner)
        if int(failed):  # rounding: what is left of these pivots is below any tolerance
            inner.diagonal().add_(tolerance * 1e-2)
            root = torch.linalg.cholesky(inner)
        factor = torch.cat(
            [
                torch.linalg.solve_triangular(
                    root, log_kernel(pivots, places[block]).exp(), upper=False
                ).T
                for block in row_blocks(n, 2**22 // len(pivots))
            ]
        )
        left = scale - factor.square().sum(1)
        far = torch.nonzero(left > 2 * tolerance).squeeze(1)
        if not len(far):
            return factor.contiguous()
        looked_at = far[torch.argsort(left[far], descending=True)][:_CANDIDATES]


def _more_pivots(
    pivots: Tensor,
    candidates: Tensor,
    log_kernel: LogKernel,
    tolerance: float,
    scale: float,
    most: int,
) -> Tensor:
    """Adds candidates, each time the one least well explained, until all are."""
    count = len(candidates)
    factor = candidates.new_zeros(count, most + 1)
    known = len(pivots)
    if known:
        inner = log_kernel(pivots, pivots).exp()
        inner.diagonal().add_(tolerance * 1e-2)
        outer = log_kernel(pivots, candidates).exp()
        factor[:, :known] = torch.linalg.solve_triangular(
            torch.linalg.cholesky(inner), outer, upper=False
        ).T
    left = scale - factor[:, :known].square().sum(1)
    chosen = []
    while known <= most:
        place = int(left.argmax())
        worst = float(left[place])
        if worst <= tolerance:
            break
        column = log_kernel(candidates, candidates[place : place + 1]).exp().squeeze(1)
        column -= factor[:, :known] @ factor[place, :known]
        column /= worst**0.5
        factor[:, known] = column
        left = left - column.square()
        left[place] = 0.0
        chosen.append(place)
        known += 1
    return torch.cat([pivots, candidates[chosen]])


def _covered_far(
    places: Tensor, log_kernel: LogKernel, far: Tensor, n_min: float
) -> tuple[Tensor, Tensor]:
    """Anchors with little mass around them that still have enough neighbours, and their weights."""
    n = len(places)
    rows = torch.nonzero(far).squeeze(1)
    found, weights = [rows[:0]], [places.new_zeros(0, n)]
    for block in row_blocks(len(rows), max(1, 2**22 // n)) if len(rows) else []:
        anchors = rows[block]
        exact, reachable = exact_rows(log_kernel(places[anchors], places), anchors)
        squares = exact.square().sum(1) + 1.0 / (n - 1)  # centring took off 1/(n-1)
        enough = reachable & (n_min * squares <= 1 + 1e-9)
        found.append(anchors[enough])
        weights.append(exact[enough])
    return torch.cat(found), torch.cat(weights)
