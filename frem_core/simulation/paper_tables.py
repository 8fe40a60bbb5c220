"""The paper's two simulation tables, typed in once, as tidy data.

``tab:synthetic1`` prints bias, MAE and RMSE in units of 10⁻², ``tab:synthetic_multi`` prints RMSE;
here everything is in the units of EIPM. Both come from 100 replicates.
"""

from collections.abc import Iterator
from functools import lru_cache

import pandas as pd

from frem_core.simulation.designs import Design, GaussianDesign, MultivariateDesign

PAPER_REPLICATES = 100
PAPER_SAMPLES = {"gaussian": (100,), "multivariate": (100, 140, 180, 220, 260, 300)}
PAPER_DESIGNS: dict[str, tuple[Design, ...]] = {
    "gaussian": tuple(GaussianDesign(w1_squared=value) for value in (0.2, 0.5, 0.8)),
    "multivariate": tuple(MultivariateDesign(dimension=value) for value in (1, 3, 10)),
}

_GAUSSIAN_COLUMNS = (
    *(("binning", setting) for setting in (2.0, 3.0, 4.0)),
    *(("proposed", setting) for setting in (0.3, 0.5, 0.7)),
)
_MULTIVARIATE_COLUMNS = (
    *(("binning", setting) for setting in (2.0, 3.0, 4.0)),
    *(("nadaraya-watson", setting) for setting in (0.3, 0.5, 0.7)),
    *(("proposed", setting) for setting in (0.3, 0.5, 0.7)),
)

# tab:synthetic1, ×10⁻²: (w₁², error) → binning 2, 3, 4 bins; proposed γ = 0.3, 0.5, 0.7
_GAUSSIAN = {
    (0.2, "bias"): (1.16, 3.66, 5.62, 5.42, 2.02, -0.02),
    (0.2, "mae"): (2.75, 3.74, 5.62, 5.42, 2.27, 1.43),
    (0.2, "rmse"): (3.42, 4.46, 6.15, 5.81, 2.84, 1.80),
    (0.5, "bias"): (0.44, 2.70, 3.85, 3.59, 0.18, -2.07),
    (0.5, "mae"): (3.27, 3.63, 4.06, 3.72, 2.27, 2.67),
    (0.5, "rmse"): (3.98, 4.50, 4.91, 4.55, 2.74, 3.19),
    (0.8, "bias"): (0.59, 2.49, 3.41, 2.86, -0.43, -2.98),
    (0.8, "mae"): (3.02, 3.28, 3.74, 3.29, 2.26, 3.22),
    (0.8, "rmse"): (3.66, 4.05, 4.51, 4.07, 2.69, 3.75),
}

# tab:synthetic_multi: (m, n) → binning 2, 3, 4 bins; Nadaraya–Watson γ = 0.3, 0.5, 0.7; proposed
_MULTIVARIATE = {
    (1, 100): (0.047, 0.037, 0.044, 0.038, 0.054, 0.065, 0.039, 0.034, 0.044),
    (1, 140): (0.038, 0.034, 0.037, 0.039, 0.054, 0.066, 0.033, 0.032, 0.042),
    (1, 180): (0.033, 0.031, 0.031, 0.049, 0.061, 0.072, 0.028, 0.027, 0.041),
    (1, 220): (0.029, 0.029, 0.035, 0.055, 0.065, 0.075, 0.027, 0.023, 0.035),
    (1, 260): (0.03, 0.025, 0.029, 0.043, 0.055, 0.067, 0.024, 0.027, 0.041),
    (1, 300): (0.026, 0.022, 0.024, 0.047, 0.058, 0.069, 0.02, 0.026, 0.04),
    (3, 100): (0.033, 0.049, 0.068, 0.037, 0.049, 0.057, 0.066, 0.03, 0.017),
    (3, 140): (0.031, 0.046, 0.059, 0.041, 0.05, 0.057, 0.057, 0.026, 0.016),
    (3, 180): (0.023, 0.034, 0.046, 0.046, 0.055, 0.061, 0.043, 0.017, 0.016),
    (3, 220): (0.021, 0.03, 0.039, 0.045, 0.053, 0.06, 0.035, 0.014, 0.018),
    (3, 260): (0.02, 0.026, 0.036, 0.048, 0.056, 0.062, 0.031, 0.013, 0.019),
    (3, 300): (0.019, 0.022, 0.029, 0.047, 0.05, 0.06, 0.025, 0.014, 0.023),
    (10, 100): (0.044, 0.07, 0.095, 0.044, 0.046, 0.047, 0.098, 0.053, 0.028),
    (10, 140): (0.035, 0.056, 0.075, 0.044, 0.046, 0.046, 0.078, 0.041, 0.019),
    (10, 180): (0.028, 0.049, 0.064, 0.045, 0.046, 0.047, 0.065, 0.033, 0.014),
    (10, 220): (0.023, 0.041, 0.055, 0.046, 0.047, 0.047, 0.055, 0.026, 0.009),
    (10, 260): (0.02, 0.038, 0.049, 0.046, 0.046, 0.047, 0.05, 0.023, 0.008),
    (10, 300): (0.019, 0.034, 0.045, 0.045, 0.047, 0.048, 0.045, 0.02, 0.006),
}


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, str, int, str, float, str, float], ...]:
    return (*_gaussian_rows(), *_multivariate_rows())


def paper_values() -> pd.DataFrame:
    """Returns both tables as rows (design, case, n, estimator, setting, error, paper).

    ``case`` is spelled as ``Design.case`` spells it, so that a merge on the first five columns
    puts the paper's value beside ours exactly where the settings agree.

    >>> table = paper_values()
    >>> len(table)
    216
    """
    columns = ["design", "case", "n", "estimator", "setting", "error", "paper"]
    return pd.DataFrame(list(_rows()), columns=columns)


def _gaussian_rows() -> Iterator[tuple[str, str, int, str, float, str, float]]:
    for (w1_squared, error), values in _GAUSSIAN.items():
        case = GaussianDesign(w1_squared=w1_squared).case
        for (estimator, setting), value in zip(_GAUSSIAN_COLUMNS, values, strict=True):
            # Rounding undoes the binary tail of value/100, so 0.0116 is 0.0116.
            yield "gaussian", case, 100, estimator, setting, error, round(value / 100, 6)


def _multivariate_rows() -> Iterator[tuple[str, str, int, str, float, str, float]]:
    for (dimension, n), values in _MULTIVARIATE.items():
        case = MultivariateDesign(dimension=dimension).case
        for (estimator, setting), value in zip(_MULTIVARIATE_COLUMNS, values, strict=True):
            yield "multivariate", case, n, estimator, setting, "rmse", value
