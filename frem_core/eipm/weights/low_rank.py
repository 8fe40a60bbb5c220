"""The structure that makes EIPM cheap: weights on S that factor through a small basis."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import torch
from torch import Tensor

# Entries of a matrix of all pairs that is worth keeping.
_KEPT_PAIRS = 2**20

Adjoint = Callable[[slice, slice], Tensor]
"""Gives the tile ``(rows, columns)`` of a matrix ``(B, n, n)`` that is never formed as a whole."""


def equal_shares(reachable: Tensor) -> Tensor:
    """What each anchor counts in the mean, from 1 where it has a neighbour in reach, else 0."""
    return reachable / reachable.sum(-1, keepdim=True).clamp(min=1.0)


class LowRankWeights(ABC):
    """Centred leave-one-out weights ``A = B Lᵀ - diag(c)`` of rank r plus a diagonal.

    Row i of A holds ``K(s_i, s_j) / Σ_{l≠i} K(s_i, s_l) - 1/(n-1)`` for j ≠ i and 0 for j = i.
    L ``(n, r)`` places each row in the basis, B ``(n, r)`` holds the weights each anchor gives to
    the basis, and c takes the anchor itself out again. All tensors carry a stack dimension in
    front.

    Attributes:
        rank: r.
        own: c, shape ``(B, n)``, float64.
        share: ``(B, n)`` float64: what each anchor counts in the mean; 0 for those without a
            neighbour in reach, and the same for all others.
    """

    takes_halves: ClassVar[bool] = True
    """Whether tiles of any shape are as good for ``collect_`` as those that span all columns."""

    rank: int
    own: Tensor
    share: Tensor

    def __init__(self) -> None:
        # Needed again by other members and other representations with the same S.
        self._kept_pairs: dict[tuple[torch.dtype, bool], Adjoint] = {}

    @abstractmethod
    def collect_(self, sums: Tensor, tile: Tensor, rows: slice, columns: slice) -> None:
        """Adds one tile of the symmetric kernel matrix to ``sums = Lᵀκ``, shape ``(B, r, n)``.

        A tile off the diagonal also stands for its mirror image.
        """

    @abstractmethod
    def reordered(self, order: Tensor) -> "LowRankWeights":
        """The weights when row i has the S of row ``order[i]``; for one stack."""

    @abstractmethod
    def reduce(self, sums: Tensor) -> tuple[Tensor, Tensor]:
        """From ``Lᵀκ``: ``b_iᵀκb_i`` and ``(κb_i)_i`` with ``b_i = L B_iᵀ``, each ``(B, n)``."""

    @abstractmethod
    def adjoint(self, slope: Tensor, like: Tensor) -> Adjoint:
        """Tiles of ``Σ_i slope_i a_i a_iᵀ`` off its diagonal, in the dtype of ``like``."""

    @property
    @abstractmethod
    def noise(self) -> Tensor:
        """``Σ_i share_i Σ_j A_ij²`` of each member, float64: what independent rows add up to."""

    def mean_pairs(self, like: Tensor, *, noise: bool) -> Adjoint:
        """Tiles of ``Σ_i share_i a_i a_iᵀ`` with 0 on its diagonal; do not change them.

        Args:
            like: decides the dtype.
            noise: whether it is kept. If not, ``noise / (n(n-1))`` is added to every pair.
        """
        if (like.dtype, noise) in self._kept_pairs:
            return self._kept_pairs[like.dtype, noise]
        n = self.share.shape[1]
        shift = torch.zeros_like(self.noise) if noise else self.noise / (n * (n - 1))
        pairs = self._mean_tiles(shift.to(like.dtype).view(-1, 1, 1), like)

        def tile(rows: slice, columns: slice) -> Tensor:
            made = pairs(rows, columns)
            torch.diagonal(made, rows.start - columns.start, dim1=1, dim2=2).zero_()
            return made

        if len(self.share) * n * n > _KEPT_PAIRS:
            return tile
        self._kept_pairs[like.dtype, noise] = _remembered(tile)
        return self._kept_pairs[like.dtype, noise]

    def _mean_tiles(self, shift: Tensor, like: Tensor) -> Adjoint:
        """As ``adjoint`` with the shares as slopes, plus ``shift``, one number for each member."""
        tile = self.adjoint(self.share, like)
        return lambda rows, columns: tile(rows, columns).add_(shift)

    @abstractmethod
    def into_basis(self, values: Tensor, rows: slice) -> Tensor:
        """``Lᵀ values`` for a block of rows: ``(B, b, c)`` to ``(B, r, c)``."""

    @abstractmethod
    def at_rows(self, table: Tensor, rows: slice) -> Tensor:
        """``L table`` for a block of rows: ``(B, r, c)`` to ``(B, b, c)``."""

    @abstractmethod
    def anchor_table(self, table: Tensor) -> Tensor:
        """What ``at_anchors`` needs of ``table``, computed once for all blocks."""

    @abstractmethod
    def at_anchors(self, table: Tensor, rows: slice) -> Tensor:
        """``B table`` for a block of rows, from the result of ``anchor_table``."""

    @abstractmethod
    def from_anchors(self, values: Tensor, rows: slice) -> Tensor:
        """A block's share of what ``finish_anchors`` turns into ``Bᵀ values``: ``(B, r, c)``."""

    @abstractmethod
    def finish_anchors(self, table: Tensor) -> Tensor:
        """Turns the sum over blocks of ``from_anchors`` into ``Bᵀ values``."""


def _remembered(tile: Adjoint) -> Adjoint:
    """Makes each tile once; walks over the same rows ask for the same tiles."""
    kept: dict[tuple[int, int, int], Tensor] = {}

    def known(rows: slice, columns: slice) -> Tensor:
        key = rows.start, columns.start, columns.stop
        if key not in kept:
            kept[key] = tile(rows, columns)
        return kept[key]

    return known


def exact_rows(logits: Tensor, anchors: Tensor) -> tuple[Tensor, Tensor]:
    """Centred leave-one-out weights of a few anchors.

    Args:
        logits: ``log K`` between the anchors and all rows, ``(k, n)``; changed in place.
        anchors: which rows to weigh for, ``(k,)``.

    Returns:
        ``(k, n)`` weights, each row summing to 0 with 0 at the anchor, and ``(k,)`` True where
        there is a neighbour in reach; the row is 0 where there is none.
    """
    position = anchors.unsqueeze(1)
    logits.scatter_(1, position, float("-inf"))
    reachable = logits.amax(1) > float("-inf")
    # A softmax is relative to the nearest neighbour, so nothing underflows.
    weights = torch.softmax(logits.masked_fill_(~reachable.unsqueeze(1), 0.0), dim=1)
    weights -= 1.0 / (logits.shape[1] - 1)
    weights.scatter_(1, position, 0.0)
    return weights.mul_(reachable.unsqueeze(1)), reachable
