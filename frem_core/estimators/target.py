"""Reads what users hand over as y and brings it onto the [0, 1] of the networks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from frem_core.datasets import MinMax
from frem_core.datasets.scaling import IDENTITY
from frem_core.errors import DataError


@dataclass(frozen=True, eq=False)
class Target:
    """A checked target.

    Attributes:
        values: (n,) in [0, 1], or the numbers of the classes.
        scale: from own units to ``values``.
        classes: (C,) the labels behind 0, 1, …, or None for numbers.
    """

    values: NDArray[np.float64]
    scale: MinMax
    classes: NDArray[Any] | None = None


def class_target(estimator: BaseEstimator, y: ArrayLike, classes: Any = None) -> Target:
    """Classes of any kind, in sorted order; of two the second is the positive one.

    Args:
        estimator: whose y it is.
        y: the labels.
        classes: all labels there are, where y need not hold each of them.
    """
    labels = _checked(estimator, y)
    check_classification_targets(labels)
    known = np.unique(labels if classes is None else np.asarray(classes))
    unknown = np.setdiff1d(labels, known)
    if len(unknown):
        raise DataError(f"y has the label {unknown[0]!r}, which is not among {known.tolist()}.")
    if len(known) < 2:
        raise DataError(f"y has one class only, {known.tolist()}; at least two classes are needed.")
    return Target(np.searchsorted(known, labels).astype(np.float64), IDENTITY, known)


def number_target(estimator: BaseEstimator, y: ArrayLike, scale: MinMax | None = None) -> Target:
    """Numbers in any units, min-max scaled; with a given scale they are clipped to it."""
    numbers = _checked(estimator, y, y_numeric=True)
    if scale is not None:
        return Target(np.clip(scale.transform(numbers), 0.0, 1.0), scale)
    scale = MinMax.fit(np.asarray(numbers, dtype=np.float64))
    return Target(scale.transform(numbers), scale)


def _checked(estimator: BaseEstimator, y: ArrayLike, **rules: Any) -> NDArray[Any]:
    names = vars(estimator).get("feature_names_in_")
    checked: NDArray[Any] = validate_data(estimator, X="no_validation", y=y, **rules)
    if names is not None:  # scikit-learn's check of y alone forgets the columns of X
        estimator.feature_names_in_ = names
    return checked
