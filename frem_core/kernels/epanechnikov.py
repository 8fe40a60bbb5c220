"""The Epanechnikov kernel."""

import torch
from torch import Tensor

from frem_core.kernels.base import KERNELS, Kernel


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
    sensitive_formula = "¾ max(0, 1 − Δ² / γ²)"
    representation_formula = "¾ (1 − ‖z − z′‖² / σ²)"
    reach = 1.0
    integral = 1.0

    def sensitive(self, gap: Tensor) -> Tensor:
        return gap.square().neg_().add_(1.0).clamp_(min=0.0).mul_(0.75)

    def representation_(self, squared_distance: Tensor) -> Tensor:
        return squared_distance.neg_().add_(1.0).mul_(0.75)

    def slope(self, similarity: Tensor) -> Tensor:
        return torch.full_like(similarity, -0.75)


KERNELS.register("epanechnikov")(EpanechnikovKernel())
