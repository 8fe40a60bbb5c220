"""Weights on continuous S under a smooth kernel: interpolation at a few Chebyshev nodes."""

from copy import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from frem_core.eipm.weights.factored import FactoredWeights, factor_blocks
from frem_core.eipm.weights.low_rank import equal_shares, exact_rows
from frem_core.kernels import Kernel

_REMEMBERED_ENTRIES = 2**22

# Rounding of the interpolation itself.
_FINEST = 1e-13


@dataclass(frozen=True)
class Precision:
    """Bounds on the errors of interpolated weights.

    Attributes:
        dtype: of the representations that they are for.
        row: largest sum of the errors of one anchor's weights. For an RBF kernel on Z each IPM,
            and so EIPM itself, is wrong by at most twice this number.
        node: largest error of an interpolated kernel value.
        smallest_mass: an anchor whose neighbours weigh less than this in all could exceed the
            bound, and is computed without interpolation.
    """

    dtype: torch.dtype
    row: float
    node: float
    smallest_mass: float

    @classmethod
    def of(cls, dtype: torch.dtype, n: int) -> "Precision":
        """Fine enough for n rows to disappear in the rounding of the dtype.

        ``n`` errors of at most ``node`` over a mass of at least ``smallest_mass`` make ``row``.
        """
        row = 1e-9 if dtype == torch.float64 else 2e-6
        node = max(row / n, _FINEST)
        return cls(dtype, row, node, smallest_mass=n * node / row)


class Nodes:
    """Chebyshev nodes on the range of S, at which a smooth kernel is interpolated.

    Args:
        s: sensitive values ``(N,)``, float64; all that will ever be asked for lie in their range.
        kernel: on S; must offer ``interpolation_rank``.
        gamma: its bandwidth γ.
        rank: number of nodes.
    """

    def __init__(self, s: Tensor, kernel: Kernel, gamma: float, rank: int) -> None:
        self.kernel, self.gamma, self.rank = kernel, gamma, rank
        index = torch.arange(rank, dtype=s.dtype, device=s.device)
        angle = (2 * index + 1) * (torch.pi / (2 * rank))
        low, high = s.min() / gamma, s.max() / gamma
        self._places = (low + high) / 2 + (high - low) / 2 * angle.cos()
        self._weights = angle.sin() * (1 - 2 * (index % 2))  # barycentric

    def at(self, scaled: Tensor) -> tuple[Tensor, Tensor]:
        """Interpolation weights and ``K(s_i, t_u)`` of values in units of γ, each ``(b, rank)``."""
        gap = scaled.unsqueeze(1) - self._places
        raw = self.kernel.sensitive(gap)
        on_node, node = torch.nonzero(gap == 0, as_tuple=True)
        loading = torch.div(self._weights, gap, out=gap)
        loading[on_node] = 0.0
        loading[on_node, node] = 1.0
        return loading.div_(loading.sum(-1, keepdim=True)), raw


class InterpolatedWeights(FactoredWeights):
    """``K(s_i, s_j) ≈ Σ_u K(s_i, t_u) L_ju`` with L the barycentric interpolation at nodes t.

    The rows of L sum to 1, so the constant ``-1/(n-1)`` lives in the same basis. Anchors far from
    all others get an element of their own, which holds their exact weights.

    Args:
        s: sensitive attribute ``(n,)``, float64.
        nodes: on the range of S.
        precision: that their number was chosen for.
    """

    def __init__(self, s: Tensor, nodes: Nodes, precision: Precision) -> None:
        super().__init__(precision.dtype)
        self._s, self._nodes = s / nodes.gamma, nodes
        n = len(s)
        self._uniform = 1.0 / (n - 1)
        self._latest: tuple[slice, tuple[Tensor, Tensor]] | None = None
        self._kept: tuple[Tensor, Tensor] | None = None
        own, mass = self._own_and_mass()
        self.share = torch.full_like(own, 1.0 / n).unsqueeze(0)
        self._isolated = torch.nonzero(mass < precision.smallest_mass).squeeze(1)
        self._exact = own.new_empty(0, n)
        if len(self._isolated):
            gap = self._s[self._isolated].unsqueeze(1) - self._s
            self._exact, reachable = exact_rows(nodes.kernel.log_sensitive(gap), self._isolated)
            anchors = torch.ones_like(own)
            anchors[self._isolated] = reachable.to(own.dtype)
            self.share = equal_shares(anchors).unsqueeze(0)
            mass.index_fill_(0, self._isolated, 1.0)
        self._scale = mass.reciprocal_()
        own = own.mul_(self._scale).sub_(self._uniform).index_fill_(0, self._isolated, 0.0)
        self.own = own.unsqueeze(0)
        self.rank = nodes.rank + len(self._isolated)
        if n * self.rank <= _REMEMBERED_ENTRIES:
            self._kept = self._factors(slice(0, n))

    def reordered(self, order: Tensor) -> "InterpolatedWeights":
        """Rows of L and B change places."""
        other = copy(self)
        other._forget()
        other._s, other._scale = self._s[order], self._scale[order]
        other.own, other.share = self.own[:, order], self.share[:, order]
        other._isolated = torch.argsort(order)[self._isolated]
        other._exact, other._latest = self._exact[:, order], None
        if self._kept is not None:
            other._kept = self._kept[0][order], self._kept[1][order]
        return other

    def _own_and_mass(self) -> tuple[Tensor, Tensor]:
        """What interpolation gives for ``K(s_i, s_i)`` and for ``Σ_{l≠i} K(s_i, s_l)``."""
        n = len(self._s)
        blocks = factor_blocks(n, self._nodes.rank)
        everything = self._s.new_zeros(self._nodes.rank)
        for block in blocks:
            everything += self._nodal(block)[0].sum(0)
        own, mass = torch.empty_like(self._s), torch.empty_like(self._s)
        for block in blocks:
            loading, raw = self._nodal(block)
            own[block] = (raw * loading).sum(-1)
            mass[block] = raw @ everything
        return own, mass.sub_(own)

    def _nodal(self, rows: slice) -> tuple[Tensor, Tensor]:
        """What the nodes give at a block of rows."""
        if self._latest is None or self._latest[0] != rows:
            self._latest = rows, self._nodes.at(self._s[rows])
        return self._latest[1]

    def _factors(self, rows: slice) -> tuple[Tensor, Tensor]:
        """L and B for a block of rows, each ``(b, r)``."""
        if self._kept is not None:
            return self._kept[0][rows], self._kept[1][rows]
        loading, raw = self._nodal(rows)
        weights = (raw * self._scale[rows].unsqueeze(1)).sub_(self._uniform)
        if not len(self._isolated):
            return loading, weights
        row = torch.arange(self._s.numel(), device=self._s.device)[rows].unsqueeze(1)
        itself = (row == self._isolated).to(weights.dtype)  # (b, isolated)
        weights.mul_(1.0 - itself.sum(1, keepdim=True))
        return (
            torch.cat([loading, self._exact[:, rows].T], 1),
            torch.cat([weights, itself], 1),
        )
