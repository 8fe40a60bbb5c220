"""MMD: matches the representations of groups cut from the sensitive attribute."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torch.nn import functional

from frem_core.methods.batch import Batch
from frem_core.methods.discrepancy import summed_discrepancies
from frem_core.methods.grouping import quantile_groups, two_groups
from frem_core.methods.method import Method, register
from frem_core.methods.parameter import parameter
from frem_core.methods.shared_parameters import representation_scale


@register
@dataclass(frozen=True, kw_only=True)
class MMD(Method):
    r"""Minimises L + λ · MMD(Z | A = 0, Z | A = 1), or L + λ · Σ_j MMD(Z, Z | bin j) with bins."""

    name = "mmd"
    title = "MMD"
    explanation = (
        "Splits people into groups by the sensitive value and makes the representations of the "
        "groups look alike."
    )
    citation = "Deka and Sutherland, MMD-B-Fair, AISTATS 2023; with bins as in the FREM paper"
    colour = "#921416"
    symbol = "cross"
    fairness_weights: ClassVar = {
        "crime": (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.15),
        "adult": (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0),
    }

    cut: str = parameter(
        "median",
        label="cut of the sensitive attribute",
        help="Two groups divided at the median or the mean, or several quantile bins.",
        choices=("median", "mean", "bins"),
    )
    bins: int = parameter(
        10,
        label="number of bins",
        symbol="J",
        help="Quantile bins when the cut is 'bins'; equal edges are merged.",
        minimum=2,
        maximum=100,
    )
    sigma: float = representation_scale(
        "Distance at which two representations count as different.", advanced=True
    )

    def cuts(self, s: Tensor) -> Tensor:
        """Returns the inner edges of the groups."""
        return quantile_groups(s, self.bins) if self.cut == "bins" else two_groups(s, self.cut)

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the sum of the discrepancies (B,)."""
        assert batch.group is not None
        groups = self.bins if self.cut == "bins" else 2
        belongs = functional.one_hot(batch.group, groups).transpose(1, 2).to(batch.z.dtype)
        counts = belongs.sum(dim=-1, keepdim=True)
        shares = belongs / counts.clamp(min=1)  # (B, J, n)
        if self.cut == "bins":
            contrasts = (shares - 1 / batch.z.shape[1]) * (counts > 0)
        else:
            both = (counts > 0).all(dim=1, keepdim=True)
            contrasts = (shares[:, :1] - shares[:, 1:]) * both
        return summed_discrepancies(batch.z, contrasts, self.sigma)
