"""How much a score would move on another sample of the same size."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from frem_core.metrics.metric import get_metric
from frem_core.metrics.repeats import (
    Arrays,
    check_repeats,
    check_share,
    repeat_metric,
    row_arrays,
)


@dataclass(frozen=True)
class BootstrapResult:
    """Summary of a score over resamples of the rows.

    Attributes:
        estimate: the score on the rows as given.
        mean: average over resamples.
        sd: standard deviation over resamples.
        cv: coefficient of variation, sd / mean; 0 when the score never moves.
        low: lower end of the percentile interval.
        high: upper end of the percentile interval.
        confidence: the share of resamples between the two ends.
        n_resamples: number of resamples.
    """

    estimate: float
    mean: float
    sd: float
    cv: float
    low: float
    high: float
    confidence: float
    n_resamples: int


def bootstrap(
    metric: str | Callable[..., float],
    *arrays: ArrayLike | None,
    sensitive_features: ArrayLike,
    n_resamples: int = 1000,
    random_state: int | None = 0,
    confidence: float = 0.95,
    n_jobs: int | None = None,
    **options: Any,
) -> BootstrapResult:
    """Resamples rows with replacement and summarises the metric, as the paper's MI table does.

    Resampling repeats rows, and a repeated row is its own nearest neighbour: for the mutual
    information scores the mean over resamples lies above the estimate, and the interval need not
    contain it. The paper reports this plain bootstrap, so it is kept; read sd and CV from it.

    Args:
        metric: a metric's name or function.
        *arrays: what the metric takes by position: ``y_true, y_pred``, or ``z``.
        sensitive_features: sensitive values, (n,).
        n_resamples: number of resamples.
        random_state: seed; the same seed gives the same result for any ``n_jobs``.
        confidence: share of resamples inside the interval.
        n_jobs: worker processes; None means none beside this one.
        **options: passed on to the metric.

    Returns:
        Estimate, mean, sd, CV and interval.

    Example:
        >>> s = np.linspace(0, 1, 200)
        >>> result = bootstrap("gdp", None, s, sensitive_features=s, n_resamples=100)
        >>> result.low < result.estimate < result.high
        True
    """
    check_repeats("n_resamples", n_resamples)
    check_share("confidence", confidence)
    function = get_metric(metric) if isinstance(metric, str) else metric
    rows, sensitive = row_arrays(arrays, sensitive_features)
    estimate = function(*rows, sensitive_features=sensitive, **options)
    values = repeat_metric(
        function,
        rows,
        sensitive,
        _resample,
        repeats=n_resamples,
        random_state=random_state,
        n_jobs=n_jobs,
        options=options,
    )
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return BootstrapResult(
        estimate=estimate,
        mean=mean,
        sd=sd,
        cv=0.0 if sd == 0 else float(np.divide(sd, mean)),
        low=float(low),
        high=float(high),
        confidence=confidence,
        n_resamples=n_resamples,
    )


def _resample(
    random: Generator, arrays: Arrays, sensitive: NDArray[Any]
) -> tuple[Arrays, NDArray[Any]]:
    rows = random.integers(len(sensitive), size=len(sensitive))
    return [None if array is None else array[rows] for array in arrays], sensitive[rows]
