"""What a model predicts on average along the sensitive attribute, and how sure that is."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.errors import ConfigError
from frem_core.metrics.inputs import check_rows, number_column, number_table
from frem_core.types import Floats

_CELLS = 1000
_POINTS = 101
_DRAWN_AT_ONCE = 2**22


def conditional_mean(
    values: ArrayLike,
    sensitive: ArrayLike,
    *,
    bandwidth: float = 0.05,
    n_resamples: int = 400,
    confidence: float = 0.95,
    random_state: int = 0,
    at: ArrayLike | None = None,
) -> pd.DataFrame:
    """Estimates E[v | S = s] along s with a bootstrap band.

    The estimate is the kernel average ``m(s) = Σ_i K(s - s_i) v_i / Σ_i K(s - s_i)`` with a
    Gaussian K. The band holds the middle share of m over resamples of the rows, point by point.
    Where S has more than 1,000 distinct values it is rounded to 1,000 even steps.

    Args:
        values: predictions or outcomes, (n,).
        sensitive: sensitive attribute, (n,).
        bandwidth: of K, in units of S.
        n_resamples: how often rows are drawn with replacement.
        confidence: the share of resamples inside the band.
        random_state: seed of the resamples.
        at: values of s to look at; 101 even steps over the range of S by default.

    Returns:
        Columns ``s``, ``mean``, ``low``, ``high`` and ``effective_n = (Σ K)² / Σ K²``, the number
        of rows that effectively speak at s.

    Raises:
        ConfigError: the bandwidth is not positive.
        DataError: no rows, values are missing, or lengths differ.

    Example:
        >>> s = np.linspace(0, 1, 200)
        >>> curve = conditional_mean(2 * s, s, at=[0.5], n_resamples=50)
        >>> curve["mean"].round(3).tolist(), bool((curve["low"] < curve["high"]).all())
        ([1.0], True)
    """
    if not bandwidth > 0:
        raise ConfigError(f"bandwidth is {bandwidth}; give a number above 0, e.g. 0.05.")
    v, s = number_column(values, "values"), number_column(sensitive, "sensitive")
    check_rows({"values": len(v), "sensitive": len(s)})
    points = np.linspace(s.min(), s.max(), _POINTS) if at is None else np.asarray(at, np.float64)
    cells, codes = _cells(s)
    kernel = _kernel(points, cells, bandwidth)  # (points, U)
    rows, sums = np.bincount(codes), np.bincount(codes, weights=v)
    drawn = _resampled_means(v, codes, kernel, n_resamples, random_state)
    tail = (1.0 - confidence) / 2.0
    low, high = np.nanquantile(drawn, [tail, 1.0 - tail], axis=0)
    return pd.DataFrame(
        {
            "s": points,
            "mean": (kernel @ sums) / (kernel @ rows),
            "low": low,
            "high": high,
            "effective_n": (kernel @ rows) ** 2 / (kernel**2 @ rows),
        }
    )


def _cells(s: Floats) -> tuple[Floats, NDArray[np.intp]]:
    values, codes = np.unique(s, return_inverse=True)
    if len(values) > _CELLS:
        step = (values[-1] - values[0]) / (_CELLS - 1)
        steps, codes = np.unique(np.round((s - values[0]) / step), return_inverse=True)
        values = values[0] + steps * step
    return values, codes


def _kernel(points: Floats, cells: Floats, bandwidth: float) -> Floats:
    """K up to a factor for each point, so that the nearest cell never underflows."""
    closeness = -0.5 * ((points[:, None] - cells) / bandwidth) ** 2
    weights: Floats = np.exp(closeness - closeness.max(axis=1, keepdims=True))
    return weights


def _resampled_means(
    v: Floats, codes: NDArray[np.intp], kernel: Floats, n_resamples: int, random_state: int
) -> Floats:
    """m(s) of every resample, (resamples, points); only sums by value of S are needed."""
    generator = np.random.default_rng(random_state)
    n, n_cells = len(v), kernel.shape[1]
    at_once = max(1, _DRAWN_AT_ONCE // n)
    means = []
    for start in range(0, n_resamples, at_once):
        size = min(at_once, n_resamples - start)
        chosen = generator.integers(0, n, size=(size, n))
        places = codes[chosen] + n_cells * np.arange(size)[:, None]
        rows = np.bincount(places.ravel(), minlength=size * n_cells)
        sums = np.bincount(places.ravel(), weights=v[chosen].ravel(), minlength=size * n_cells)
        mass = rows.reshape(size, n_cells) @ kernel.T
        with np.errstate(invalid="ignore", divide="ignore"):  # no row drawn in reach: NaN
            means.append((sums.reshape(size, n_cells) @ kernel.T) / mass)
    return np.concatenate(means)


def conditional_curve(
    values: ArrayLike,
    sensitive: ArrayLike,
    factors: ArrayLike,
    *,
    at: ArrayLike,
    factors_at: Sequence[float],
    bandwidths: Sequence[float],
) -> Floats:
    """Kernel regression E[v | S = s, X = x] at values of s for people with the factors x.

    ``Σ_i K_i v_i / Σ_i K_i`` with K_i the product of Gaussian kernels in S and in every factor.

    Args:
        values: (n,).
        sensitive: (n,).
        factors: columns of numbers, (n,) or (n, m).
        at: values of s, (points,).
        factors_at: x, one number per factor.
        bandwidths: of S, then of every factor, in their own units.

    Example:
        >>> s = np.linspace(0, 1, 50)
        >>> conditional_curve(s, s, np.ones(50), at=[0.5], factors_at=[1], bandwidths=[0.1, 1])
        array([0.5])
    """
    v, s = number_column(values, "values"), number_column(sensitive, "sensitive")
    x, points = number_table(factors, "factors"), np.atleast_1d(np.asarray(at, np.float64))
    check_rows({"values": len(v), "sensitive": len(s), "factors": len(x)})
    if len(factors_at) != x.shape[1] or len(bandwidths) != x.shape[1] + 1:
        raise ConfigError(
            f"There are {x.shape[1]} factors: give as many factors_at and one bandwidth more."
        )
    if not all(h > 0 for h in bandwidths):
        raise ConfigError(f"bandwidths are {tuple(bandwidths)}; give numbers above 0.")
    alike = -0.5 * (((x - np.asarray(factors_at)) / np.asarray(bandwidths[1:])) ** 2).sum(axis=1)
    close = -0.5 * ((points[:, None] - s) / bandwidths[0]) ** 2 + alike
    kernel = np.exp(close - close.max(axis=1, keepdims=True))
    return np.asarray(kernel @ v / kernel.sum(axis=1))
