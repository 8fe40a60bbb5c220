"""Weights on continuous S under a compact kernel: sums over a window from running sums."""

from functools import cached_property
from math import comb

import torch
from torch import Tensor

from frem_core.eipm.tiles import row_blocks
from frem_core.eipm.weights.low_rank import equal_shares, exact_rows
from frem_core.kernels import Kernel

# Bound on the summed error of one anchor's weights, as in the interpolated form.
_ROW_TOLERANCE = 1e-8

# Anchors whose windows are looked at together.
_ANCHORS = 256


class PrefixWeights:
    """Centred leave-one-out weights A of a kernel that is a polynomial within its reach.

    With the rows sorted by S, ``Σ_j K(s_i, s_j) y_j`` runs over a window around i, and expanding
    ``|s_i - s_j|^p`` turns it into differences of running sums of ``s_j^q y_j``. Applying A to n×c
    numbers costs O(nc), whatever the bandwidth. The subtraction costs digits, so all of it is done
    in float64 and anchors with hardly any neighbours are computed directly.

    Args:
        s: sensitive attribute ``(n,)``, ascending, float64.
        kernel: on S; must state its ``polynomial``.
        gamma: its bandwidth γ.
    """

    def __init__(self, s: Tensor, kernel: Kernel, gamma: float) -> None:
        if kernel.polynomial is None:
            raise ValueError(f"kernel {kernel.name} is not a polynomial within its reach")
        n = s.numel()
        # Centred, because powers of large numbers would cancel.
        self._x = (s - (s[0] + s[-1]) / 2) / gamma
        self._kernel = kernel
        self._low = torch.searchsorted(self._x, self._x - kernel.reach, right=True)
        self._high = torch.searchsorted(self._x, self._x + kernel.reach)
        self._below, self._above = _window_coefficients(self._x, kernel.polynomial)
        self._even = not any(kernel.polynomial[1::2])
        self._uniform = 1.0 / (n - 1)
        self._itself = kernel.polynomial[0]
        self._scale = torch.ones_like(self._x)
        mass = self._window_sums(torch.ones_like(s).unsqueeze(1)).squeeze(1) - self._itself
        degree = len(kernel.polynomial) - 1
        noise = torch.finfo(s.dtype).eps * n * (1.0 + float(self._x[-1])) ** degree
        self._isolated = torch.nonzero(mass < noise / _ROW_TOLERANCE).squeeze(1)
        self._scale = (1.0 / mass.index_fill(0, self._isolated, 1.0)).unsqueeze(1)  # (n, 1)
        self._scale[self._isolated] = 0.0
        gaps = self._x[self._isolated].unsqueeze(1) - self._x
        self._exact, reachable = exact_rows(kernel.log_sensitive(gaps), self._isolated)
        anchors = torch.ones_like(s).index_put_((self._isolated,), reachable.to(s.dtype))
        self.share = equal_shares(anchors)
        self._regular = (self._scale > 0).to(s.dtype)  # (n, 1)

    def _window_sums(self, values: Tensor) -> Tensor:
        """``Σ_j K(s_i, s_j) values_j`` for every i: ``(n, c)`` to ``(n, c)``."""
        n, width = values.shape
        result = torch.zeros_like(values)
        sums = values.new_zeros(n + 1, width)  # row i: rows before i
        for power, (below, above) in enumerate(zip(self._below, self._above, strict=True)):
            weighted = values if power == 0 else values * (self._x**power).unsqueeze(1)
            torch.cumsum(weighted, 0, out=sums[1:])
            low, high = sums.index_select(0, self._low), sums.index_select(0, self._high)
            if self._even:
                result.addcmul_(below, high.sub_(low))
                continue
            here = sums[1:]  # through row i
            result.addcmul_(below, here - low).addcmul_(above, high.sub_(here))
        return result

    def smooth(self, values: Tensor) -> Tensor:
        """``A values``: ``(n, c)`` to ``(n, c)``."""
        others = values.sum(0, keepdim=True) - values
        result = (self._window_sums(values) - self._itself * values).mul_(self._scale)
        result.addcmul_(others, self._regular, value=-self._uniform)
        return result.index_add_(0, self._isolated, self._exact @ values)

    def smooth_transposed(self, values: Tensor) -> Tensor:
        """``Aᵀ values``: ``(n, c)`` to ``(n, c)``."""
        scaled = values * self._scale
        regular = values * self._regular
        result = self._window_sums(scaled).sub_(scaled, alpha=self._itself)
        result.sub_(regular.sum(0, keepdim=True) - regular, alpha=self._uniform)
        return result.addmm_(self._exact.T, values[self._isolated])

    @cached_property
    def noise(self) -> Tensor:
        """``Σ_i share_i Σ_j A_ij²``, one number, from the rows within reach of each anchor."""
        squares = self._exact.new_zeros(len(self._x))
        for block in row_blocks(len(squares), _ANCHORS):
            near = slice(int(self._low[block.start]), int(self._high[block.stop - 1]))
            gaps = self._x[block].unsqueeze(1) - self._x[near]
            squares[block] = self._kernel.sensitive(gaps).square_().sum(1)
        squares.sub_(self._itself**2).mul_(self._scale.squeeze(1).square())
        # The weights of one anchor add up to 1, so that centring takes off 1/(n-1).
        squares.sub_(self._uniform)
        squares[self._isolated] = self._exact.square().sum(1)
        return (squares * self.share).sum()

    def columns(self, columns: slice) -> Tensor:
        """``A[:, columns]`` as a dense matrix ``(n, c)``."""
        weights = self._kernel.sensitive(self._x.unsqueeze(1) - self._x[columns])
        weights.mul_(self._scale).sub_(self._regular, alpha=self._uniform)
        torch.diagonal(weights, -columns.start).zero_()
        return weights.index_copy_(0, self._isolated, self._exact[:, columns])


def _window_coefficients(
    x: Tensor, polynomial: tuple[float, ...]
) -> tuple[list[Tensor], list[Tensor]]:
    """Coefficients ``(n, 1)`` of ``x_j^q`` in ``k(x_i - x_j)``, for rows j below and above i."""
    below, above = [], []
    for q in range(len(polynomial)):
        # (x_i - x_j)^p = Σ_q comb(p, q) x_i^(p-q) (-x_j)^q; above i the sign of each p-th power
        # turns round.
        terms = [
            (-1.0) ** q * comb(p, q) * polynomial[p] * x ** (p - q)
            for p in range(q, len(polynomial))
        ]
        turned = [(-1.0) ** p * term for p, term in enumerate(terms, start=q)]
        below.append(torch.stack(terms).sum(0).unsqueeze(1))
        above.append(torch.stack(turned).sum(0).unsqueeze(1))
    return below, above
