"""The triangular kernel."""

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
    sensitive_formula = "max(0, 1 − |Δ| / γ)"
    representation_formula = "1 − ‖z − z′‖ / σ"
    reach = 1.0
    integral = 1.0

    def sensitive(self, gap: Tensor) -> Tensor:
        return gap.abs().neg_().add_(1.0).clamp_(min=0.0)

    def representation_(self, squared_distance: Tensor) -> Tensor:
        return squared_distance.sqrt_().neg_()  # without the 1, which would cost digits

    def slope(self, similarity: Tensor) -> Tensor:
        # Coincident points pull in no direction; 1/0 would poison the whole gradient.
        return (2.0 * similarity).reciprocal_().masked_fill_(similarity == 0.0, 0.0)


KERNELS.register("triangular")(TriangularKernel())
