"""What goes wrong for whom: the values whose mean along S shows errors."""

import numpy as np

from frem_core.types import Floats

FEWEST = 20
"""Rows that an error rate must rest on."""

ERROR_LABELS = {
    "true_positive_rate": "Positive decisions among those who deserve one (equal opportunity)",
    "false_positive_rate": "Positive decisions among those who do not (false positive rate)",
    "false_negative_rate": "Negative decisions among those who deserve a positive one",
    "calibration": "True outcome minus prediction (calibration)",
    "mean_error": "Prediction minus true value",
    "absolute_error": "Distance of prediction and true value",
}
"""What each curve of errors shows."""


def are_in_other_units(y: Floats | None, p: Floats) -> bool:
    """Whether outcomes are 0 and 1 and predictions far from both, such as per cent or points."""
    return y is not None and bool(np.isin(y, (0.0, 1.0)).all() and (p.min() < -1 or p.max() > 2))


def error_values(
    y: Floats | None, p: Floats, kind: str, threshold: float
) -> dict[str, tuple[Floats, np.ndarray]]:
    """Values whose mean is the error, and the rows they belong to, by name.

    The false negative rate is what the true positive rate leaves of 1.

    Args:
        y: true outcomes, or None.
        p: predictions.
        kind: of predictions: two classes as outcomes and predictions in [0, 1] have error rates.
        threshold: from which a prediction is a positive decision.
    """
    if y is None:
        return {}
    everyone = np.ones(len(p), dtype=bool)
    if are_in_other_units(y, p):
        return {}
    if kind == "number" or not np.isin(y, (0.0, 1.0)).all():
        return {"mean_error": (p - y, everyone), "absolute_error": (np.abs(p - y), everyone)}
    decided = (p > threshold).astype(np.float64)
    positive, negative = y == 1, y == 0
    found: dict[str, tuple[Floats, np.ndarray]] = {}
    if positive.sum() >= FEWEST:
        found["true_positive_rate"] = decided[positive], positive
    if negative.sum() >= FEWEST:
        found["false_positive_rate"] = decided[negative], negative
    found["calibration"] = y - p, everyone
    return found
