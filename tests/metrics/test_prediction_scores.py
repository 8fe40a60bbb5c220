import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from frem_core.errors import DataError
from frem_core.metrics import (
    accuracy,
    auc,
    available_metrics,
    average_precision,
    balanced_accuracy,
    bootstrap,
    get_metric,
    mae,
    mse,
    r2,
    selection_rate,
)


def _rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    p = random.random(400).round(2)  # ties
    return (random.random(400) < p).astype(int), p


def test_equal_to_scikit_learn() -> None:
    y, p = _rows()
    assert accuracy(y, p) == pytest.approx(sklearn_metrics.accuracy_score(y, p > 0.5))
    assert average_precision(y, p) == pytest.approx(sklearn_metrics.average_precision_score(y, p))
    assert mse(y, p) == pytest.approx(sklearn_metrics.mean_squared_error(y, p))
    assert mae(y, p) == pytest.approx(sklearn_metrics.mean_absolute_error(y, p))
    assert auc(y, p) == pytest.approx(sklearn_metrics.roc_auc_score(y, p), abs=1e-12)
    assert balanced_accuracy(y, p) == pytest.approx(
        sklearn_metrics.balanced_accuracy_score(y, p > 0.5)
    )
    for other in (p, y * 3.0 + p, np.full(len(y), y.mean()), -2 * p):
        assert r2(y, other) == pytest.approx(sklearn_metrics.r2_score(y, other), abs=1e-12)
    assert r2([2, 2], [2, 2]) == sklearn_metrics.r2_score([2, 2], [2, 2]) == 1
    assert r2([2, 2], [2, 3]) == sklearn_metrics.r2_score([2, 2], [2, 3]) == 0
    assert selection_rate(None, p) == np.mean(p > 0.5)


def test_one_half_itself_counts_as_no() -> None:
    assert accuracy([0, 1], [0.5, 0.5]) == 0.5
    assert accuracy([0, 0], [0.5, 0.5]) == 1


@pytest.mark.parametrize("score", [accuracy, auc, average_precision, balanced_accuracy])
def test_the_positive_label_can_be_named(score) -> None:
    y, p = _rows()
    named = np.where(y == 1, ">50K", "<=50K")
    assert score(named, p, positive_label=">50K") == score(y, p)
    with pytest.raises(DataError, match="positive_label=1 is not among the labels"):
        score(named, p)


@pytest.mark.parametrize("score", [accuracy, average_precision])
def test_more_than_two_labels_are_refused(score) -> None:
    with pytest.raises(DataError, match="must be binary, but has 4 different values"):
        score([0, 1, 2, 3], [0.1, 0.2, 0.3, 0.4])


def test_logits_are_not_probabilities() -> None:
    with pytest.raises(DataError, match="probabilities between 0 and 1"):
        accuracy([0, 1, 1], [-2.0, 0.3, 4.0])


def test_average_precision_needs_a_positive_row() -> None:
    with pytest.raises(DataError, match="at least one row with the label 1"):
        average_precision([0, 0, 0], [0.1, 0.2, 0.3])


@pytest.mark.parametrize("score", [auc, balanced_accuracy])
def test_scores_of_both_labels_need_both(score) -> None:
    for label in (0, 1):
        with pytest.raises(DataError, match="needs rows of both labels"):
            score([label] * 3, [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    "name", [name for name in available_metrics() if get_metric(name).influence is not None]
)
@pytest.mark.parametrize("constant", [False, True])
def test_influence_of_rows_gives_the_spread_over_resamples(name: str, constant: bool) -> None:
    metric = get_metric(name)
    random = np.random.default_rng(1)
    p = random.random(600).round(2)
    y = (random.random(600) < 0.3 + 0.4 * p).astype(float)
    given = np.full(600, 0.2) if constant else p
    assert metric.influence is not None
    error = metric.influence(y, given).std() / np.sqrt(len(y))
    resampled = bootstrap(name, y, given, sensitive_features=p, n_resamples=300)
    assert error == pytest.approx(resampled.sd, rel=0.2, abs=1e-12)
