"""Selection rate: the share of rows predicted positive."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.inputs import labels_and_probabilities
from frem_core.metrics.metric import define_metric


@define_metric(
    "selection_rate",
    label="Selection rate",
    symbol="P(Ŷ > 0.5)",
    formula="P( Ŷ > 0.5 )",
    help=(
        "Share of rows that are predicted positive. 0 or 1 means that everybody gets the same "
        "answer, however good the accuracy looks."
    ),
    purpose="description",
    higher_is_better=True,
    tasks=("classification",),
)
def selection_rate(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike | None = None,
    positive_label: Any = 1,
) -> float:
    """Share of rows with a probability above one half.

    Args:
        y_true: ignored, may be None; there because scikit-learn and fairlearn pass it.
        y_pred: probabilities of the positive label (or 0 and 1), (n,).
        sensitive_features: ignored, so that all scores can be called alike.
        positive_label: the label that counts as positive in ``y_true``.

    Returns:
        The share in [0, 1].

    Example:
        >>> selection_rate(None, [0.1, 0.7, 0.9, 0.5])
        0.5
    """
    return float(np.mean(labels_and_probabilities(y_true, y_pred, positive_label)[1] > 0.5))
