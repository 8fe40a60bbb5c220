"""Weights on S whose two factors are matrices: what all forms without groups share."""

from abc import abstractmethod
from functools import cached_property

import torch
from torch import Tensor

from frem_core.eipm.tiles import is_mirrored, row_blocks
from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights

# Up to so many rows adding a transposed matrix is quicker than a second product.
_TRANSPOSED = 512


class FactoredWeights(LowRankWeights):
    """``A = B Lᵀ - diag(c)`` with L and B given block by block; for one member of a stack.

    Args:
        dtype: of the representations that the factors are precise enough for.
    """

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self._dtype = dtype
        self._latest_rounded: tuple[slice, tuple[Tensor, Tensor]] | None = None

    @abstractmethod
    def _factors(self, rows: slice) -> tuple[Tensor, Tensor]:
        """L and B for a block of rows, each ``(b, r)``, float64 or in the dtype of Z."""

    def collect_(self, sums: Tensor, tile: Tensor, rows: slice, columns: slice) -> None:
        """One product, or two for a tile that stands for its mirror image too."""
        sums[0, :, columns].addmm_(self._factors(rows)[0].to(tile.dtype).T, tile[0])
        if is_mirrored(rows, columns):
            sums[0, :, rows].addmm_(self._factors(columns)[0].to(tile.dtype).T, tile[0].T)

    def reduce(self, sums: Tensor) -> tuple[Tensor, Tensor]:
        """The quadratic form of each anchor's row of B."""
        n = sums.shape[-1]
        wide = sums[0].to(self._factors(slice(0, 1))[0].dtype)  # (r, n)
        both = wide.new_zeros(self.rank, self.rank)
        for block in factor_blocks(n, self.rank):
            both.addmm_(wide[:, block], self._factors(block)[0])
        quadratic = torch.empty_like(self.own)
        cross = torch.empty_like(self.own)
        for block in factor_blocks(n, self.rank):
            anchor = self._factors(block)[1]  # (b, r)
            quadratic[0, block] = ((anchor @ both) * anchor).sum(-1)
            cross[0, block] = (anchor * wide[:, block].T).sum(-1)
        return quadratic, cross

    def adjoint(self, slope: Tensor, like: Tensor) -> Adjoint:
        """``X Lᵀ + L Xᵀ`` with X from ``_halves``."""
        return self._symmetric(self._halves(slope), like)

    def _halves(self, slope: Tensor) -> Tensor:
        """``X = ½ L Bᵀdiag(slope)B - diag(slope · own) B``, ``(n, r)`` in the dtype of Z."""
        n = slope.shape[-1]
        weight, pull = (one[0].to(self._dtype).unsqueeze(1) for one in (slope, slope * self.own))
        middle = slope.new_zeros(self.rank, self.rank, dtype=self._dtype)
        for block in factor_blocks(n, self.rank):
            anchor = self._rounded(block)[1]
            middle.addmm_(anchor.T, weight[block] * anchor)
        halves = middle.new_empty(n, self.rank)
        for block in factor_blocks(n, self.rank):
            loading, anchor = self._rounded(block)
            torch.addmm(
                pull[block] * anchor, loading, middle, beta=-1.0, alpha=0.5, out=halves[block]
            )
        return halves

    def _rounded(self, rows: slice) -> tuple[Tensor, Tensor]:
        """L and B for a block of rows in the dtype of Z."""
        if self._latest_rounded is None or self._latest_rounded[0] != rows:
            loading, anchor = (factor.to(self._dtype) for factor in self._factors(rows))
            self._latest_rounded = rows, (loading, anchor)
        return self._latest_rounded[1]

    def _symmetric(self, halves: Tensor, like: Tensor) -> Adjoint:
        """``X Lᵀ + L Xᵀ``; of a tile on the diagonal the second is the first, transposed."""
        x = halves.to(like.dtype)
        blocks = factor_blocks(len(halves), self.rank)
        parts = [self._rounded(block)[0] for block in blocks]
        loading = (parts[0] if len(parts) == 1 else torch.cat(parts)).to(like.dtype)

        def tile(rows: slice, columns: slice) -> Tensor:
            half = x[rows] @ loading[columns].T
            if rows == columns and len(half) <= _TRANSPOSED:
                return (half + half.T).unsqueeze(0)
            return half.addmm_(loading[rows], x[columns].T).unsqueeze(0)

        return tile

    def _forget(self) -> None:
        """Drops what was kept of rows in another order."""
        self._kept_pairs = {}
        self._latest_rounded = None
        self.__dict__.pop("mean_halves", None)

    @cached_property
    def mean_halves(self) -> Tensor:
        """X of `_halves` with the shares as slopes."""
        return self._halves(self.share)

    @cached_property
    def noise(self) -> Tensor:
        """The diagonal of ``Σ_i share_i a_i a_iᵀ``: ``X Lᵀ + L Xᵀ + diag(share · c²)``."""
        diagonal = (self.share * self.own.square()).sum(1)
        for block in factor_blocks(self.own.shape[1], self.rank):
            both = self.mean_halves[block] * self._rounded(block)[0]
            diagonal += both.sum(dtype=diagonal.dtype).mul_(2.0)
        return diagonal

    def _mean_tiles(self, shift: Tensor, like: Tensor) -> Adjoint:
        """From the same factors as the noise."""
        tile = self._symmetric(self.mean_halves, like)
        return lambda rows, columns: tile(rows, columns).add_(shift)

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


def factor_blocks(n: int, rank: int) -> list[slice]:
    """Blocks of rows small enough for their temporary ``(b, r)`` matrices to stay in the cache."""
    return row_blocks(n, 2**20 // rank)
