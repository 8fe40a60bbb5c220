"""The paper's two simulation designs: how data is drawn and what its EIPM is."""

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from frem_core.datasets.gaussian import sample_bivariate_gaussian, sample_multivariate_gaussian
from frem_core.errors import ConfigError
from frem_core.simulation.truths import linear_gaussian_truth
from frem_core.types import Floats


class Design(Protocol):
    """A joint distribution of a representation Z and a sensitive attribute S."""

    @property
    def name(self) -> str:
        """The design's name, as ``frem simulate`` calls it."""

    @property
    def case(self) -> str:
        """The design's parameters in words; equal designs have equal cases."""

    @property
    def dimension(self) -> int:
        """m, the number of coordinates of Z."""

    def draw(self, n_samples: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draws z of shape (n_samples, m) and s of shape (n_samples,)."""

    def truth(self) -> float:
        """The exact EIPM for the RBF kernel with σ = 1."""


@dataclass(frozen=True)
class GaussianDesign:
    """A linear encoder of two Gaussian features, one of them tied to S (Section IV).

    ``z = w₁X₁ + w₂X₂`` with ``w₁² + w₂² = 1`` and ``Cov(S, X₁) = ρ``.

    Args:
        w1_squared: w₁², the share of the variance of z that comes from the tied feature.
        rho: ρ, the correlation of S and X₁.

    >>> GaussianDesign(w1_squared=0.2).case
    'w1²=0.2, ρ=0.4'
    """

    w1_squared: float = 0.5
    rho: float = 0.4
    name: ClassVar[str] = "gaussian"
    dimension: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.w1_squared <= 1.0:
            raise ConfigError(f"w1² must lie between 0 and 1, not {self.w1_squared}.")
        if not -1.0 < self.rho < 1.0:
            raise ConfigError(f"rho must lie between -1 and 1, not {self.rho}.")

    @property
    def case(self) -> str:
        """The parameters in words."""
        return f"w1²={self.w1_squared:.6g}, ρ={self.rho:.6g}"

    def draw(self, n_samples: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draws the encoded feature and S."""
        x, s = sample_bivariate_gaussian(n_samples, rho=self.rho, rng=rng)
        weights = np.sqrt([self.w1_squared, 1.0 - self.w1_squared])
        return (x @ weights)[:, None], s

    def truth(self) -> float:
        """The exact EIPM: S explains w₁²ρ² of the unit variance of z."""
        signal = self.w1_squared * self.rho**2
        return linear_gaussian_truth(dimension=1, variance=1.0, signal=signal)


@dataclass(frozen=True)
class MultivariateDesign:
    """A Gaussian representation whose m coordinates are all tied to S (Appendix D).

    ``Z ~ N(0, I/m)`` and ``Cov(S, Z_k) = ρ/√m``, which needs ``|ρ| < 1/√m``.

    Args:
        dimension: m, the number of coordinates.
        rho: ρ; the paper's ``1/(3√m)`` when not given.

    >>> MultivariateDesign(dimension=3).case
    'm=3, ρ=0.19245'
    """

    dimension: int = 1
    rho: float | None = None
    name: ClassVar[str] = "multivariate"

    def __post_init__(self) -> None:
        if self.dimension < 1:
            raise ConfigError(f"The dimension must be at least 1, not {self.dimension}.")
        if not abs(self.tie) < 1.0 / math.sqrt(self.dimension):
            raise ConfigError(
                f"rho = {self.tie:g} leaves no valid distribution; with m = {self.dimension} "
                f"it must lie between ±{1.0 / math.sqrt(self.dimension):.4g}."
            )

    @property
    def tie(self) -> float:
        """ρ, with the paper's choice filled in."""
        return 1.0 / (3.0 * math.sqrt(self.dimension)) if self.rho is None else self.rho

    @property
    def case(self) -> str:
        """The parameters in words."""
        return f"m={self.dimension}, ρ={self.tie:.6g}"

    def draw(self, n_samples: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draws the representation and S."""
        return sample_multivariate_gaussian(
            n_samples, dimension=self.dimension, rho=self.tie, rng=rng
        )

    def truth(self) -> float:
        """The exact EIPM: S explains ρ² of the variance 1/m along the all-ones direction."""
        return linear_gaussian_truth(
            dimension=self.dimension, variance=1.0 / self.dimension, signal=self.tie**2
        )
