"""What every kernel offers: a weight on the sensitive attribute and a similarity of rows of Z."""

from abc import ABC, abstractmethod
from typing import ClassVar

import torch
from torch import Tensor

from frem_core.registry import Registry


class Kernel(ABC):
    """One kernel in its two roles.

    On the sensitive attribute S it is a smoothing weight ``k(x) >= 0`` of the scaled gap
    ``x = (s - s') / γ``. On representations Z it is a similarity ``κ(d²)`` of the squared distance
    in units of the scale, ``d² = ‖z - z'‖² / σ²``; it only has to be positive semi-definite for
    weights that sum to zero, because the estimator uses no others.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    """Plain name for forms and legends."""
    colour: ClassVar[str]
    sensitive_formula: ClassVar[str]
    representation_formula: ClassVar[str]
    reach: ClassVar[float]
    """``k(x)`` is 0 for ``|x| >= reach``; infinite when it never vanishes."""
    integral: ClassVar[float]
    """``∫ k(x) dx``; it cancels in the weights."""

    @abstractmethod
    def sensitive(self, gap: Tensor) -> Tensor:
        """Weight ``k(x)`` of the scaled gaps ``x``, element-wise and never negative."""

    def log_sensitive(self, gap: Tensor) -> Tensor:
        """``log k(x)``, minus infinity where the weight is 0; safe where ``k`` would underflow."""
        return self.sensitive(gap).log()

    @abstractmethod
    def representation_(self, squared_distance: Tensor) -> Tensor:
        """Similarity ``κ(d²)`` computed in place of the squared distances, which must be >= 0.

        Up to a constant that may be left out: weights that sum to zero do not see it, and without
        it more digits are kept.
        """

    @abstractmethod
    def slope(self, similarity: Tensor) -> Tensor:
        """``dκ / d(d²)`` as a new tensor, from the values ``representation_`` gave.

        Finite everywhere; where the derivative does not exist (coincident points) it is 0.
        """

    def representation(self, squared_distance: Tensor) -> Tensor:
        """Similarity ``κ(d²)`` as a new tensor, up to the same constant."""
        return self.representation_(squared_distance.clone())


def squared_distances(z: Tensor, other: Tensor | None = None) -> Tensor:
    """Pairwise ``‖z_j - z'_k‖²``, clamped at 0.

    The inner-product form rounds to small negative numbers for coincident rows, hence the clamp.
    Its error is about ``eps · ‖z‖²``: centre the rows first.

    Args:
        z: shape ``(..., n, m)``.
        other: shape ``(..., p, m)``; ``z`` itself when omitted.

    Returns:
        Shape ``(..., n, p)``.
    """
    other = z if other is None else other
    distances = torch.matmul(z, other.transpose(-1, -2)).mul_(-2.0)  # (..., n, p)
    distances += z.square().sum(-1, keepdim=True)
    distances += other.square().sum(-1).unsqueeze(-2)
    return distances.clamp_(min=0.0)


KERNELS: Registry[Kernel] = Registry("kernel", "frem_core.kernels")
