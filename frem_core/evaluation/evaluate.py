"""All scores of one model on one set of rows."""

import logging
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from frem_core.errors import ConfigError
from frem_core.evaluation.scores import EIPM_SCORE, available_scores, get_score
from frem_core.evaluation.subset import random_rows
from frem_core.metrics import representation_mutual_information
from frem_core.metrics.classes import has_form_for_classes, suited
from frem_core.metrics.inputs import check_rows, is_positive, number_column, number_table
from frem_core.metrics.metric import Metric
from frem_core.types import Floats, Task

# Nearest-neighbour and kernel scores: about a quarter of a second for 50 dimensions. As they also
# depend on the number of rows, a common limit makes train and test scores comparable.
MAX_ROWS = 10_000
# Few rows are fast anyway; below this mean squared distance (in σ²) float32 loses digits.
_MANY, _WIDE = 2_000, 0.2

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

    Classification: accuracy, AUC, average precision, balanced accuracy, selection rate, ΔGDP,
    ΔGEO, ΔHGR, MI(Ŷ, S). Regression: MSE, MAE, R², ΔGDP, ΔHGR, MI(Ŷ, S). With a representation
    also MI(Z, S), mean and maximum over dimensions, and EIPM. What each means:
    :func:`frem_core.evaluation.get_score`.

    Args:
        y_true: labels or targets, (n,).
        y_pred: probabilities of the positive label, or predicted targets, (n,). With more than two
            classes the probability of each, (n, classes): labels are then class numbers, and scores
            the means over each class against all others (`frem_core.metrics.classes`).
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
        if metric.measures == "predictions" and _is_defined(metric, y, p):
            some = rows if metric.slow_on_many_rows else slice(None)
            score = suited(metric, p)
            scores[metric.name] = score(y[some], p[some], sensitive_features=s[some])
    if z is None:
        return scores
    table = number_table(z, "z")
    check_rows({"z": len(table), "sensitive_features": len(s)})
    some_rows = table if len(rows) == len(table) else table[rows]
    information = representation_mutual_information(
        some_rows, sensitive_features=s[rows], random_state=random_state
    )
    scores["representation_mutual_information"] = information.mean
    scores["representation_mutual_information_max"] = information.max
    scores["eipm"] = EIPM_SCORE(
        some_rows if _needs_double(z, table, rows, sigma, noise) else _single(some_rows),
        sensitive_features=s[rows],
        gamma=gamma,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        noise=noise,
    )
    return scores


def _needs_double(
    z: ArrayLike, table: Floats, rows: NDArray[np.intp], sigma: float | str, noise: str
) -> bool:
    """Whether EIPM needs double precision, which takes twice as long.

    A model's representation has no more digits than single precision. Distances need them all
    where they are small beside σ, and so does a difference from chance.
    """
    if getattr(z, "dtype", None) != np.float32 or len(rows) < _MANY or noise != "kept":
        return True
    return not isinstance(sigma, str) and 2 * table.var(axis=0).sum() < _WIDE * float(sigma) ** 2


def _single(rows: Floats) -> Tensor:
    return torch.from_numpy(rows.astype(np.float32))


def _checked(
    y_true: ArrayLike, y_pred: ArrayLike, sensitive: ArrayLike, task: Task, positive_label: Any
) -> tuple[Floats, Floats, Floats]:
    """Returns targets (labels as 0 and 1), predictions and sensitive values."""
    if task not in ("classification", "regression"):
        raise ConfigError(f"task={task!r} is not allowed; give 'classification' or 'regression'.")
    several = task == "classification" and np.ndim(y_pred) == 2 and np.shape(y_pred)[1] > 2
    if task == "classification" and not several:
        y = is_positive(y_true, positive_label).astype(np.float64)
    else:
        y = number_column(y_true, "y_true")
    p = number_table(y_pred, "y_pred") if several else number_column(y_pred, "y_pred")
    s = number_column(sensitive, "sensitive_features")
    check_rows({"y_true": len(y), "y_pred": len(p), "sensitive_features": len(s)})
    return y, p, s


def _is_defined(metric: Metric, y: Floats, p: Floats) -> bool:
    if p.ndim == 2:
        return has_form_for_classes(metric)
    positives = int((y == 1).sum())
    for kind, fewest, found in (
        ("positive", metric.fewest_positives, positives),
        ("negative", metric.fewest_negatives, len(y) - positives),
    ):
        if found < fewest:
            _logger.warning(
                "%s is left out: it needs %d %s rows, there are %d.",
                metric.label,
                fewest,
                kind,
                found,
            )
            return False
    return True
