"""All scores of one model on one set of rows."""

import logging
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frem_core.errors import ConfigError
from frem_core.evaluation.scores import EIPM_SCORE, available_scores, get_score
from frem_core.evaluation.subset import random_rows
from frem_core.metrics import representation_mutual_information
from frem_core.metrics.inputs import check_rows, is_positive, number_column, number_table
from frem_core.metrics.metric import Metric
from frem_core.types import Floats, Task

# Nearest-neighbour and kernel scores: about 2 s for 50 dimensions at this size. As they also
# depend on the number of rows, a common limit makes train and test scores comparable.
MAX_ROWS = 10_000

_logger = logging.getLogger(__name__)


def evaluate(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    z: ArrayLike | None = None,
    *,
    sensitive_features: ArrayLike,
    task: Task,
    gamma: float = 0.05,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    noise: str = "kept",
    positive_label: Any = 1,
    max_rows: int | None = MAX_ROWS,
    random_state: int = 0,
) -> dict[str, float]:
    """Computes all scores of the paper that are defined for the task.

    Classification: accuracy, average precision, ΔGDP, ΔGEO, ΔHGR, MI(Ŷ, S). Regression: MSE,
    MAE, ΔGDP, ΔHGR, MI(Ŷ, S). With a representation also MI(Z, S), mean and maximum over
    dimensions, and EIPM. What each means: :func:`frem_core.evaluation.get_score`.

    Args:
        y_true: labels or targets, (n,).
        y_pred: probabilities of the positive label, or predicted targets, (n,).
        z: representation, (n, m).
        sensitive_features: sensitive values in [0, 1], (n,).
        task: ``"classification"`` or ``"regression"``.
        gamma: bandwidth of EIPM on the sensitive attribute.
        sigma: scale of EIPM on the representation.
        sensitive_kernel: EIPM's kernel on the sensitive attribute.
        representation_kernel: EIPM's kernel on the representation.
        noise: ``"kept"``, EIPM as in the paper, or ``"removed"``: less what chance alone gives, so
            that it is about 0, and may fall below, where nothing depends on S.
        positive_label: the label that counts as positive.
        max_rows: MI and EIPM use a random subset of this size when there are more rows; None
            uses all.
        random_state: seed of that subset and of MI's tie-breaking.

    Returns:
        Scores by name. A score that the rows do not define, such as ΔGEO with fewer than three
        positive rows, is left out.

    Example:
        >>> s = np.linspace(0, 1, 50)
        >>> scores = evaluate(s, s, sensitive_features=s, task="regression")
        >>> scores["mae"], round(scores["gdp"], 3)
        (0.0, 0.073)
    """
    y, p, s = _checked(y_true, y_pred, sensitive_features, task, positive_label)
    rows = random_rows(len(s), max_rows, random_state)
    scores: dict[str, float] = {}
    for metric in map(get_score, available_scores(task)):
        if metric.measures == "predictions" and _is_defined(metric, y):
            some = rows if metric.slow_on_many_rows else slice(None)
            scores[metric.name] = metric(y[some], p[some], sensitive_features=s[some])
    if z is None:
        return scores
    table = number_table(z, "z")
    check_rows({"z": len(table), "sensitive_features": len(s)})
    information = representation_mutual_information(
        table[rows], sensitive_features=s[rows], random_state=random_state
    )
    scores["representation_mutual_information"] = information.mean
    scores["representation_mutual_information_max"] = information.max
    scores["eipm"] = EIPM_SCORE(
        table[rows],
        sensitive_features=s[rows],
        gamma=gamma,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        noise=noise,
    )
    return scores


def _checked(
    y_true: ArrayLike, y_pred: ArrayLike, sensitive: ArrayLike, task: Task, positive_label: Any
) -> tuple[Floats, Floats, Floats]:
    """Returns targets (labels as 0 and 1), predictions and sensitive values."""
    if task not in ("classification", "regression"):
        raise ConfigError(f"task={task!r} is not allowed; give 'classification' or 'regression'.")
    if task == "classification":
        y = is_positive(y_true, positive_label).astype(np.float64)
    else:
        y = number_column(y_true, "y_true")
    p = number_column(y_pred, "y_pred")
    s = number_column(sensitive, "sensitive_features")
    check_rows({"y_true": len(y), "y_pred": len(p), "sensitive_features": len(s)})
    return y, p, s


def _is_defined(metric: Metric, y: Floats) -> bool:
    positives = int((y == 1).sum())
    if positives < metric.fewest_positives:
        _logger.warning(
            "%s is left out: it needs %d positive rows, there are %d.",
            metric.label,
            metric.fewest_positives,
            positives,
        )
        return False
    return True
