"""How well fresh models predict the sensitive attribute from a table, on rows held out."""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from frem_core.metrics.ranked import ranks
from frem_core.types import Floats


@dataclass(frozen=True)
class ProbeScore:
    """Scores of the two probes on held-out rows.

    Attributes:
        linear_r2: share of the variance of S that ridge regression explains; below 0 is worse
            than the mean.
        linear_rank: rank correlation of its predictions with S.
        boosted_r2: the same share for gradient-boosted trees.
        boosted_rank: the same correlation for gradient-boosted trees.
    """

    linear_r2: float
    linear_rank: float
    boosted_r2: float
    boosted_rank: float

    @property
    def best_r2(self) -> float:
        """The share that the better probe explains, at least 0."""
        return max(0.0, self.linear_r2, self.boosted_r2)


def probe_score(
    table: Floats, s: Floats, held_out: Floats, held_out_s: Floats, *, random_state: int
) -> ProbeScore:
    """Fits both probes on (table, s) and scores them on the held-out rows.

    Columns are standardised for ridge regression and binned for the trees, so the scale of the
    table does not matter.
    """
    # Here, because they bring a hundred modules that most programs never need.
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.linear_model import RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    linear = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 4, 15)))
    boosted = HistGradientBoostingRegressor(random_state=random_state)
    linear_prediction = linear.fit(table, s).predict(held_out)
    # Trees on a few thousand rows gain nothing from threads, and on a busy machine threads that
    # wait for each other made this 30 times slower.
    with threadpool_limits(limits=1, user_api="openmp"):
        boosted_prediction = boosted.fit(table, s).predict(held_out)
    return ProbeScore(
        linear_r2=_explained_share(linear_prediction, held_out_s),
        linear_rank=_rank_correlation(linear_prediction, held_out_s),
        boosted_r2=_explained_share(boosted_prediction, held_out_s),
        boosted_rank=_rank_correlation(boosted_prediction, held_out_s),
    )


def _explained_share(prediction: Floats, s: Floats) -> float:
    return float(1 - np.mean((prediction - s) ** 2) / s.var())


def _rank_correlation(prediction: Floats, s: Floats) -> float:
    if prediction.min() == prediction.max():
        return 0.0
    return float(np.corrcoef(ranks(prediction), ranks(s))[0, 1])
