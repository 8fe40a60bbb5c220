"""Estimators for scikit-learn's own checks, which know nothing of a sensitive attribute.

``fit`` takes the row number modulo 7 as sensitive attribute when none is given. Everything else is
the estimator that users get.
"""

import numpy as np
from sklearn.utils.validation import _num_samples

from frem_core import (
    FairClassifier,
    FairRegressor,
    FREMClassifier,
    FREMRegressor,
    FREMRepresentation,
)


def row_numbers(X):
    return np.arange(_num_samples(X)) % 7


class SelfSensitive:
    def fit(self, X, y, *, sensitive_features=None, sample_weight=None):
        given = row_numbers(X) if sensitive_features is None else sensitive_features
        return super().fit(X, y, sensitive_features=given, sample_weight=sample_weight)

    def partial_fit(self, X, y, classes=None, *, sensitive_features=None, sample_weight=None):
        given = row_numbers(X) if sensitive_features is None else sensitive_features
        return super().partial_fit(
            X, y, classes, sensitive_features=given, sample_weight=sample_weight
        )


class SelfSensitiveClassifier(SelfSensitive, FREMClassifier):
    pass


class SelfSensitiveRegressor(SelfSensitive, FREMRegressor):
    pass


class SelfSensitiveFairClassifier(SelfSensitive, FairClassifier):
    pass


class SelfSensitiveFairRegressor(SelfSensitive, FairRegressor):
    pass


class SelfSensitiveRepresentation(FREMRepresentation):
    def fit(self, X, y=None, *, sensitive_features=None):
        given = row_numbers(X) if sensitive_features is None else sensitive_features
        return super().fit(X, y, sensitive_features=given)
