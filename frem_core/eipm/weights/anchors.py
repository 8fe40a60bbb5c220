"""Weights as they stand, of all anchors or a sample: for attributes that no short factor gives."""

from copy import copy

import torch
from torch import Tensor

from frem_core.eipm.tiles import is_mirrored
from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights, equal_shares


class AnchorWeights(LowRankWeights):
    """``A`` in the rows of some anchors, which stand for all, and 0 elsewhere.

    Args:
        anchors: those rows, ``(k,)``.
        exact: their centred leave-one-out weights, ``(k, n)``.
        covered: ``(k,)`` True for those that count.
    """

    def __init__(self, anchors: Tensor, exact: Tensor, covered: Tensor) -> None:
        super().__init__()
        n = exact.shape[1]
        self._anchors, self._exact = anchors, exact
        self.rank = len(anchors)
        share = exact.new_zeros(1, n, dtype=torch.float64)
        share[0, anchors] = equal_shares(covered.double())
        self.share, self.own = share, torch.zeros_like(share)

    def reordered(self, order: Tensor) -> "AnchorWeights":
        """Anchors and their weights change places."""
        other = copy(self)
        other._anchors = torch.argsort(order)[self._anchors]
        other._exact, other.share = self._exact[:, order], self.share[:, order]
        other._kept_pairs = {}
        return other

    def collect_(self, sums: Tensor, tile: Tensor, rows: slice, columns: slice) -> None:
        """One product, or two for a tile that stands for its mirror image too."""
        exact = self._exact.to(tile.dtype)
        sums[0, :, columns] += exact[:, rows] @ tile[0]
        if is_mirrored(rows, columns):
            sums[0, :, rows] += exact[:, columns] @ tile[0].T

    def reduce(self, sums: Tensor) -> tuple[Tensor, Tensor]:
        """``a_iᵀκa_i`` at the anchors."""
        quadratic = torch.zeros_like(self.share)
        quadratic[0, self._anchors] = (sums[0].double() * self._exact).sum(1)
        return quadratic, torch.zeros_like(quadratic)

    def adjoint(self, slope: Tensor, like: Tensor) -> Adjoint:
        """``Σ_i slope_i a_i a_iᵀ`` as it stands."""
        exact = self._exact.to(like.dtype)
        weighted = exact * slope[0, self._anchors].to(like.dtype).unsqueeze(1)

        def tile(rows: slice, columns: slice) -> Tensor:
            return (exact[:, rows].T @ weighted[:, columns]).unsqueeze(0)

        return tile

    @property
    def noise(self) -> Tensor:
        """From the weights themselves."""
        squares = self._exact.square().sum(1).double()
        return (squares * self.share[0, self._anchors]).sum().view(1)

    def into_basis(self, values: Tensor, rows: slice) -> Tensor:
        """``Lᵀ values``: what the anchors' weights give."""
        return (self._exact[:, rows].to(values.dtype) @ values[0]).unsqueeze(0)

    def at_rows(self, table: Tensor, rows: slice) -> Tensor:
        """``L table``."""
        return (self._exact[:, rows].to(table.dtype).T @ table[0]).unsqueeze(0)

    def anchor_table(self, table: Tensor) -> Tensor:
        """Nothing to prepare."""
        return table

    def at_anchors(self, table: Tensor, rows: slice) -> Tensor:
        """Each anchor's own line; 0 for rows that are no anchors."""
        here, place = self._within(rows)
        result = table.new_zeros(1, rows.stop - rows.start, table.shape[-1])
        result[0, place] = table[0, here]
        return result

    def from_anchors(self, values: Tensor, rows: slice) -> Tensor:
        """The anchors' lines put back."""
        here, place = self._within(rows)
        table = values.new_zeros(1, self.rank, values.shape[-1])
        table[0, here] = values[0, place]
        return table

    def finish_anchors(self, table: Tensor) -> Tensor:
        """Nothing left to do."""
        return table

    def _within(self, rows: slice) -> tuple[Tensor, Tensor]:
        """Which anchors lie in a block of rows, and where in it."""
        here = torch.nonzero((self._anchors >= rows.start) & (self._anchors < rows.stop)).squeeze(1)
        return here, self._anchors[here] - rows.start
