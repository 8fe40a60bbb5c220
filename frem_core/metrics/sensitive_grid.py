"""The smoothing along the sensitive attribute that GDP and its penalty share."""

import math
from functools import lru_cache

import numpy as np

from frem_core.errors import ConfigError
from frem_core.types import Floats

# Where the conditional mean is looked at, for sensitive values scaled to [0, 1].
GRID: Floats = np.arange(1, 999) / 1000
_SMALLEST_BANDWIDTH = 0.001


def gdp_bandwidth(n_rows: float, bandwidth: float | None) -> float:
    """Returns the given bandwidth, or by default h = (3n/4)^(-1/5)."""
    if bandwidth is None:
        return float((3 * n_rows / 4) ** -0.2)
    if not bandwidth >= _SMALLEST_BANDWIDTH:
        raise ConfigError(
            f"bandwidth={bandwidth} is not allowed; it must be at least {_SMALLEST_BANDWIDTH}, "
            "the step of the grid. Leave it out for the default."
        )
    return float(bandwidth)


@lru_cache(maxsize=32)
def gaussian_series(bandwidth: float) -> Floats:
    """Chebyshev coefficients (998, terms) of s ↦ exp(-(g - s)²/2h²) on [0, 1], a row for each g.

    The Gaussian is smooth in s, so the series ends early: 12 + 4/h terms leave an error of
    about 1e-12 or less. A sum over n rows then costs O(n · terms) instead of O(n · 998).
    """
    terms = 12 + math.ceil(4 / bandwidth)
    order = np.arange(terms)
    angles = np.pi * (order + 0.5) / terms
    nodes = (np.cos(angles) + 1) / 2
    kernel = np.exp(-0.5 * ((GRID[:, None] - nodes) / bandwidth) ** 2)  # (998, terms)
    series: Floats = kernel @ np.cos(np.outer(angles, order)) * (2 / terms)
    series[:, 0] /= 2
    series.flags.writeable = False  # every caller gets the same cached array
    return series
