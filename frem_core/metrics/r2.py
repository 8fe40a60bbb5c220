"""R²: the share of the target's variance that predictions explain."""

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.inputs import number_column, prediction_errors
from frem_core.metrics.metric import define_metric
from frem_core.types import Floats


def _influence(y: Floats, p: Floats) -> Floats:
    """R² = 1 − A/B with A = mean (p − y)², B = mean (y − ȳ)²; the derivative of that quotient."""
    lost, spread = (p - y) ** 2, (y - y.mean()) ** 2
    base = spread.mean()
    if base == 0:
        return np.zeros(len(y))
    return np.asarray((lost.mean() / base * spread - lost) / base)


@define_metric(
    "r2",
    label="Explained share of the variance",
    symbol="R²",
    formula="1 − E (Ŷ − Y)² / Var Y",
    help=(
        "1 = every prediction is right, 0 = no better than saying the mean of the target for "
        "everybody, below 0 = worse than that. It does not depend on the target's units."
    ),
    purpose="prediction",
    higher_is_better=True,
    tasks=("regression",),
    influence=_influence,
)
def r2(
    y_true: ArrayLike, y_pred: ArrayLike, *, sensitive_features: ArrayLike | None = None
) -> float:
    """One minus the mean squared error over the variance of the target.

    Args:
        y_true: targets, (n,).
        y_pred: predictions, (n,).
        sensitive_features: ignored, so that all scores can be called alike.

    Returns:
        At most 1; where the target does not vary, 1 for predictions without an error and else 0.

    Example:
        >>> r2([0.0, 1.0, 2.0], [0.0, 1.0, 1.0])
        0.5
    """
    lost = float(np.mean(prediction_errors(y_true, y_pred) ** 2))
    y = number_column(y_true, "y_true")
    spread = float(np.mean((y - y.mean()) ** 2))
    if spread == 0:
        return float(lost == 0)
    return 1 - lost / spread
