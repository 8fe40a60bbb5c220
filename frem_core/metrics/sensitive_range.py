"""Brings a sensitive attribute from its own units onto [0, 1], in one way for everybody."""

import numpy as np
from numpy.typing import ArrayLike

from frem_core.errors import ConfigError, DataError
from frem_core.metrics.inputs import number_column
from frem_core.types import Floats
from frem_core.words import per_cent

_MOST_OUTSIDE = 0.5


def scale_sensitive(
    sensitive_features: ArrayLike, sensitive_range: tuple[float, float] | None = None
) -> Floats:
    """Scales sensitive values to [0, 1] and clips what lies outside the range.

    With the ``sensitive_range_`` of a fitted estimator, further rows are scaled as the training
    rows were; a person older than everybody at fit counts as the oldest. Every score takes the
    result as its ``sensitive_features``.

    Args:
        sensitive_features: (n,) in their own units.
        sensitive_range: the values that stand for 0 and 1; the smallest and largest if None.

    Returns:
        (n,) in [0, 1], double precision; all 0 when the values do not vary and no range is given.

    Raises:
        DataError: missing values, or most values lie outside the range: other units, probably.
        ConfigError: the range is not (smallest, largest).

    Example:
        >>> scale_sensitive([20, 30, 70], (20, 60)).tolist()
        [0.0, 0.25, 1.0]
    """
    s = number_column(sensitive_features, "sensitive_features")
    if sensitive_range is None:
        low, high = float(s.min()), float(s.max())
        return (s - low) / (high - low) if low < high else np.zeros_like(s)
    low, high = sensitive_range
    if not low < high:
        raise ConfigError(
            f"sensitive_range={sensitive_range} is not allowed; give (smallest, largest)."
        )
    outside = float(np.mean((s < low) | (s > high)))
    if outside > _MOST_OUTSIDE:
        raise DataError(
            f"{per_cent(outside)} of the sensitive values lie outside "
            f"sensitive_range={sensitive_range}: they run from {s.min():g} to {s.max():g}. "
            "Give values and range in the same units."
        )
    return np.clip((s - low) / (high - low), 0.0, 1.0)
