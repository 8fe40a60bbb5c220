"""How sure scores of predictions on test rows are, for a model's card."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from frem_core.errors import FremError
from frem_core.evaluation.evaluate import MAX_ROWS
from frem_core.evaluation.subset import random_rows
from frem_core.metrics import Metric, bootstrap, noise_floor
from frem_core.metrics.classes import suited

_RESAMPLES: Final = 100
_RESAMPLED_ROWS: Final = 1500  # at most; the error of more rows follows from theirs
_NORMAL: Final = 1.96
SHUFFLES: Final = 20
INTERVAL_WORDS: Final = (
    f"Intervals: ± {_NORMAL} standard errors from {_RESAMPLES} bootstrap resamples of the test "
    "rows, of scores of predictions."
)


def score_interval(
    metric: Metric, value: float, y: ArrayLike, p: ArrayLike, s: ArrayLike
) -> tuple[float | None, float | None]:
    """The 95 % interval of a score of predictions; none of one of the representation.

    Args:
        metric: the score.
        value: on all rows.
        y: (n,) targets.
        p: (n,) predictions, or (n, classes).
        s: (n,) sensitive values.
    """
    if metric.measures != "predictions":
        return None, None
    y, p, s = (np.asarray(one) for one in (y, p, s))
    metric = suited(metric, p)
    some = random_rows(len(s), _RESAMPLED_ROWS, 0)
    try:
        spread = bootstrap(
            metric, y[some], p[some], sensitive_features=s[some], n_resamples=_RESAMPLES
        )
    except FremError:  # e.g. resamples without a positive row
        return None, None
    error = _NORMAL * spread.sd * (len(some) / len(s)) ** 0.5
    # No unfairness is less than none.
    low = max(0.0, value - error) if metric.purpose == "fairness" else value - error
    return low, value + error


def chance_of(metric: Metric, y: ArrayLike, p: ArrayLike, s: ArrayLike) -> float | None:
    """What a score of predictions gives on average with sensitive values dealt out at random."""
    if metric.measures != "predictions" or not metric.has_noise_floor:
        return None
    y, p, s = (np.asarray(one) for one in (y, p, s))
    metric = suited(metric, p)
    some = random_rows(len(s), MAX_ROWS if metric.slow_on_many_rows else None, 0)
    try:
        return noise_floor(
            metric, y[some], p[some], sensitive_features=s[some], n_permutations=SHUFFLES
        ).mean
    except FremError:
        return None
