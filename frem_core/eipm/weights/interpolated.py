"""Weights on continuous S under a smooth kernel: interpolation at a few Chebyshev nodes."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from frem_core.eipm.tiles import is_mirrored, row_blocks
from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights, equal_shares, exact_rows
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


class InterpolatedWeights(LowRankWeights):
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
        own, mass = self._own_and_mass(_blocks(n, rank))
        self._isolated = torch.nonzero(mass < precision.smallest_mass).squeeze(1)
        self._scale = 1.0 / mass.index_fill(0, self._isolated, 1.0)
        self._exact, reachable = exact_rows(self._s, self._isolated, kernel)  # (isolated, n)
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

    def collect_(self, sums: Tensor, tile: Tensor, rows: slice, columns: slice) -> None:
        """One product, or two for a tile that stands for its mirror image too."""
        sums[0, :, columns] += self._factors(rows)[0].to(tile.dtype).T @ tile[0]
        if is_mirrored(rows, columns):
            sums[0, :, rows] += (tile[0] @ self._factors(columns)[0].to(tile.dtype)).T

    def reduce(self, sums: Tensor) -> tuple[Tensor, Tensor]:
        """The quadratic form of each anchor's row of B."""
        n = sums.shape[-1]
        wide = sums[0].double()  # (r, n)
        both = wide.new_zeros(self.rank, self.rank)
        for block in _blocks(n, self.rank):
            both.addmm_(wide[:, block], self._factors(block)[0])
        quadratic = torch.empty_like(self.own)
        cross = torch.empty_like(self.own)
        for block in _blocks(n, self.rank):
            anchor = self._factors(block)[1]  # (b, r)
            quadratic[0, block] = ((anchor @ both) * anchor).sum(-1)
            cross[0, block] = (anchor * wide[:, block].T).sum(-1)
        return quadratic, cross

    def adjoint(self, slope: Tensor, like: Tensor) -> Adjoint:
        """``X Lᵀ + L Xᵀ`` with ``X = ½ L Bᵀdiag(slope)B - diag(slope · own) B``."""
        n = slope.shape[-1]
        weight = slope[0].unsqueeze(1)
        middle = self._s.new_zeros(self.rank, self.rank)
        for block in _blocks(n, self.rank):
            anchor = self._factors(block)[1]
            middle.addmm_(anchor.T, weight[block] * anchor)
        pull = (slope * self.own)[0].unsqueeze(1)
        left = like.new_empty(n, 2 * self.rank)  # X, L
        for block in _blocks(n, self.rank):
            loading, anchor = self._factors(block)
            half = torch.addmm(pull[block] * anchor, loading, middle, beta=-1.0, alpha=0.5)
            left[block, : self.rank] = half
            left[block, self.rank :] = loading
        right = left.roll(self.rank, dims=1)  # L, X

        def tile(rows: slice, columns: slice) -> Tensor:
            return (left[rows] @ right[columns].T).unsqueeze(0)

        return tile

    @cached_property
    def noise(self) -> Tensor:
        """``Σ_j A_ij² = B_i LᵀL B_iᵀ - c_i²``: c_i is what ``B_i Lᵀ`` gives to the anchor."""
        n = self._s.numel()
        both = self._s.new_zeros(self.rank, self.rank)
        for block in _blocks(n, self.rank):
            loading = self._factors(block)[0]
            both.addmm_(loading.T, loading)
        squares = self.own.square().neg()
        for block in _blocks(n, self.rank):
            anchor = self._factors(block)[1]
            squares[0, block] += ((anchor @ both) * anchor).sum(-1)
        return (squares * self.share).sum(1)

    def into_basis(self, values: Tensor, rows: slice) -> Tensor:
        """``Lᵀ values``."""
        return (self._factors(rows)[0].to(values.dtype).T @ values[0]).unsqueeze(0)

    def at_rows(self, table: Tensor, rows: slice) -> Tensor:
        """``L table``."""
        return (self._factors(rows)[0].to(table.dtype) @ table[0]).unsqueeze(0)

    def anchor_table(self, table: Tensor) -> Tensor:
        """Nothing to prepare."""
        return table

    def at_anchors(self, table: Tensor, rows: slice) -> Tensor:
        """``B table``."""
        return (self._factors(rows)[1].to(table.dtype) @ table[0]).unsqueeze(0)

    def from_anchors(self, values: Tensor, rows: slice) -> Tensor:
        """``Bᵀ values``."""
        return (self._factors(rows)[1].to(values.dtype).T @ values[0]).unsqueeze(0)

    def finish_anchors(self, table: Tensor) -> Tensor:
        """Nothing left to do."""
        return table


def _chebyshev_nodes(s: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Nodes of the first kind on the range of ``s`` and their barycentric weights."""
    index = torch.arange(rank, dtype=s.dtype, device=s.device)
    angle = (2 * index + 1) * (torch.pi / (2 * rank))
    low, high = s.min(), s.max()
    nodes = (low + high) / 2 + (high - low) / 2 * angle.cos()
    return nodes, angle.sin() * (1 - 2 * (index % 2))


def _blocks(n: int, rank: int) -> list[slice]:
    """Blocks of rows small enough for their temporary ``(b, r)`` matrices to stay in the cache."""
    return row_blocks(n, 2**20 // rank)
