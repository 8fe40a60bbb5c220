"""FREM as a scikit-learn regressor."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from frem_core.estimators.fair_estimator import FairEstimator
from frem_core.estimators.target import Target, number_target
from frem_core.types import Task


class FREMRegressor(RegressorMixin, FairEstimator):  # type: ignore[misc]
    """Regressor on a representation that does not follow a continuous attribute.

    Minimises squared error + λ · EIPM(Z; S). The target is min-max scaled inside; predictions come
    in its own units and, as in the paper, from a sigmoid: they stay within the range seen at fit.
    The sensitive attribute S is needed at fit only.

    Attributes:
        n_features_in_: number of columns of X at fit.
        feature_names_in_: their names, if X had names.
        n_iter_: epochs trained.
        history_: DataFrame, one row per epoch: task loss (on the scaled target) and penalty.
        gamma_: the bandwidth γ used.
        gamma_choice_: DataFrame behind ``gamma="auto"``, else None.
        sensitive_range_: (smallest, largest) sensitive value at fit; pass it to
            ``gdp(…, sensitive_range=…)``.
        predictor_: the encoding and networks behind it, a `TablePredictor`.

    Example:
        >>> from frem_core.datasets import fetch_crime
        >>> crime = fetch_crime()
        >>> model = FREMRegressor(fairness_weight=0.1, epochs=5, batch_size=200, random_state=0)
        >>> model = model.fit(crime.data, crime.target, sensitive_features=crime.sensitive_features)
        >>> model.predict(crime.data).shape
        (1994,)
    """

    _task: ClassVar[Task] = "regression"

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Returns the target in its own units, (n,)."""
        return self._predictor().score(self._further_rows(X))

    def _read_target(self, y: ArrayLike) -> Target:
        return number_target(self, y)
