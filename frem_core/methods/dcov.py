"""dCov: rows far apart in S are no farther apart in the representation than others."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from frem_core.methods.batch import Batch, sum_over
from frem_core.methods.method import Method, register
from frem_core.methods.pairs import (
    along_differences,
    doubly_centred,
    pairwise_penalty,
    similarities,
)
from frem_core.methods.parameter import parameter

# A distance variance below this is that of a constant, up to rounding.
TINY = 1e-12


def distance_covariance(z: Tensor, s: Tensor, *, correlation: bool = False) -> Tensor:
    r"""Squared distance covariance, or correlation, of Z and S: the V-statistic.

    With A and B the doubly centred matrices of the distances ‖z_i − z_j‖ and |s_i − s_j|

        dCov² = mean(A ∘ B),   dCor² = dCov² / √(mean(A ∘ A) · mean(B ∘ B)),

    both 0 in the limit only under independence. The slope of dCov² by one distance is B_ij / n² and
    that of mean(A ∘ A) is 2 A_ij / n², so that the gradient sums unit vectors; the one between rows
    that coincide counts as 0.

    Args:
        z: (B, n, m) representations.
        s: (B, n) sensitive values; no gradient flows into them.
        correlation: whether to divide by the distance variances, which makes the scale of Z
            irrelevant; 0 where Z or S is constant.

    Returns:
        (B,), not negative up to rounding.

    References:
        Székely, Rizzo and Bakirov, Measuring and Testing Dependence by Correlation of Distances,
        Annals of Statistics 2007.
    """

    def rule(x: Tensor, own: Tensor) -> tuple[Tensor, Tensor]:
        pairs = len(x) ** 2
        apart = -similarities(x, "triangular")  # (n, n), ‖x_i − x_j‖
        other = doubly_centred(-similarities(own.unsqueeze(1), "triangular"))
        value = (apart * other).sum() / pairs
        slopes = other / pairs
        if correlation:
            mine = doubly_centred(apart)
            spread = mine.square().sum() / pairs
            constant = (spread < TINY) | (other.square().sum() / pairs < TINY)
            scale = (spread * other.square().sum() / pairs).sqrt()
            slopes = torch.where(constant, 0.0, (slopes - mine * (value / spread / pairs)) / scale)
            value = torch.where(constant, 0.0, value / scale)
        pull = torch.where(apart > 0, slopes / apart, 0.0)
        return value, along_differences(pull, x).mul_(2)

    return pairwise_penalty(z, s, rule)


@register
@dataclass(frozen=True, kw_only=True)
class DCov(Method):
    """Minimises L + λ · dCov²(Z, S), or dCor², on every mini-batch."""

    name = "dcov"
    title = "dCov"
    explanation = (
        "Makes distances between representations unrelated to distances between sensitive "
        "values; no kernel and no bandwidth has to be chosen."
    )
    citation = (
        "Székely, Rizzo and Bakirov, Measuring and Testing Dependence by Correlation of "
        "Distances, Annals of Statistics 2007"
    )
    colour = "#3A8F3A"
    symbol = "triangle-down"
    supports_equal_opportunity = True
    supports_several = True
    fairness_weights: ClassVar = {
        "crime": (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0),
        "adult": (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0),
    }

    form: str = parameter(
        "covariance",
        label="form of the penalty",
        help="'covariance' also falls when the whole representation shrinks; 'correlation' "
        "divides by the spread, so that shrinking gains nothing.",
        choices=("covariance", "correlation"),
    )

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the squared distance covariance or correlation (B,) of the judged rows."""
        correlation = self.form == "correlation"
        return batch.per_member(
            lambda rows: sum_over(
                rows, lambda one: distance_covariance(one.z, one.s, correlation=correlation)
            )
        )
