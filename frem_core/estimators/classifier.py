"""FREM as a scikit-learn classifier."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from frem_core.estimators.fair_estimator import FairEstimator
from frem_core.estimators.target import Target, class_target
from frem_core.types import Task


class FREMClassifier(ClassifierMixin, FairEstimator):  # type: ignore[misc]
    """Two-class classifier on a representation that does not follow a continuous attribute.

    Minimises cross-entropy + λ · EIPM(Z; S). The sensitive attribute S is needed at fit only.

    Attributes:
        classes_: (2,) the labels in sorted order; ``classes_[1]`` counts as positive.
        n_features_in_: number of columns of X at fit.
        feature_names_in_: their names, if X had names.
        n_iter_: epochs trained.
        history_: DataFrame, one row per epoch: task loss and penalty.
        gamma_: the bandwidth γ used.
        gamma_choice_: DataFrame behind ``gamma="auto"``, else None.
        sensitive_range_: (smallest, largest) sensitive value at fit; pass it to
            ``gdp(…, sensitive_range=…)``.
        predictor_: the encoding and networks behind it, a `TablePredictor`.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> age = rng.uniform(18, 80, 300)
        >>> X = np.c_[age + rng.normal(0, 5, 300), rng.normal(size=300)]
        >>> y = np.where(X[:, 1] + age / 40 > 1.2, "yes", "no")
        >>> model = FREMClassifier(fairness_weight=0.5, epochs=20, batch_size=100, random_state=0)
        >>> model.fit(X, y, sensitive_features=age).predict_proba(X).shape
        (300, 2)
        >>> model.transform(X).shape
        (300, 50)
    """

    _task: ClassVar[Task] = "classification"

    def predict(self, X: Any) -> NDArray[Any]:
        """Returns the class labels, (n,)."""
        return self._predictor().predict(self._further_rows(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Returns the probabilities of both classes in the order of ``classes_``, (n, 2)."""
        positive = self._predictor().score(self._further_rows(X))
        return np.column_stack([1 - positive, positive])

    def _read_target(self, y: ArrayLike) -> Target:
        return class_target(self, y)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
