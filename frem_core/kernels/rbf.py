"""The Gaussian (radial basis function) kernel."""

from math import pi, sqrt

from torch import Tensor

from frem_core.kernels.base import KERNELS, Kernel


class RBFKernel(Kernel):
    """Gaussian kernel, the paper's default in both roles.

    On S: ``k(x) = exp(-x²/2)``. On Z: ``κ = exp(-‖z - z'‖² / 2σ²)``, so that the integral
    probability metric is the usual maximum mean discrepancy.

    >>> import torch
    >>> RBFKernel().sensitive(torch.tensor([0.0, 1.0, 2.0]))
    tensor([1.0000, 0.6065, 0.1353])
    """

    name = "rbf"
    label = "Gaussian (RBF)"
    colour = "#007580"
    sensitive_formula = "exp(−Δ² / 2γ²)"
    representation_formula = "exp(−‖z − z′‖² / 2σ²)"
    reach = float("inf")
    integral = sqrt(2 * pi)

    def sensitive(self, gap: Tensor) -> Tensor:
        return self.log_sensitive(gap).exp_()

    def log_sensitive(self, gap: Tensor) -> Tensor:
        return gap.square().mul_(-0.5)

    def representation_(self, squared_distance: Tensor) -> Tensor:
        return squared_distance.mul_(-0.5).exp_()

    def slope(self, similarity: Tensor) -> Tensor:
        return similarity * -0.5


KERNELS.register("rbf")(RBFKernel())
