"""What every kernel offers: a weight on the sensitive attribute and a similarity of rows of Z."""

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import torch
from torch import Tensor

from frem_core.errors import ConfigError
from frem_core.kernels.feature_map import FeatureMap
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
    """Its colour in every figure, as #rrggbb."""
    symbol: ClassVar[str]
    """Its plotly marker symbol in every figure."""
    sensitive_formula: ClassVar[str]
    representation_formula: ClassVar[str]
    reach: ClassVar[float]
    """``k(x)`` is 0 for ``|x| >= reach``; infinite when it never vanishes."""
    polynomial: ClassVar[tuple[float, ...] | None] = None
    """Coefficients of ``|x|⁰, |x|¹, …`` within the reach, when k is a polynomial there."""
    closeness_scale: ClassVar[float] = 1.0
    """What multiplies ``-d²/2`` in ``from_closeness_``."""
    features: ClassVar[Literal["none", "random", "exact"]] = "none"
    """Whether κ has a feature map, and whether that approximates it."""
    at_zero: ClassVar[float]
    """What ``representation_`` gives for coincident points."""
    slope_is_similarity: ClassVar[bool] = False
    """Whether ``times_slope_`` multiplies by κ itself."""
    rough_at_zero: ClassVar[bool] = False
    """True when κ has no derivative at coincident points, so that rounded distances matter."""

    @abstractmethod
    def sensitive(self, gap: Tensor) -> Tensor:
        """Weight ``k(x)`` of the scaled gaps ``x``, element-wise and never negative."""

    def log_sensitive(self, gap: Tensor) -> Tensor:
        """``log k(x)``, minus infinity where the weight is 0; safe where ``k`` would underflow."""
        return self.sensitive(gap).log()

    def interpolation_rank(self, width: float, tolerance: float) -> int | None:
        """How many Chebyshev nodes interpolate k on an interval of ``width`` bandwidths.

        Returns:
            The number for which the error stays below ``tolerance``; None when k is not smooth
            enough to be interpolated, or not positive definite, so that it has no root.
        """
        del width, tolerance
        return None

    @abstractmethod
    def representation_(self, squared_distance: Tensor) -> Tensor:
        """Similarity ``κ(d²)`` computed in place of the squared distances, which must be >= 0.

        Up to a constant that may be left out: weights that sum to zero do not see it, and without
        it more digits are kept.
        """

    def representation(self, squared_distance: Tensor) -> Tensor:
        """Similarity ``κ(d²)`` as a new, differentiable tensor, up to the same constant."""
        return self.representation_(squared_distance.clone())

    def from_closeness_(self, closeness: Tensor) -> Tensor:
        """As ``representation_``, in place of ``-closeness_scale · d²/2``, <= 0 up to rounding."""
        return self.representation_(closeness.clamp_(max=0.0).mul_(-2.0 / self.closeness_scale))

    @abstractmethod
    def times_slope_(self, factor: Tensor, similarity: Tensor) -> Tensor:
        """Multiplies ``factor`` in place by ``-2 dκ/d(d²)``.

        The slope is finite everywhere; where it does not exist (coincident points) it counts as 0.

        Args:
            factor: any tensor of the shape of ``similarity``.
            similarity: the values that ``representation_`` gave.
        """

    def feature_map(self, dimensions: int, count: int, seed: int) -> FeatureMap:
        """Features whose inner products give κ up to terms of z or z' alone.

        Args:
            dimensions: m, the number of columns of Z.
            count: how many random frequencies to draw, when the map is random.
            seed: of those frequencies.
        """
        raise ConfigError(f"The kernel '{self.name}' has no feature map.")


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


KERNELS: Registry[Kernel] = Registry("kernel", "frem_core.kernels", "frem.kernels")
