"""The Gaussian (radial basis function) kernel."""

from functools import lru_cache
from math import ceil, pi, sqrt

import numpy as np
from torch import Tensor

from frem_core.kernels.base import KERNELS, Kernel
from frem_core.kernels.feature_map import FeatureMap, RandomFourierFeatures


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
        """``exp(-x²/2)``."""
        return self.log_sensitive(gap).exp_()

    def log_sensitive(self, gap: Tensor) -> Tensor:
        """``-x²/2``."""
        return gap.square().mul_(-0.5)

    def interpolation_rank(self, width: float, tolerance: float) -> int | None:
        """Grows in proportion to the width: about three nodes a bandwidth."""
        return _interpolation_rank(ceil(width * 4) / 4, tolerance)

    def representation_(self, squared_distance: Tensor) -> Tensor:
        """``exp(-d²/2)``."""
        return squared_distance.mul_(-0.5).exp_()

    def times_slope_(self, factor: Tensor, similarity: Tensor) -> Tensor:
        """``-2 dκ/d(d²)`` is κ itself."""
        return factor.mul_(similarity)

    def feature_map(self, dimensions: int, count: int, seed: int) -> FeatureMap | None:
        """Random Fourier features."""
        return RandomFourierFeatures(dimensions, count, seed)


@lru_cache(maxsize=256)
def _interpolation_rank(width: float, tolerance: float) -> int:
    """Smallest number of nodes whose error bound is below the tolerance.

    In the ellipse with parameter ρ around an interval of length D, ``|exp(-x²/2)|`` is at most
    ``exp(b²/2)`` with ``b = D(ρ - 1/ρ)/4``; interpolation at r Chebyshev nodes then errs by at most
    ``4 exp(b²/2) ρ^(1-r) / (ρ - 1)`` for every ρ > 1.
    """
    rho = np.exp(np.geomspace(1e-3, 3.0, 400))
    height = width / 4 * (rho - 1 / rho)
    needed = (height**2 / 2 + np.log(4 / (tolerance * (rho - 1)))) / np.log(rho)
    return max(2, ceil(float(needed.min())) + 1)


KERNELS.register("rbf")(RBFKernel())
