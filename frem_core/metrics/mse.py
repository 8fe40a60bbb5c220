"""Mean squared error."""

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.inputs import check_rows, number_column
from frem_core.metrics.metric import define_metric


@define_metric(
    "mse",
    label="Mean squared error",
    symbol="MSE",
    formula="E (Ŷ − Y)²",
    help="Average squared distance between prediction and target; large misses weigh most.",
    purpose="prediction",
    higher_is_better=False,
    tasks=("regression",),
    shown_as_complement=True,
)
def mse(
    y_true: ArrayLike, y_pred: ArrayLike, *, sensitive_features: ArrayLike | None = None
) -> float:
    """Mean of (prediction - target)².

    Args:
        y_true: targets, (n,).
        y_pred: predictions, (n,).
        sensitive_features: ignored, so that all scores can be called alike.

    Returns:
        The mean squared error.

    Example:
        >>> mse([0.0, 1.0], [0.5, 1.0])
        0.125
    """
    y, p = number_column(y_true, "y_true"), number_column(y_pred, "y_pred")
    check_rows({"y_true": len(y), "y_pred": len(p)})
    return float(np.mean((p - y) ** 2))
