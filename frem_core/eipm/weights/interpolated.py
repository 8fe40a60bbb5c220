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
        row: largest sum of the errors of one anchor's weights. For an RBF kernel on Z each IPM,
            and so EIPM itself, is wrong by at most twice this number.
        node: largest error of an interpolated kernel value.
        smallest_mass: an anchor whose neighbours weigh less than this in all could exceed the
            bound, and is computed without interpolation.
    """

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
        return cls(row, node, smallest_mass=n * node / row)


class InterpolatedWeights(FactoredWeights):
    """``K(s_i, s_j) ≈ Σ_u K(s_i, t_u) L_ju`` with L the barycentric interpolation at nodes t.

    The rows of L sum to 1, so the constant ``-1/(n-1)`` lives in the same basis. Anchors far from
    all others get an element of their own, which holds their exact weights.

    Args:
        s: sensitive attribute ``(1, n)``, float64.
        kernel: on S; must offer ``interpolation_rank``.
        gamma: its bandwidth γ.
        rank: number of nodes.
        precision: that ``rank`` was chosen for.
    """

    def __init__(
        self, s: Tensor, kernel: Kernel, gamma: float, rank: int, precision: Precision
    ) -> None:
        super().__init__()
        self._s = s[0] / gamma
        self._kernel = kernel
        self._nodes, self._node_weights = _chebyshev_nodes(self._s, rank)
        n = self._s.numel()
        self._uniform = 1.0 / (n - 1)
        self._latest: tuple[slice, tuple[Tensor, Tensor]] | None = None
        self._kept: tuple[Tensor, Tensor] | None = None
        own, mass = self._own_and_mass(factor_blocks(n, rank))
        self._isolated = torch.nonzero(mass < precision.smallest_mass).squeeze(1)
        self._scale = 1.0 / mass.index_fill(0, self._isolated, 1.0)
        self._exact, reachable = exact_rows(
            kernel.log_sensitive(self._s[self._isolated].unsqueeze(1) - self._s), self._isolated
        )  # (isolated, n)
        own = own.mul_(self._scale).sub_(self._uniform).index_fill_(0, self._isolated, 0.0)
        self.rank = rank + len(self._isolated)
        self.own = own.unsqueeze(0)
        anchors = torch.ones_like(self.own)
        anchors[0, self._isolated] = reachable.to(self.own.dtype)
        self.share = equal_shares(anchors)
        if n * self.rank <= _REMEMBERED_ENTRIES:
            self._kept = self._factors(slice(0, n))

    def reordered(self, order: Tensor) -> "InterpolatedWeights":
        """Rows of L and B change places."""
        other = copy(self)
        other._s, other._scale = self._s[order], self._scale[order]
        other.own, other.share = self.own[:, order], self.share[:, order]
        other._isolated = torch.argsort(order)[self._isolated]
        other._exact, other._latest = self._exact[:, order], None
        other._kept_pairs = {}
        if self._kept is not None:
            other._kept = self._kept[0][order], self._kept[1][order]
        return other

    def _own_and_mass(self, blocks: list[slice]) -> tuple[Tensor, Tensor]:
        """What interpolation gives for ``K(s_i, s_i)`` and for ``Σ_{l≠i} K(s_i, s_l)``."""
        everything = torch.zeros_like(self._nodes)
        for block in blocks:
            everything += self._nodal(block)[0].sum(0)
        own, mass = torch.empty_like(self._s), torch.empty_like(self._s)
        for block in blocks:
            loading, raw = self._nodal(block)
            own[block] = (raw * loading).sum(-1)
            mass[block] = raw @ everything
        return own, mass - own

    def _nodal(self, rows: slice) -> tuple[Tensor, Tensor]:
        """Interpolation weights of the nodes and ``K(s_i, t_u)``, each ``(b, nodes)``."""
        if self._latest is None or self._latest[0] != rows:
            gap = self._s[rows].unsqueeze(1) - self._nodes
            raw = self._kernel.sensitive(gap)
            on_node, node = torch.nonzero(gap == 0, as_tuple=True)
            loading = torch.div(self._node_weights, gap, out=gap)
            loading[on_node] = 0.0
            loading[on_node, node] = 1.0
            self._latest = rows, (loading.div_(loading.sum(-1, keepdim=True)), raw)
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


def _chebyshev_nodes(s: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Nodes of the first kind on the range of ``s`` and their barycentric weights."""
    index = torch.arange(rank, dtype=s.dtype, device=s.device)
    angle = (2 * index + 1) * (torch.pi / (2 * rank))
    low, high = s.min(), s.max()
    nodes = (low + high) / 2 + (high - low) / 2 * angle.cos()
    return nodes, angle.sin() * (1 - 2 * (index % 2))
