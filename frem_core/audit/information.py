"""The interval of mutual information, from subsets of the rows."""

import numpy as np
from scipy.special import ndtri

from frem_core.metrics import mutual_information
from frem_core.types import Floats

_SHARE = 0.5  # of the rows in a subset
_MOST_SUBSETS = 60


def information_interval(
    p: Floats, s: Floats, *, value: float, n_resamples: int, confidence: float, seed: int
) -> tuple[float, float]:
    """Ends of the interval of MI(Ŷ, S).

    Rows drawn with replacement repeat, and repeated rows look like information. So subsets are
    drawn without replacement: half of the rows vary as much around all of them as all of them
    vary around the truth.

    Args:
        p: predictions, (n,).
        s: sensitive attribute, (n,).
        value: the estimate from all rows.
        n_resamples: how many subsets; 60 are enough for a standard deviation.
        confidence: of the interval.
        seed: of the subsets.
    """
    random = np.random.default_rng([seed, 5])
    size = max(4, round(_SHARE * len(s)))
    drawn = []
    for _ in range(min(n_resamples, _MOST_SUBSETS)):
        rows = random.choice(len(s), size, replace=False)
        drawn.append(mutual_information(None, p[rows], sensitive_features=s[rows]))
    # The variance of a subset around the whole is (1 - share) / share of that of the whole.
    deviations = np.array(drawn) - np.mean(drawn)
    spread = float(np.sqrt((deviations**2).mean() * _SHARE / (1 - _SHARE)))
    reach = float(ndtri((1 + confidence) / 2)) * spread
    return max(value - reach, 0.0), value + reach
