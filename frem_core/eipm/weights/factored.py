"""Weights on S whose two factors are matrices: what all forms without groups share."""

from abc import abstractmethod
from functools import cached_property

import torch
from torch import Tensor

from frem_core.eipm.tiles import is_mirrored, row_blocks
from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights


class FactoredWeights(LowRankWeights):
    """``A = B Lᵀ - diag(c)`` with L and B given block by block; for one member of a stack."""

    @abstractmethod
    def _factors(self, rows: slice) -> tuple[Tensor, Tensor]:
        """L and B for a block of rows, each ``(b, r)``, float64."""

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
        """``X Lᵀ + L Xᵀ`` with ``X = ½ L Bᵀdiag(slope)B - diag(slope · own) B``."""
        n = slope.shape[-1]
        weight = slope[0].unsqueeze(1)
        middle = self.own.new_zeros(self.rank, self.rank)
        for block in factor_blocks(n, self.rank):
            anchor = self._factors(block)[1]
            middle.addmm_(anchor.T, weight[block] * anchor)
        pull = (slope * self.own)[0].unsqueeze(1)
        left = like.new_empty(n, 2 * self.rank)  # X, L
        for block in factor_blocks(n, self.rank):
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
        n = self.own.shape[1]
        both = self.own.new_zeros(self.rank, self.rank)
        for block in factor_blocks(n, self.rank):
            loading = self._factors(block)[0]
            both.addmm_(loading.T, loading)
        squares = self.own.square().neg()
        for block in factor_blocks(n, self.rank):
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


def factor_blocks(n: int, rank: int) -> list[slice]:
    """Blocks of rows small enough for their temporary ``(b, r)`` matrices to stay in the cache."""
    return row_blocks(n, 2**20 // rank)
