"""Weights on continuous S under a smooth kernel: interpolation at a few Chebyshev nodes."""

from collections.abc import Iterable
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
        known: what the nodes give at all rows, where that is known already.
    """

    def __init__(
        self,
        s: Tensor,
        nodes: Nodes,
        precision: Precision,
        known: tuple[Tensor, Tensor] | None = None,
    ) -> None:
        super().__init__(precision.dtype)
        self._s, self._nodes = s / nodes.gamma, nodes
        n = len(s)
        self._uniform = 1.0 / (n - 1)
        self._latest = None if known is None else (slice(0, n), known)
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
        known = self._latest is not None
        blocks = [slice(0, n)] if known else factor_blocks(n, self._nodes.rank)
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


class BatchWeights(FactoredWeights):
    """Weights of one of many batches whose factors were made together.

    Args:
        loading: L, ``(n, r)``.
        anchor: B, ``(n, r)``.
        own: c, ``(n,)`` float64.
        share: of each anchor, ``(n,)`` float64.
        dtype: of the representations.
        mean: what `FactoredWeights.mean_halves` and ``noise`` give, where they are known already.
    """

    def __init__(
        self,
        loading: Tensor,
        anchor: Tensor,
        own: Tensor,
        share: Tensor,
        dtype: torch.dtype,
        mean: tuple[Tensor, Tensor] | None = None,
    ) -> None:
        super().__init__(dtype)
        self.rank = loading.shape[1]
        self._loading, self._anchor = loading, anchor
        self.own, self.share = own.unsqueeze(0), share.unsqueeze(0)
        if mean is not None:
            self.mean_halves, self.noise = mean

    def reordered(self, order: Tensor) -> "BatchWeights":
        """Rows of L and B change places."""
        per_row = (self._loading, self._anchor, self.own[0], self.share[0])
        loading, anchor, own, share = (one[order] for one in per_row)
        return BatchWeights(loading, anchor, own, share, self._dtype)

    def _factors(self, rows: slice) -> tuple[Tensor, Tensor]:
        return self._loading[rows], self._anchor[rows]


class InterpolatedColumn:
    """What the nodes give at all rows of a training, for batches to pick their rows from.

    Args:
        s: sensitive values ``(N,)`` of all rows, float64.
        nodes: on their range.
        precision: that the number of nodes was chosen for.
        mean: whether the mean of squares will be asked for, which does with the digits of Z.
    """

    def __init__(self, s: Tensor, nodes: Nodes, precision: Precision, *, mean: bool) -> None:
        self.rank = nodes.rank
        self._scaled, self._nodes, self._precision = s / nodes.gamma, nodes, precision
        loading, raw = nodes.at(self._scaled)
        self._own = (loading * raw).sum(1)
        self._mean = mean
        dtype = precision.dtype if mean else s.dtype
        self._loading, self._raw = loading.to(dtype), raw.to(dtype)

    def weights(self, batches: Tensor) -> list[BatchWeights]:
        """The weights of batches ``(k, n)``, made together as those of `InterpolatedWeights`."""
        k, n = batches.shape
        rows = batches.flatten()
        loading, raw, own = (
            one.index_select(0, rows).view(k, n, -1)
            for one in (self._loading, self._raw, self._own)
        )
        mass = (raw * loading.sum(1, keepdim=True)).sum(2, keepdim=True, dtype=own.dtype) - own
        lonely = mass < self._precision.smallest_mass  # (k, n, 1)
        near = (~lonely).to(own.dtype)
        scale, uniform = near / mass, near / (n - 1)
        own.mul_(scale).sub_(uniform)
        anchor = raw.mul_(scale.to(raw.dtype)).sub_(uniform.to(raw.dtype))
        share = torch.full_like(own, 1.0 / n)
        if bool(lonely.any()):
            exact, itself, share = self._exact(batches, lonely.squeeze(2))
            loading = torch.cat([loading, exact.to(loading.dtype)], 2)
            anchor = torch.cat([anchor, itself.to(anchor.dtype)], 2)
        means: Iterable[tuple[Tensor, Tensor] | None] = [None] * k
        if self._mean:
            means = zip(*_halves_and_noise(loading, anchor, own, share), strict=True)
        parts = zip(loading, anchor, own.squeeze(2), share.squeeze(2), means, strict=True)
        dtype = self._precision.dtype
        return [
            BatchWeights(own_loading, own_anchor, c, own_share, dtype, mean)
            for own_loading, own_anchor, c, own_share, mean in parts
        ]

    def _exact(self, batches: Tensor, lonely: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """An element for each of the lonely anchors ``(k, n)``, as many as a batch has at most.

        Returns:
            What is added to L and to B, each ``(k, n, e)``, and the shares ``(k, n, 1)``.
        """
        k, n = lonely.shape
        batch, row = torch.nonzero(lonely, as_tuple=True)
        count = torch.bincount(batch, minlength=k)
        column = torch.arange(len(row), device=row.device) - (count.cumsum(0) - count)[batch]
        near = self._scaled[batches[batch]]  # (lonely, n)
        gap = near.gather(1, row.unsqueeze(1)) - near
        weights, reachable = exact_rows(self._nodes.kernel.log_sensitive(gap), row)
        exact, itself = gap.new_zeros(2, k, n, int(count.max()))
        exact[batch, :, column] = weights
        itself[batch, row, column] = 1.0
        anchors = gap.new_ones(k, n)
        anchors[batch, row] = reachable.to(anchors.dtype)
        return exact, itself, equal_shares(anchors).unsqueeze(2)


def _halves_and_noise(
    loading: Tensor, anchor: Tensor, own: Tensor, share: Tensor
) -> tuple[Tensor, Tensor]:
    """``mean_halves`` ``(k, n, r)`` and ``noise`` ``(k, 1)`` of `FactoredWeights`, at once."""
    weight, pull = (one.to(anchor.dtype) for one in (share, share * own))
    middle = torch.bmm(anchor.mT, weight * anchor)
    halves = torch.baddbmm(pull * anchor, loading, middle, beta=-1.0, alpha=0.5)
    diagonal = (halves * loading).sum((1, 2), dtype=own.dtype).mul_(2.0).unsqueeze(1)
    return halves, diagonal.add_((share * own.square()).sum(1))
