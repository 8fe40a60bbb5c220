"""Mean squared error."""

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.inputs import prediction_errors
from frem_core.metrics.metric import define_metric
from frem_core.types import Floats


def _influence(y: Floats, p: Floats) -> Floats:
    return np.asarray((p - y) ** 2)


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
    influence=_influence,
)
def mse(
    y_true: ArrayLike, y_pred: ArrayLike, *, sensitive_features: ArrayLike | None = None
) -> float:
    """Mean of (prediction - target)²; called like :func:`~frem_core.metrics.mae`.

    Example:
        >>> mse([0.0, 1.0], [0.5, 1.0])
        0.125
    """
    return float(np.mean(prediction_errors(y_true, y_pred) ** 2))
