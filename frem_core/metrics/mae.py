"""Mean absolute error."""

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.inputs import prediction_errors
from frem_core.metrics.metric import define_metric
from frem_core.types import Floats


def _influence(y: Floats, p: Floats) -> Floats:
    return np.asarray(np.abs(p - y))


@define_metric(
    "mae",
    label="Mean absolute error",
    symbol="MAE",
    formula="E | Ŷ − Y |",
    help="Average distance between prediction and target.",
    purpose="prediction",
    higher_is_better=False,
    tasks=("regression",),
    shown_as_complement=True,
    influence=_influence,
    usual_for=("regression",),
)
def mae(
    y_true: ArrayLike, y_pred: ArrayLike, *, sensitive_features: ArrayLike | None = None
) -> float:
    """Mean of |prediction - target|.

    Args:
        y_true: targets, (n,).
        y_pred: predictions, (n,).
        sensitive_features: ignored, so that all scores can be called alike.

    Returns:
        The mean absolute error.

    Example:
        >>> mae([0.0, 1.0], [0.5, 1.0])
        0.25
    """
    return float(np.mean(np.abs(prediction_errors(y_true, y_pred))))
