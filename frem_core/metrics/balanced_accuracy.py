"""Balanced accuracy: accuracy as if both labels were equally frequent."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frem_core.errors import DataError
from frem_core.metrics.inputs import labels_and_probabilities
from frem_core.metrics.metric import define_metric
from frem_core.types import Floats


def _influence(y: Floats, p: Floats) -> Floats:
    positive = y == 1
    right = ((p > 0.5) == positive).astype(float)
    shares = [right[positive].mean(), right[~positive].mean()]
    weight = 0.5 * len(y) / np.where(positive, positive.sum(), (~positive).sum())
    return np.asarray((right - np.where(positive, *shares)) * weight)


@define_metric(
    "balanced_accuracy",
    label="Balanced accuracy",
    symbol="BAcc",
    formula="½ P( Ŷ > 0.5 | Y = 1 ) + ½ P( Ŷ ≤ 0.5 | Y = 0 )",
    help=(
        "Mean of the shares of positives and of negatives that are recognised; 0.5 is what any "
        "constant gives, also where one label is rare."
    ),
    purpose="prediction",
    higher_is_better=True,
    tasks=("classification",),
    fewest_positives=1,
    fewest_negatives=1,
    influence=_influence,
)
def balanced_accuracy(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike | None = None,
    positive_label: Any = 1,
) -> float:
    """Mean over both labels of the share of their rows that are predicted correctly.

    A probability above 0.5 counts as yes.

    Args:
        y_true: binary labels, (n,).
        y_pred: probabilities of the positive label (or 0 and 1), (n,).
        sensitive_features: ignored, so that all scores can be called alike.
        positive_label: the label that counts as positive.

    Returns:
        The balanced accuracy in [0, 1].

    Raises:
        DataError: only one label occurs.

    Example:
        >>> balanced_accuracy([0, 0, 0, 1], [0.1, 0.2, 0.9, 0.8]) == (2 / 3 + 1) / 2
        True
    """
    positive, p = labels_and_probabilities(y_true, y_pred, positive_label)
    if positive.all() or not positive.any():
        raise DataError(
            "Balanced accuracy needs rows of both labels; add rows or check positive_label."
        )
    right = (p > 0.5) == positive
    return float((right[positive].mean() + right[~positive].mean()) / 2)
