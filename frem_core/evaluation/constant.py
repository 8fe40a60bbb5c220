"""The best constant prediction: what a model must beat to be of any use."""

import math
from dataclasses import dataclass

import numpy as np

from frem_core.evaluation.scores import available_scores, get_score
from frem_core.metrics.classes import suited
from frem_core.metrics.metric import Metric
from frem_core.types import Floats, Task

#: A model has to be better than the constant by this many standard errors.
STANDARD_ERRORS = 2.0


@dataclass(frozen=True)
class ConstantScore:
    """What the best constant reaches in one score, beside a model on the same rows.

    Attributes:
        value: the score of the constant that is best on these rows.
        error: standard error of the model's lead over it, row by row; NaN where unknown.
    """

    value: float
    error: float

    def is_beaten_by(self, score: float, metric: Metric) -> bool:
        """Whether a model's score is better than this by more than two standard errors."""
        lead = (score - self.value) * (1 if metric.higher_is_better else -1)
        return lead > (0.0 if math.isnan(self.error) else STANDARD_ERRORS * self.error)


def against_constant(y: Floats, p: Floats | None, task: Task) -> dict[str, ConstantScore]:
    """Puts the predictions of a model beside the best constant, score by score.

    The constant may know the rows it is judged on, so no constant can do better: R² is 0, accuracy
    the share of the more frequent label, the absolute error that of the median. No constant
    depends on the sensitive attribute, so all its fairness scores are 0.

    Both are judged on the same rows, so what makes a row hard for both cancels: the error is that
    of the difference. It comes from how each row moves the scores (`Metric.influence`).

    Args:
        y: labels 0 and 1, class numbers, or targets, (n,).
        p: predictions, (n,), or the probabilities of several classes, (n, C). None where they are
            not known any more: then the error is the constant's own, or that of a random ranking
            where a constant has none.
        task: ``"classification"`` or ``"regression"``.

    Example:
        >>> y = np.array([0.0, 0.0, 0.0, 1.0])
        >>> against_constant(y, np.full(4, 0.2), "classification")["accuracy"]
        ConstantScore(value=0.75, error=0.0)
    """
    found = {}
    if p is not None and p.ndim == 2:
        return _against_constant_classes(y, p)
    for metric in _metrics(y, task):
        constant = _best_constant(metric, y, task)
        error = math.nan
        if metric.influence is not None and len(y) > 1:
            own = metric.influence(y, constant)
            lead = own if p is None else metric.influence(y, p) - own
            if p is None and own.min() == own.max():
                lead = metric.influence(y, np.random.default_rng(0).random(len(y)))
            error = float(lead.std(ddof=1) / math.sqrt(len(y)))
        found[metric.name] = ConstantScore(metric(y, constant), error)
    return found


def _against_constant_classes(y: Floats, p: Floats) -> dict[str, ConstantScore]:
    """The constant says the shares of the classes, which is best in every score."""
    shares = np.bincount(y.astype(np.intp), minlength=p.shape[1]) / len(y)
    constant = np.tile(shares, (len(y), 1))
    found = {}
    for metric in map(get_score, available_scores("classification", "prediction")):
        score, error = suited(metric, p), math.nan
        if score.influence is not None and len(y) > 1:
            lead = score.influence(y, p) - score.influence(y, constant)
            error = float(lead.std(ddof=1) / math.sqrt(len(y)))
        found[metric.name] = ConstantScore(score(y, constant), error)
    return found


def _metrics(y: Floats, task: Task) -> list[Metric]:
    """The prediction scores that these rows define."""
    positives = int((y == 1).sum())
    return [
        metric
        for metric in map(get_score, available_scores(task, "prediction"))
        if positives >= metric.fewest_positives and len(y) - positives >= metric.fewest_negatives
    ]


def _best_constant(metric: Metric, y: Floats, task: Task) -> Floats:
    """The constant (n,) that is best in a score: a label, or one of the two usual middles."""
    values = [0.0, 1.0] if task == "classification" else [float(np.median(y)), float(y.mean())]
    candidates = [np.full(len(y), value) for value in values]
    best = max if metric.higher_is_better else min
    return best(candidates, key=lambda constant: metric(y, constant))
