"""Fair classifiers for scikit-learn, with any method."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from frem_core.estimators.fair_estimator import NamedMethodEstimator
from frem_core.estimators.target import Target, class_target
from frem_core.types import Task

if TYPE_CHECKING:
    from frem_core.estimators.table_predictor import TablePredictor


class FairClassifier(ClassifierMixin, NamedMethodEstimator):  # type: ignore[misc]
    """Classifier on a representation that does not follow a continuous attribute.

    Minimises cross-entropy + λ · penalty, where the method says what is penalised. The sensitive
    attribute S is needed at fit only. With more than two classes, a penalty on predictions is the
    mean over each class against all others. Settings are explained at `NamedMethodEstimator` and
    `FairEstimator`.

    Attributes:
        classes_: the labels in sorted order; of two, ``classes_[1]`` counts as positive.
        n_features_in_: number of columns of X at fit.
        feature_names_in_: their names, if X had names.
        n_iter_: epochs trained.
        history_: DataFrame, one row per epoch: task loss and penalty.
        fairness_weight_: the λ used; with ``limit`` or ``keep`` the one that was found.
        limit_report_: with ``limit`` or ``keep``, whether rows that were held out keep it, a
            `frem_core.limits.LimitReport`; else None.
        sensitive_range_: (smallest, largest) sensitive value at fit, for
            ``scale_sensitive(age, model.sensitive_range_)`` and ``gdp(…, sensitive_range=…)``.
        predictor_: the encoding and networks behind it, a `TablePredictor`.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> age = rng.uniform(18, 80, 300)
        >>> X = np.c_[age + rng.normal(0, 5, 300), rng.normal(size=300)]
        >>> y = np.select([X[:, 1] > 0.5, X[:, 1] > -0.5], ["high", "middle"], "low")
        >>> model = FairClassifier(method="mmd", epochs=5, random_state=0)
        >>> model.fit(X, y, sensitive_features=age).predict_proba(X).shape
        (300, 3)
        >>> sorted(model.score_fairness(X, y, age).index)
        ['gdp', 'hgr', 'mutual_information']
    """

    _task: ClassVar[Task] = "classification"

    def predict(self, X: Any) -> NDArray[Any]:
        """Returns the class labels, (n,)."""
        return self._predictor().predict(self._further_rows(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Returns the probabilities of all classes in the order of ``classes_``, (n, classes)."""
        found = self._predictor().score(self._further_rows(X))
        return found if found.ndim == 2 else np.column_stack([1 - found, found])

    def _read_target(
        self, y: ArrayLike, known: "TablePredictor | None" = None, classes: ArrayLike | None = None
    ) -> Target:
        return class_target(self, y, classes if known is None else known.classes)
