"""The triangular kernel."""

import torch
from torch import Tensor

from frem_core.kernels.base import KERNELS, Kernel


class TriangularKernel(Kernel):
    """Triangular kernel: compact on S, the energy distance on Z.

    On S: ``k(x) = max(0, 1 - |x|)``. On Z it is not clipped: ``κ = 1 - ‖z - z'‖/σ``. Clipped it
    is not positive semi-definite beyond one dimension and goes flat in many; unclipped, weights
    that sum to zero turn it into the energy distance divided by σ, which is never negative.

    >>> import torch
    >>> TriangularKernel().sensitive(torch.tensor([0.0, -0.25, 2.0]))
    tensor([1.0000, 0.7500, 0.0000])
    """

    name = "triangular"
    label = "Triangular"
    colour = "#3B1877"
    symbol = "triangle-left"
    sensitive_formula = "max(0, 1 − |Δ| / γ)"
    representation_formula = "1 − ‖z − z′‖ / σ"
    reach = 1.0
    at_zero = 0.0
    polynomial = (1.0, -1.0)
    rough_at_zero = True

    def sensitive(self, gap: Tensor) -> Tensor:
        """``max(0, 1 - |x|)``."""
        return gap.abs().neg_().add_(1.0).clamp_(min=0.0)

    def representation_(self, squared_distance: Tensor) -> Tensor:
        """``-d``: without the 1, which would cost digits."""
        return squared_distance.sqrt_().neg_()

    def representation(self, squared_distance: Tensor) -> Tensor:
        """``-d``, with derivative 0 where points coincide."""
        apart = squared_distance > 0
        return -torch.where(apart, squared_distance, 1.0).sqrt() * apart

    def times_slope_(self, factor: Tensor, similarity: Tensor) -> Tensor:
        """``-2 dκ/d(d²) = 1/d``; coincident points pull in no direction."""
        coincident = similarity == 0.0
        return factor.div_(similarity).neg_().masked_fill_(coincident, 0.0)


KERNELS.register("triangular")(TriangularKernel())
