"""AUC: how often a positive row is ranked above a negative one."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frem_core.errors import DataError
from frem_core.metrics.inputs import check_rows, is_positive, number_column
from frem_core.metrics.metric import define_metric
from frem_core.metrics.ranked import ranks, rows_up_to
from frem_core.types import Floats


def _influence(y: Floats, p: Floats) -> Floats:
    """Every row's share of won comparisons with the other class (DeLong and others, 1988)."""
    positive = y == 1
    n, positives = len(y), int(positive.sum())
    own, everyone = np.empty(n), ranks(p)
    own[positive], own[~positive] = ranks(p[positive]), ranks(p[~positive])
    others = np.where(positive, n - positives, positives)
    won = (everyone - own) / others  # of a negative row: comparisons it wins, which are lost
    share = np.where(positive, won, 1 - won)
    weight = np.where(positive, n / positives, n / (n - positives))
    return np.asarray((share - share[positive].mean()) * weight)


@define_metric(
    "auc",
    influence=_influence,
    label="Area under the ROC curve",
    symbol="AUC",
    formula="P( Ŷ of a positive row > Ŷ of a negative row ), ties count one half",
    help=(
        "How well the predictions rank positives above negatives, whatever the threshold; 0.5 is "
        "what any constant gives, also where one label is rare."
    ),
    tasks=("classification",),
    purpose="prediction",
    higher_is_better=True,
    fewest_positives=1,
    fewest_negatives=1,
)
def auc(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike | None = None,
    positive_label: Any = 1,
) -> float:
    """Area under the ROC curve, from ranks.

    It is the share of pairs of a positive and a negative row in which the positive one has the
    higher score; a tie counts one half, so that any constant gives 0.5.

    Args:
        y_true: binary labels, (n,).
        y_pred: scores that rise with the probability of the positive label, (n,).
        sensitive_features: ignored, so that all scores can be called alike.
        positive_label: the label that counts as positive.

    Returns:
        The area in [0, 1].

    Raises:
        DataError: only one label occurs, so there is nothing to compare.

    Example:
        >>> auc([0, 1, 0, 1], [0.1, 0.9, 0.4, 0.4])
        0.875
    """
    p = number_column(y_pred, "y_pred")
    positive = is_positive(y_true, positive_label)
    check_rows({"y_true": len(positive), "y_pred": len(p)})
    n, positives = len(p), int(positive.sum())
    if positives in (0, n):
        raise DataError(
            "The area under the ROC curve needs rows of both labels; add rows or check "
            "positive_label."
        )
    rows, hits = rows_up_to(p, positive)
    # Rows of one score share the mean of their ranks.
    ranks = float(np.diff(hits) @ (rows[:-1] + rows[1:] + 1)) / 2
    return (ranks - positives * (positives + 1) / 2) / (positives * (n - positives))
