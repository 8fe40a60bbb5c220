"""The paper's two Gaussian simulation designs, as samples."""

import numpy as np
from numpy.typing import NDArray

from frem_core.errors import ConfigError

Floats = NDArray[np.float64]


def sample_bivariate_gaussian(
    n_samples: int, *, rho: float = 0.4, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draws from the first simulation design (two features, one of them tied to S).

    ``(S, X₁, X₂)`` is Gaussian with zero means, unit variances, ``Cov(S, X₁) = ρ`` and X₂
    independent of both. A linear encoder ``z = w₁X₁ + w₂X₂`` with ``w₁² + w₂² = 1`` then has
    ``Z | S = s ~ N(w₁ρs, 1 − w₁²ρ²)``.

    Args:
        n_samples: number of rows.
        rho: correlation of S and X₁, in [−1, 1].
        rng: source of randomness; the same state gives the same rows.

    Returns:
        x of shape (n_samples, 2) and s of shape (n_samples,), both float64.
    """
    _check_size("n_samples", n_samples)
    if not -1.0 <= rho <= 1.0:
        raise ConfigError(f"rho is a correlation; {rho} is outside [-1, 1].")
    noise = rng.standard_normal((n_samples, 3))
    s = noise[:, 0]
    tied = rho * s + np.sqrt(1.0 - rho**2) * noise[:, 1]
    return np.column_stack([tied, noise[:, 2]]), s.copy()


def sample_multivariate_gaussian(
    n_samples: int, *, dimension: int, rho: float | None = None, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draws from the second simulation design (every coordinate tied to S).

    ``S ~ N(0, 1)``, ``Z ~ N(0, I/m)`` and ``Cov(S, Z_k) = ρ/√m`` for each of the m coordinates, so
    ``Z | S = s ~ N(ρs/√m · 1, (I − ρ² 11ᵀ)/m)``.

    Args:
        n_samples: number of rows.
        dimension: m, the number of coordinates of Z.
        rho: strength of the tie, with ``|ρ| < 1/√m``; the paper's ``1/(3√m)`` when not given.
        rng: source of randomness; the same state gives the same rows.

    Returns:
        z of shape (n_samples, dimension) and s of shape (n_samples,), both float64.
    """
    _check_size("n_samples", n_samples)
    _check_size("dimension", dimension)
    root_m = np.sqrt(dimension)
    rho = 1.0 / (3.0 * root_m) if rho is None else rho
    if not abs(rho) < 1.0 / root_m:
        raise ConfigError(
            f"rho = {rho} leaves no valid distribution; with dimension {dimension} "
            f"it must lie between -{1 / root_m:.4g} and {1 / root_m:.4g}."
        )
    noise = rng.standard_normal((n_samples, dimension + 1))
    s, white = noise[:, 0], noise[:, 1:]
    # The symmetric root of I − ρ²11ᵀ shrinks only the direction of the all-ones vector.
    shrink = 1.0 - np.sqrt(1.0 - dimension * rho**2)
    residual = white - shrink * white.mean(axis=1, keepdims=True)  # (n, m)
    return (rho * s[:, None] + residual) / root_m, s.copy()


def _check_size(name: str, value: int) -> None:
    if not isinstance(value, int | np.integer) or value < 1:
        raise ConfigError(f"{name} must be a whole number of at least 1, not {value!r}.")
