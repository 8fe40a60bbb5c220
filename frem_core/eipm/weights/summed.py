"""Several weights on the same rows at once, for the mean of the squared IPMs."""

from collections.abc import Sequence

import torch
from torch import Tensor

from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights


class SummedWeights:
    """``Σ_a f_a · mean_i q_i`` over weights a, which is linear in the kernel matrix of Z.

    What the pairs of rows count, ``Σ_a f_a G_a``, depends on S alone: however many attributes are
    judged, κ is walked once for all of them.

    Args:
        parts: the weights, each of all rows in the same order and of one member or shared by all.
        factors: f.
    """

    def __init__(self, parts: Sequence[LowRankWeights], factors: Sequence[float]) -> None:
        self._parts, self._factors = parts, factors
        self._kept: dict[tuple[torch.dtype, bool], Tensor] = {}

    @property
    def share(self) -> Tensor:
        """``(1, n)`` what each anchor counts in the first of the means."""
        return self._parts[0].share

    @property
    def noise(self) -> Tensor:
        """What independent rows add up to, ``(1,)`` float64."""
        return torch.stack(
            [part.noise * factor for part, factor in zip(self._parts, self._factors, strict=True)]
        ).sum(0)

    def mean_pairs(self, like: Tensor, *, noise: bool) -> Adjoint:
        """As ``LowRankWeights.mean_pairs``, of all weights together; kept for the next member."""
        if (like.dtype, noise) not in self._kept:
            everything = slice(0, self.share.shape[1])
            total = torch.zeros((), dtype=like.dtype)
            for part, factor in zip(self._parts, self._factors, strict=True):
                pairs = part.mean_pairs(like, noise=noise)(everything, everything)
                total = total + factor * pairs
            self._kept[like.dtype, noise] = total
        kept = self._kept[like.dtype, noise]
        return lambda rows, columns: kept[:, rows, columns]
