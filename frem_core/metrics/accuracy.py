"""Accuracy: the share of rows on the right side of one half."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.inputs import labels_and_probabilities
from frem_core.metrics.metric import define_metric
from frem_core.types import Floats


def _influence(y: Floats, p: Floats) -> Floats:
    return np.asarray((p > 0.5) == (y == 1), dtype=float)


@define_metric(
    "accuracy",
    label="Accuracy",
    symbol="Acc",
    formula="P( 1(Ŷ > 0.5) = Y )",
    help="Share of rows whose label is predicted correctly; a probability above 0.5 counts as yes.",
    purpose="prediction",
    higher_is_better=True,
    tasks=("classification",),
    usual_for=("classification",),
    influence=_influence,
)
def accuracy(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike | None = None,
    positive_label: Any = 1,
) -> float:
    """Share of rows where (probability > 0.5) agrees with the label.

    Args:
        y_true: binary labels, (n,).
        y_pred: probabilities of the positive label (or 0 and 1), (n,).
        sensitive_features: ignored, so that all scores can be called alike.
        positive_label: the label that counts as positive.

    Returns:
        The accuracy in [0, 1].

    Example:
        >>> accuracy([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.5])
        0.75
    """
    positive, p = labels_and_probabilities(y_true, y_pred, positive_label)
    return float(np.mean((p > 0.5) == positive))
