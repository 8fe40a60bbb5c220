"""Turns what callers give into checked float64 arrays, once, at the public boundary."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.errors import DataError
from frem_core.types import Floats


def number_column(values: ArrayLike, name: str) -> Floats:
    """Returns one finite number per row as float64; shapes (n,) and (n, 1) are understood."""
    numbers = _as_numbers(values, name)
    if numbers.ndim == 2 and numbers.shape[1] == 1:
        numbers = numbers[:, 0]
    if numbers.ndim != 1:
        raise DataError(
            f"{name} must hold one number per row, but has shape {numbers.shape}; for class "
            "probabilities give the positive class only: predict_proba(X)[:, 1]."
        )
    return numbers


def number_table(values: ArrayLike, name: str) -> Floats:
    """Returns a finite (n, m) float64 table; a column (n,) becomes (n, 1)."""
    numbers = _as_numbers(values, name)
    if numbers.ndim == 1:
        numbers = numbers[:, None]
    if numbers.ndim != 2 or numbers.shape[1] == 0:
        raise DataError(
            f"{name} must be a table (rows, dimensions), but has shape {numbers.shape}."
        )
    return numbers


def predictions_and_sensitive(
    y_true: ArrayLike | None, y_pred: ArrayLike, sensitive_features: ArrayLike, *, fewest: int
) -> tuple[Floats, Floats]:
    """Returns (predictions, sensitive values) for metrics that do not look at the labels."""
    p = number_column(y_pred, "y_pred")
    s = number_column(sensitive_features, "sensitive_features")
    lengths = {"y_pred": len(p), "sensitive_features": len(s)}
    if y_true is not None:
        lengths["y_true"] = len(np.asarray(y_true))
    check_rows(lengths, fewest=fewest)
    return p, s


def row_weights(sample_weight: ArrayLike | None, n_rows: int) -> Floats | None:
    """Returns checked weights of the rows, or None where all count alike."""
    if sample_weight is None:
        return None
    weights = number_column(sample_weight, "sample_weight")
    check_rows({"sample_weight": len(weights), "y_pred": n_rows})
    if weights.min() < 0 or weights.sum() <= 0:
        raise DataError("sample_weight must not be negative, and not 0 everywhere.")
    return weights


def is_positive(y_true: ArrayLike, positive_label: Any) -> NDArray[np.bool_]:
    """Returns which rows carry the positive label; labels must be binary and complete."""
    labels = np.asarray(y_true)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise DataError(f"y_true must hold one label per row, but has shape {labels.shape}.")
    if pd.isna(labels).any():
        raise DataError("y_true has missing labels; drop these rows first.")
    classes = pd.unique(pd.Series(labels)).tolist()
    if len(classes) > 2:
        raise DataError(
            f"y_true must be binary, but has {len(classes)} different values, for example "
            f"{classes[:3]}; for numeric targets use a regression score."
        )
    if len(classes) == 2 and positive_label not in classes:
        raise DataError(
            f"positive_label={positive_label!r} is not among the labels {classes}; "
            "pass positive_label= with one of them."
        )
    return np.asarray(labels == positive_label, dtype=bool)


def check_rows(lengths: dict[str, int], *, fewest: int = 1) -> None:
    """Raises a DataError unless all arrays have the same number of rows, and enough of them."""
    if len(set(lengths.values())) > 1:
        given = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise DataError(f"All arrays must have the same number of rows: {given}.")
    rows = next(iter(lengths.values()))
    if rows < fewest:
        raise DataError(f"At least {fewest} rows are needed, but there are {rows}.")


def _as_numbers(values: ArrayLike, name: str) -> Floats:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, RuntimeError) as error:  # the last: a tensor with a gradient
        raise DataError(
            f"{name} must hold numbers without gaps ({error}); encode or drop other values first."
        ) from error
    bad = ~np.isfinite(numbers)
    if bad.any():
        row = int(np.argwhere(bad)[0][0]) if bad.ndim else 0
        raise DataError(
            f"{name} has {int(bad.sum())} missing or infinite values, the first in row {row}; "
            "drop or fill these rows first."
        )
    return numbers


def prediction_errors(y_true: ArrayLike, y_pred: ArrayLike) -> Floats:
    """Prediction minus target of every row, (n,), once both are checked."""
    y, p = number_column(y_true, "y_true"), number_column(y_pred, "y_pred")
    check_rows({"y_true": len(y), "y_pred": len(p)})
    return p - y


def labels_and_probabilities(
    y_true: ArrayLike | None, y_pred: ArrayLike, positive_label: Any
) -> tuple[NDArray[np.bool_], Floats]:
    """Which rows are positive (none without labels), and their probabilities."""
    p = number_column(y_pred, "y_pred")
    positive = (
        np.zeros(len(p), dtype=bool) if y_true is None else is_positive(y_true, positive_label)
    )
    check_rows({"y_true": len(positive), "y_pred": len(p)})
    if p.min() < 0 or p.max() > 1:
        raise DataError(
            f"y_pred runs from {p.min():g} to {p.max():g}, but this score needs probabilities "
            "between 0 and 1; apply a sigmoid to scores first."
        )
    return positive, p
