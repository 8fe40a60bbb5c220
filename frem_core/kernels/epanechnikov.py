"""The Epanechnikov kernel."""

from torch import Tensor

from frem_core.kernels.base import KERNELS, Kernel
from frem_core.kernels.feature_map import FeatureMap, Identity


class EpanechnikovKernel(Kernel):
    """Epanechnikov kernel: compact on S, mean matching on Z.

    On S: ``k(x) = ¾ max(0, 1 - x²)``. On Z it is not clipped: ``κ = ¾ (1 - ‖z - z'‖²/σ²)``.
    Clipped it is not positive semi-definite; unclipped, weights a that sum to zero give
    ``1.5 ‖Σ a_j z_j‖² / σ²``: only the conditional means of Z are compared.

    >>> import torch
    >>> EpanechnikovKernel().sensitive(torch.tensor([0.0, 0.5, 2.0]))
    tensor([0.7500, 0.5625, 0.0000])
    """

    name = "epanechnikov"
    label = "Epanechnikov"
    colour = "#DA5A2A"
    symbol = "diamond"
    sensitive_formula = "¾ max(0, 1 − Δ² / γ²)"
    representation_formula = "¾ (1 − ‖z − z′‖² / σ²)"
    reach = 1.0
    at_zero = 0.0
    features = "exact"
    polynomial = (0.75, 0.0, -0.75)

    def sensitive(self, gap: Tensor) -> Tensor:
        """``¾ max(0, 1 - x²)``."""
        return gap.square().neg_().add_(1.0).clamp_(min=0.0).mul_(0.75)

    def representation_(self, squared_distance: Tensor) -> Tensor:
        """``-¾d²``: without the constant, which would cost digits."""
        return squared_distance.mul_(-0.75)

    def times_slope_(self, factor: Tensor, similarity: Tensor) -> Tensor:
        """``-2 dκ/d(d²) = 1.5``."""
        del similarity
        return factor.mul_(1.5)

    def feature_map(self, dimensions: int, count: int, seed: int) -> FeatureMap:
        """The rows themselves: for weights that sum to zero this is no approximation."""
        del count, seed
        return Identity(1.5, dimensions)


KERNELS.register("epanechnikov")(EpanechnikovKernel())
