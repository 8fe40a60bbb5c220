"""The paper's two Gaussian simulation designs, as samples and as datasets."""

from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, register_dataset
from frem_core.datasets.dataset import Dataset
from frem_core.errors import ConfigError, did_you_mean
from frem_core.types import Floats

Design = Literal["bivariate", "multivariate"]


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


def gaussian_dataset(
    design: Design = "bivariate",
    *,
    n_samples: int = 2000,
    rho: float | None = None,
    w1_squared: float = 0.5,
    dimension: int = 3,
    seed: int = 0,
) -> Dataset:
    """One of the simulation designs as a regression dataset; see `make_gaussian`."""
    rng = np.random.default_rng(seed)
    if design == "bivariate":
        if not 0.0 <= w1_squared <= 1.0:
            raise ConfigError(f"w1_squared must lie in [0, 1], not {w1_squared}.")
        x, s = sample_bivariate_gaussian(n_samples, rho=0.4 if rho is None else rho, rng=rng)
        weights = np.sqrt([w1_squared, 1.0 - w1_squared])
    elif design == "multivariate":
        x, s = sample_multivariate_gaussian(n_samples, dimension=dimension, rho=rho, rng=rng)
        weights = np.ones(dimension)
    else:
        raise ConfigError(
            f"There is no design '{design}'; choose bivariate or multivariate."
            + did_you_mean(str(design), ("bivariate", "multivariate"))
        )
    return Dataset(
        name=f"gaussian_{design}",
        features=pd.DataFrame(x, columns=[f"x{k + 1}" for k in range(x.shape[1])]),
        target=x @ weights,
        sensitive=s,
        task="regression",
        target_name="z",
        sensitive_name="s",
        description=(
            f"Simulated ({design} Gaussian design of the paper): {n_samples:,} rows. The target is "
            "a weighted sum of the features with variance 1; part of them follow S."
        ),
    )


def make_gaussian(
    design: Design = "bivariate",
    *,
    n_samples: int = 2000,
    rho: float | None = None,
    w1_squared: float = 0.5,
    dimension: int = 3,
    seed: int = 0,
    as_frame: bool = True,
    return_X_y: bool = False,
) -> Any:
    """Returns one of the paper's two simulation designs in scikit-learn's style.

    The target is the paper's linear representation of the features, with variance 1:
    ``w₁X₁ + w₂X₂`` in the bivariate design, ``Σ_k Z_k`` in the multivariate one.

    Args:
        design: ``"bivariate"`` or ``"multivariate"``.
        n_samples: number of rows.
        rho: strength of the tie to S; the paper's value (0.4, or ``1/(3√m)``) when not given.
        w1_squared: w₁² of the bivariate design; w₂² is the rest.
        dimension: m of the multivariate design.
        seed: chooses the rows.
        as_frame: pandas objects instead of NumPy arrays.
        return_X_y: only ``(data, target)``.

    Returns:
        A Bunch with ``data``, ``target``, ``sensitive_features`` and more; or ``(data, target)``.

    >>> make_gaussian("multivariate", n_samples=100, dimension=5).data.shape
    (100, 5)
    """
    dataset = gaussian_dataset(
        design,
        n_samples=n_samples,
        rho=rho,
        w1_squared=w1_squared,
        dimension=dimension,
        seed=seed,
    )
    return to_bunch(dataset, as_frame=as_frame, return_X_y=return_X_y)


def _check_size(name: str, value: int) -> None:
    if not isinstance(value, int | np.integer) or value < 1:
        raise ConfigError(f"{name} must be a whole number of at least 1, not {value!r}.")


register_dataset(
    DatasetCard(
        name="gaussian_bivariate",
        title="Simulation: two features, one of them unfair",
        description="2,000 simulated rows: one of two features follows the sensitive attribute.",
        question="Does a method find the unfair feature when the truth is known?",
        load=partial(gaussian_dataset, "bivariate"),
    )
)
register_dataset(
    DatasetCard(
        name="gaussian_multivariate",
        title="Simulation: a little unfairness everywhere",
        description=(
            "2,000 simulated rows: each of three features follows the sensitive attribute a little."
        ),
        question="Does a method notice unfairness that is spread over all features?",
        load=partial(gaussian_dataset, "multivariate"),
    )
)
