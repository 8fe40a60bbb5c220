"""What a score gives when there is nothing to find: its value on independent data."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from frem_core.metrics.metric import find_metric, get_metric
from frem_core.metrics.repeats import (
    Arrays,
    check_repeats,
    check_share,
    repeat_metric,
    row_arrays,
)


@dataclass(frozen=True)
class NoiseFloor:
    """Values of a score when sensitive values are dealt out at random.

    Attributes:
        mean: the average value; smaller scores are not "more fair".
        upper: the value that the given share of rearrangements stays below; larger scores are
            more than noise.
        share: that share.
        n_permutations: number of rearrangements.
    """

    mean: float
    upper: float
    share: float
    n_permutations: int


def noise_floor(
    metric: str | Callable[..., float],
    *arrays: ArrayLike | None,
    sensitive_features: ArrayLike,
    n_permutations: int = 100,
    random_state: int | None = 0,
    share: float = 0.95,
    n_jobs: int | None = None,
    **options: Any,
) -> NoiseFloor:
    """Measures a score's floor on the caller's own rows by permuting the sensitive values.

    Predictions and sensitive values keep their distributions, only their link is cut. For scores
    that look at each label's rows separately (equal opportunity) values are exchanged within
    labels only.

    Args:
        metric: a metric's name or function.
        *arrays: what the metric takes by position: ``y_true, y_pred``, or ``z``.
        sensitive_features: sensitive values, (n,).
        n_permutations: number of rearrangements.
        random_state: seed; the same seed gives the same result for any ``n_jobs``.
        share: share of rearrangements below ``upper``.
        n_jobs: worker processes; None means none beside this one.
        **options: passed on to the metric.

    Returns:
        Mean and upper value of the score on independent data.

    Example:
        >>> random = np.random.default_rng(0)
        >>> p, s = random.random((2, 200))
        >>> round(noise_floor("hgr", None, p, sensitive_features=s).mean, 2)
        0.12
    """
    check_repeats("n_permutations", n_permutations)
    check_share("share", share)
    function = get_metric(metric) if isinstance(metric, str) else metric
    known = find_metric(function)
    rows, sensitive = row_arrays(arrays, sensitive_features)
    labels = rows[0] if known and known.given_label else None
    values = repeat_metric(
        function,
        rows,
        sensitive,
        partial(_permute, _groups(labels, len(sensitive))),
        repeats=n_permutations,
        random_state=random_state,
        n_jobs=n_jobs,
        options=options,
    )
    return NoiseFloor(
        mean=float(values.mean()),
        upper=float(np.quantile(values, share)),
        share=share,
        n_permutations=n_permutations,
    )


def _groups(labels: NDArray[Any] | None, n_rows: int) -> list[NDArray[np.intp]]:
    """Rows among which sensitive values may be exchanged: all, or those of the same label."""
    if labels is None:
        return [np.arange(n_rows)]
    return [np.flatnonzero(labels == label) for label in np.unique(labels)]


def _permute(
    groups: list[NDArray[np.intp]], random: Generator, arrays: Arrays, sensitive: NDArray[Any]
) -> tuple[Arrays, NDArray[Any]]:
    permuted = sensitive.copy()
    for rows in groups:
        permuted[rows] = sensitive[random.permutation(rows)]
    return arrays, permuted
