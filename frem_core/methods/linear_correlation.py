"""Linear correlation: the cheap reference that removes straight lines only."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from frem_core.methods.batch import Batch, sum_over
from frem_core.methods.method import Method, register

# Below this the variance of a dimension is that of a constant.
TINY = 1e-12


def squared_correlations(z: Tensor, s: Tensor) -> Tensor:
    """Mean over the dimensions of Z of the squared linear correlation with S.

    Args:
        z: (B, n, m) representations.
        s: (B, n) sensitive values.

    Returns:
        (B,) from 0 to 1; a constant dimension, or a constant S, counts as 0.

    Example:
        >>> s = torch.tensor([[0.0, 0.5, 1.0]])
        >>> z = torch.stack([2 - s, (s - 0.5) ** 2], dim=-1)  # a line and a parabola
        >>> squared_correlations(z, s)
        tensor([0.5000])
    """
    x = z - z.mean(dim=1, keepdim=True)  # (B, n, m)
    t = (s - s.mean(dim=1, keepdim=True)).unsqueeze(-1)  # (B, n, 1)
    product = x.square().sum(dim=1) * t.square().sum(dim=1)  # (B, m)
    varies = product > TINY
    squared = (x * t).sum(dim=1).square() / torch.where(varies, product, 1.0)
    return torch.where(varies, squared, 0.0).mean(dim=1)


@register
@dataclass(frozen=True, kw_only=True)
class LinearCorrelation(Method):
    """Minimises L + λ · mean_k corr(Z_k, S)², the least that a fair representation must satisfy.

    The usual remover of linear correlation subtracts from every feature its regression on S. That
    needs S again for every prediction, which no other method here does and which few users may
    have or use. Asked of the representation, S is needed in training only; and once every dimension
    of Z is uncorrelated with S, so is every linear head. Curved dependence stays: what a method
    gains over this one is what it gains by looking at more than straight lines. Dimensions are
    judged one by one because the joint regression on m dimensions explains a share m/n of S by
    chance, which at 50 dimensions and 200 rows is a quarter.
    """

    name = "linear_correlation"
    title = "Linear correlation"
    explanation = (
        "Removes straight-line dependence between the representation and the sensitive "
        "attribute and nothing else; a cheap reference for the others."
    )
    citation = (
        "After the CorrelationRemover of fairlearn (Weerts et al., JMLR 2023), asked of the "
        "representation instead of the features"
    )
    colour = "#7A8288"
    symbol = "bowtie"
    supports_equal_opportunity = True
    supports_several = True
    fairness_weights: ClassVar = {
        "crime": (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0),
        "adult": (0.3, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0),
    }

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the mean squared correlation (B,) of the judged rows."""
        return batch.per_member(
            lambda rows: sum_over(rows, lambda one: squared_correlations(one.z, one.s))
        )
