"""Average precision: the area under the precision–recall curve."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frem_core.errors import DataError
from frem_core.metrics.inputs import check_rows, is_positive, number_column
from frem_core.metrics.metric import define_metric
from frem_core.metrics.ranked import rows_up_to
from frem_core.types import Floats


def _influence(y: Floats, p: Floats) -> Floats:
    """The derivative of the score by each row's weight, times n, at weights 1.

    AP(w) = Σ_i w_i y_i prec_i / Σ_i w_i y_i with prec_i the share of positives among the rows
    ranked at least as high as i; a row moves its own term and the precision of all below it.
    """
    order = np.argsort(-p, kind="stable")
    label, rank = (y[order] == 1).astype(float), -p[order]
    last = np.searchsorted(rank, rank, side="right")  # rows ranked at least as high
    first = np.searchsorted(rank, rank, side="left")
    precision = np.cumsum(label)[last - 1] / last
    below = [np.append(np.cumsum(part[::-1])[::-1], 0.0) for part in
             (label / last, label * precision / last)]  # fmt: skip
    positives = label.sum()
    score = (label * precision).sum() / positives
    moved = label * precision + label * below[0][first] - below[1][first] - label * score
    influence = np.empty(len(y))
    influence[order] = len(y) * moved / positives
    return influence


@define_metric(
    "average_precision",
    label="Average precision",
    symbol="AP",
    formula="Σ_k (R_k − R_{k−1}) P_k over the thresholds k",
    help=(
        "How well the predictions rank positives above negatives, whatever the threshold; a "
        "random ranking gives the share of positives."
    ),
    purpose="prediction",
    higher_is_better=True,
    tasks=("classification",),
    fewest_positives=1,
    influence=_influence,
)
def average_precision(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike | None = None,
    positive_label: Any = 1,
) -> float:
    """Average precision, as scikit-learn defines it.

    Args:
        y_true: binary labels, (n,).
        y_pred: scores that rise with the probability of the positive label, (n,).
        sensitive_features: ignored, so that all scores can be called alike.
        positive_label: the label that counts as positive.

    Returns:
        The average precision in [0, 1].

    Raises:
        DataError: without a positive row there is no recall.

    Example:
        >>> average_precision([0, 1, 0, 1], [0.1, 0.9, 0.3, 0.4])
        1.0
    """
    p = number_column(y_pred, "y_pred")
    positive = is_positive(y_true, positive_label)
    check_rows({"y_true": len(positive), "y_pred": len(p)})
    if not positive.any():
        raise DataError(
            f"Average precision needs at least one row with the label {positive_label!r}; "
            "add rows or check positive_label."
        )
    rows, hits = rows_up_to(p, positive)
    precision = (hits[-1] - hits[:-1]) / (rows[-1] - rows[:-1])  # among rows of at least a score
    return float(np.diff(hits) @ precision / hits[-1])
