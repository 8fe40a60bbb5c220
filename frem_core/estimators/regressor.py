"""Fair regressors for scikit-learn, with any method."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from frem_core.estimators.fair_estimator import NamedMethodEstimator
from frem_core.estimators.target import Target, number_target
from frem_core.types import Task

if TYPE_CHECKING:
    from frem_core.estimators.table_predictor import TablePredictor


class FairRegressor(RegressorMixin, NamedMethodEstimator):  # type: ignore[misc]
    """Regressor on a representation that does not follow a continuous attribute.

    Minimises squared error + λ · penalty, where the method says what is penalised. The target is
    min-max scaled inside; predictions come in its own units and, as in the paper, from a sigmoid:
    they stay within the range seen at fit. The sensitive attribute S is needed at fit only.
    Settings are explained at `NamedMethodEstimator` and `FairEstimator`.

    Attributes:
        n_features_in_: number of columns of X at fit.
        feature_names_in_: their names, if X had names.
        n_iter_: epochs trained.
        history_: DataFrame, one row per epoch: task loss (on the scaled target) and penalty.
        fairness_weight_: the λ used; with ``limit`` or ``keep`` the one that was found.
        limit_report_: with ``limit`` or ``keep``, whether rows that were held out keep it, a
            `frem_core.limits.LimitReport`; else None.
        sensitive_range_: (smallest, largest) sensitive value at fit, for
            ``scale_sensitive(age, model.sensitive_range_)`` and ``gdp(…, sensitive_range=…)``.
        predictor_: the encoding and networks behind it, a `TablePredictor`.

    Example:
        >>> from frem_core.datasets import make_gaussian
        >>> data = make_gaussian(n_samples=200, seed=0)
        >>> model = FairRegressor(method="hsic", epochs=5, random_state=0)
        >>> model = model.fit(data.data, data.target, sensitive_features=data.sensitive_features)
        >>> model.predict(data.data).shape
        (200,)
    """

    _task: ClassVar[Task] = "regression"

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Returns the target in its own units, (n,)."""
        return self._predictor().score(self._further_rows(X))

    def _read_target(
        self, y: ArrayLike, known: "TablePredictor | None" = None, classes: ArrayLike | None = None
    ) -> Target:
        return number_target(self, y, None if known is None else known.target_scale)
