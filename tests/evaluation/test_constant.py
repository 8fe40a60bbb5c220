import math

import numpy as np
import pytest

from frem_core.evaluation import against_constant, get_score


def _labels(rows: int = 500, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    p = random.random(rows)
    return (random.random(rows) < p**2).astype(float), p


def test_no_constant_does_better() -> None:
    y, p = _labels()
    skewed = np.random.default_rng(2).lognormal(3, 1, 500)
    for task, target in (("classification", y), ("regression", skewed)):
        everything = np.linspace(target.min(), target.max(), 401)
        for name, best in against_constant(target, p, task).items():
            metric = get_score(name)
            tried = [metric(target, np.full(len(target), value)) for value in everything]
            reached = max(tried) if metric.higher_is_better else min(tried)
            assert best.value == pytest.approx(reached, rel=1e-2, abs=1e-3)
            assert (
                best.value >= reached - 1e-9
            ) == metric.higher_is_better or best.value == reached


def test_a_collapsed_model_does_not_beat_the_constant() -> None:
    y, p = _labels()
    for name, best in against_constant(y, np.full(len(y), 0.1), "classification").items():
        metric = get_score(name)
        assert best.error == 0
        assert not best.is_beaten_by(metric(y, np.full(len(y), 0.1)), metric)
    good = against_constant(y, p, "classification")
    assert all(
        one.is_beaten_by(get_score(name)(y, p), get_score(name)) for name, one in good.items()
    )


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_useless_models_seldom_count_as_better(task) -> None:
    """Predictions that have nothing to do with the target: about one in forty is so lucky."""
    lucky = {}
    for seed in range(200):
        y, _ = _labels(300, seed)
        random = np.random.default_rng([seed, 1])
        y = y if task == "classification" else y + random.normal(size=300)
        p = np.clip(y.mean() + 0.1 * random.normal(size=300), 0, 1)
        for name, best in against_constant(y, p, task).items():
            better = best.is_beaten_by(get_score(name)(y, p), get_score(name))
            lucky[name] = lucky.get(name, 0) + better
    assert all(times <= 16 for times in lucky.values()), lucky


def test_without_predictions_the_error_is_the_constant_s_own() -> None:
    y, _ = _labels()
    found = against_constant(y, None, "classification")
    share = y.mean()
    assert found["accuracy"].error == pytest.approx(math.sqrt(share * (1 - share) / 499))
    assert found["auc"].error > 0.01  # that of a random ranking
