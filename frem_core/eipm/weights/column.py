"""Weights on continuous S of the batches of a training: one factor of K for all of them."""

from collections.abc import Iterable

import torch
from torch import Tensor

from frem_core.eipm.weights.factored import FactoredWeights
from frem_core.eipm.weights.interpolated import Precision
from frem_core.eipm.weights.low_rank import equal_shares, exact_rows
from frem_core.kernels import Kernel


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


class FactoredColumn:
    """``K ≈ F Fᵀ`` for all rows of a training, for batches to pick their rows of F from.

    A column of ones takes the constant of A. With f the mean of F over a batch little is left for
    it, so that no digits are lost where many rows have nearly the same S: rows of A sum to 0, so
    ``A_ij = F_i·(F_j - f) / mass_i + c_i / n`` for j ≠ i.

    Args:
        scaled: sensitive values ``(N,)`` of all rows in units of γ, float64.
        factor: F, ``(N, r)`` float64, from ``kernel_factor``.
        kernel: on S.
        precision: that F was made for.
        mean: whether the mean of squares will be asked for.
    """

    def __init__(
        self, scaled: Tensor, factor: Tensor, kernel: Kernel, precision: Precision, *, mean: bool
    ) -> None:
        self._scaled, self._kernel, self._precision, self._mean = scaled, kernel, precision, mean
        self._factor, self._own = factor.to(precision.dtype), factor.square().sum(1)
        self.rank = factor.shape[1] + 1

    def weights(self, batches: Tensor) -> list[BatchWeights]:
        """The weights of batches ``(k, n)``, made together."""
        k, n = batches.shape
        rows = batches.flatten()
        factor, own = (
            one.index_select(0, rows).view(k, n, -1) for one in (self._factor, self._own)
        )
        total = factor.sum(1, keepdim=True)
        mass = (factor * total).sum(2, keepdim=True, dtype=own.dtype) - own
        lonely = mass < self._precision.smallest_mass  # (k, n, 1)
        near = (~lonely).to(own.dtype)
        scale = near / mass.clamp_(min=self._precision.smallest_mass)
        own.mul_(scale).sub_(near / (n - 1))
        anchor = torch.cat([factor * scale.to(factor.dtype), (own / n).to(factor.dtype)], 2)
        loading = torch.cat([factor.sub_(total / n), torch.ones_like(factor[:, :, :1])], 2)
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
        weights, reachable = exact_rows(self._kernel.log_sensitive(gap), row)
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
