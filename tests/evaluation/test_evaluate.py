import logging

import numpy as np
import pytest

from frem_core.eipm import eipm
from frem_core.errors import ConfigError, DataError
from frem_core.evaluation import available_scores, evaluate, get_score
from frem_core.metrics import get_metric, representation_mutual_information

Rows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _rows(n: int = 200) -> Rows:
    """Labels, probabilities, representation and sensitive values that depend on each other."""
    random = np.random.default_rng(0)
    s = random.integers(0, 74, n) / 73
    z = random.normal(size=(n, 3)) + s[:, None]
    p = 1 / (1 + np.exp(-z.sum(axis=1)))
    return (random.random(n) < p).astype(int), p, z, s


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_gives_exactly_the_scores_of_the_task(task) -> None:
    y, p, z, s = _rows()
    scores = evaluate(y, p, z, sensitive_features=s, task=task)
    assert sorted(scores) == sorted(available_scores(task))
    assert all(type(value) is float and np.isfinite(value) for value in scores.values())


def test_tasks_differ_in_their_prediction_scores_only() -> None:
    only = set(available_scores("classification")) ^ set(available_scores("regression"))
    labels_only = {"accuracy", "auc", "average_precision", "balanced_accuracy", "selection_rate"}
    assert only == {*labels_only, "geo", "mse", "mae", "r2"}


def test_scores_are_those_of_the_metrics() -> None:
    y, p, z, s = _rows()
    scores = evaluate(y, p, z, sensitive_features=s, task="classification", gamma=0.1, sigma=2.0)
    for name in ("accuracy", "average_precision", "gdp", "geo", "hgr", "mutual_information"):
        assert scores[name] == get_metric(name)(y, p, sensitive_features=s)
    information = representation_mutual_information(z, sensitive_features=s)
    assert scores["representation_mutual_information"] == information.mean
    assert scores["representation_mutual_information_max"] == information.max
    assert scores["eipm"] == pytest.approx(eipm(z, s, gamma=0.1, sigma=2.0))


def test_kernels_reach_eipm() -> None:
    y, p, z, s = _rows()
    kernels = {"sensitive_kernel": "triangular", "representation_kernel": "triangular"}
    scores = evaluate(y, p, z, sensitive_features=s, task="regression", gamma=0.3, **kernels)
    assert scores["eipm"] == pytest.approx(eipm(z, s, gamma=0.3, **kernels))


def test_noise_can_be_removed_from_eipm() -> None:
    y, p, z, s = _rows()
    noisy, free = (
        evaluate(y, p, z, sensitive_features=s, task="regression", gamma=0.1, noise=noise)
        for noise in ("kept", "removed")
    )
    assert free.pop("eipm") == pytest.approx(eipm(z, s, gamma=0.1, noise="removed"))
    assert noisy.pop("eipm") == pytest.approx(eipm(z, s, gamma=0.1))
    assert free == noisy


def test_without_a_representation_there_are_no_scores_of_it() -> None:
    y, p, _, s = _rows()
    scores = evaluate(y, p, sensitive_features=s, task="regression")
    assert set(scores) >= {"mae", "mse", "gdp", "hgr", "mutual_information"}
    assert {get_score(name).measures for name in scores} == {"predictions"}


def test_prediction_quality_comes_first() -> None:
    y, p, z, s = _rows()
    first, second, *rest = evaluate(y, p, z, sensitive_features=s, task="classification")
    assert (first, second) == ("accuracy", "auc")
    assert rest[-1] == "eipm"


def test_large_data_use_a_subset_for_slow_scores_only() -> None:
    y, p, z, s = _rows(500)
    limited = evaluate(y, p, z, sensitive_features=s, task="classification", max_rows=100)
    full = evaluate(y, p, z, sensitive_features=s, task="classification", max_rows=None)
    for name in ("accuracy", "average_precision", "gdp", "geo", "hgr"):
        assert limited[name] == full[name]
    rows = np.sort(np.random.default_rng(0).choice(500, size=100, replace=False))
    assert limited["eipm"] == pytest.approx(eipm(z[rows], s[rows], gamma=0.05))
    assert limited["mutual_information"] == get_metric("mutual_information")(
        None, p[rows], sensitive_features=s[rows]
    )
    again = evaluate(y, p, z, sensitive_features=s, task="classification", max_rows=100)
    assert again == limited


def test_labels_of_any_kind() -> None:
    y, p, z, s = _rows()
    named = np.where(y == 1, "rich", "poor")
    assert evaluate(
        named, p, z, sensitive_features=s, task="classification", positive_label="rich"
    ) == evaluate(y, p, z, sensitive_features=s, task="classification")


def test_scores_the_rows_do_not_define_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    _, p, z, s = _rows()
    with caplog.at_level(logging.WARNING):
        scores = evaluate(np.zeros(200), p, z, sensitive_features=s, task="classification")
    assert "geo" not in scores
    assert "average_precision" not in scores
    assert "accuracy" in scores
    assert "Equal opportunity gap is left out" in caplog.text


def test_a_constant_model_has_finite_scores() -> None:
    y, _, z, s = _rows()
    scores = evaluate(
        y, np.full(200, 0.3), np.zeros_like(z), sensitive_features=s, task="classification"
    )
    fairness = [name for name in scores if get_score(name).purpose == "fairness"]
    assert [scores[name] for name in fairness] == pytest.approx([0] * len(fairness), abs=1e-6)


def test_unknown_tasks_are_refused() -> None:
    y, p, z, s = _rows()
    with pytest.raises(ConfigError, match="task='ranking'"):
        evaluate(y, p, z, sensitive_features=s, task="ranking")  # type: ignore[arg-type]


def test_rows_must_match() -> None:
    y, p, z, s = _rows()
    with pytest.raises(DataError, match="same number of rows"):
        evaluate(y, p[:-1], z, sensitive_features=s, task="classification")
    with pytest.raises(DataError, match="same number of rows: z has 199"):
        evaluate(y, p, z[:-1], sensitive_features=s, task="classification")


def test_numeric_targets_are_not_labels() -> None:
    _, p, z, s = _rows()
    with pytest.raises(DataError, match="must be binary"):
        evaluate(p, p, z, sensitive_features=s, task="classification")
