"""Reads what users hand over as y and brings it onto the [0, 1] of the networks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import validate_data

from frem_core.datasets import MinMax
from frem_core.datasets.scaling import IDENTITY
from frem_core.errors import DataError


@dataclass(frozen=True, eq=False)
class Target:
    """A checked target.

    Attributes:
        values: (n,) in [0, 1].
        scale: from own units to ``values``.
        classes: (2,) the labels behind 0 and 1, or None for numbers.
    """

    values: NDArray[np.float64]
    scale: MinMax
    classes: NDArray[Any] | None = None


def class_target(estimator: BaseEstimator, y: ArrayLike) -> Target:
    """Two classes of any kind, in sorted order: the second is the positive one."""
    labels = validate_data(estimator, X="no_validation", y=y)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) > 2:
        raise DataError(
            "Only binary classification is supported. The type of the target is "
            f"{type_of_target(labels)}: y has {len(classes)} classes, for example "
            f"{classes[:3].tolist()}."
        )
    if len(classes) < 2:
        raise DataError(f"y has one class only, {classes.tolist()}; two classes are needed.")
    return Target(codes.astype(np.float64), IDENTITY, classes)


def number_target(estimator: BaseEstimator, y: ArrayLike) -> Target:
    """Numbers in any units, min-max scaled."""
    numbers = validate_data(estimator, X="no_validation", y=y, y_numeric=True)
    scale = MinMax.fit(np.asarray(numbers, dtype=np.float64))
    return Target(scale.transform(numbers), scale)
