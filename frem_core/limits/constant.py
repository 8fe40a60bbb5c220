"""Whether a model predicts better than one number for everybody."""

from dataclasses import dataclass

import numpy as np

from frem_core.types import Floats, Task

_ERRORS = 2.0


@dataclass(frozen=True)
class Gain:
    """How much smaller a model's loss is than that of the best constant.

    Attributes:
        mean: average over rows.
        error: its standard error.
    """

    mean: float
    error: float

    @property
    def is_none(self) -> bool:
        """Whether the gain lies within two standard errors of none."""
        return self.mean <= _ERRORS * self.error


def gain_over_constant(y: Floats, p: Floats, task: Task) -> Gain:
    """Compares predictions with the mean of the targets, which is hardest to beat.

    Squared error for regression, cross-entropy for classification.

    Args:
        y: targets, any shape.
        p: predictions in [0, 1], the same shape.
        task: "classification" or "regression".

    Example:
        >>> y = np.array([0.0, 1.0] * 50)
        >>> gain_over_constant(y, np.full(100, 0.5), "classification").is_none
        True
    """
    gains = _losses(y, np.full_like(y, y.mean()), task) - _losses(y, p, task)
    return Gain(float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(gains.size)))


def _losses(y: Floats, p: Floats, task: Task) -> Floats:
    if task == "regression":
        return (p - y) ** 2
    p = np.clip(p, 1e-7, 1 - 1e-7)
    return -(y * np.log(p) + (1 - y) * np.log1p(-p))
