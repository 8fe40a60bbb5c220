"""Scores of more than two classes: each class against all others, and their mean."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.metric import Metric
from frem_core.types import Floats


def has_form_for_classes(metric: Metric) -> bool:
    """Whether a score of predictions is defined for more than two classes.

    Equal opportunity is about the rows of one positive class, and a share of positives about one
    class too.
    """
    return not metric.given_label and metric.purpose != "description"


def suited(metric: Metric, p: Floats) -> Metric:
    """The score as these predictions need it.

    For probabilities of several classes, (n, C), it takes class numbers (n,) and (n, C), and is the
    mean over each class against all others. Accuracy is the share of rows whose likeliest class is
    the true one, balanced accuracy the mean of that over the classes.

    Example:
        >>> from frem_core.metrics import get_metric
        >>> p = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.4, 0.3, 0.3]])
        >>> suited(get_metric("accuracy"), p)([0, 1, 2], p)
        0.6666666666666666
    """
    if np.ndim(p) == 1:
        return metric
    function = _BY_LABEL.get(metric.name, partial(_mean_over_classes, metric))
    influence = _right if metric.name == "accuracy" else None
    return replace(metric, function=function, influence=influence)


def _mean_over_classes(
    metric: Metric,
    y_true: ArrayLike | None,
    y_pred: Floats,
    *,
    sensitive_features: ArrayLike | None = None,
) -> float:
    y = None if y_true is None else np.asarray(y_true)
    columns = enumerate(np.asarray(y_pred).T)
    one_against_all = [
        metric(
            None if y is None else (y == number).astype(np.int64),
            column,
            sensitive_features=sensitive_features,
        )
        for number, column in columns
        # A class that these rows lack, as a resample may, cannot be told from the others.
        if y is None or not metric.fewest_positives or (y == number).any()
    ]
    return float(np.mean(one_against_all))


def _right(y: Floats, p: Floats) -> Floats:
    """1 where the likeliest class is the true one."""
    return np.asarray(np.argmax(p, axis=1) == np.asarray(y), dtype=np.float64)


def _accuracy(
    y_true: Floats, y_pred: Floats, *, sensitive_features: ArrayLike | None = None
) -> float:
    del sensitive_features
    return float(_right(y_true, y_pred).mean())


def _balanced_accuracy(
    y_true: Floats, y_pred: Floats, *, sensitive_features: ArrayLike | None = None
) -> float:
    del sensitive_features
    y, right = np.asarray(y_true), _right(y_true, y_pred)
    return float(np.mean([right[y == number].mean() for number in np.unique(y)]))


_BY_LABEL: dict[str, Callable[..., float]] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
}
