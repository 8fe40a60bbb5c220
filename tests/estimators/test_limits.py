import numpy as np
import pytest
from sklearn.base import clone

from frem_core import FREMClassifier, FREMRegressor
from frem_core.errors import ConfigError
from frem_core.metrics import hgr


def rents(rows, seed):
    rng = np.random.default_rng(seed)
    income = rng.gamma(4, 9000, rows)
    X = np.c_[0.4 * income + rng.normal(0, 3000, rows), rng.normal(70, 20, rows)]
    return X, 200 + 7 * X[:, 1] + 0.02 * X[:, 0], income


def test_keeps_a_share_of_what_the_unfair_model_has():
    X, y, income = rents(1000, 0)
    quick = {"epochs": 40, "batch_size": 250, "hidden": (16, 8), "random_state": 0}
    model = clone(FREMRegressor(keep=0.5, **quick)).fit(X, y, sensitive_features=income)
    report = model.limit_report_
    assert model.fairness_weight_ == report.fairness_weight > 0
    assert report.value == pytest.approx(report.unfair / 2)
    assert report.reached
    assert "FREM" in report.sentence
    new, _, others = rents(3000, 1)
    unfair = FREMRegressor(fairness_weight=0.0, **quick).fit(X, y, sensitive_features=income)
    assert unfair.limit_report_ is None
    share = hgr(None, model.predict(new), sensitive_features=others) / hgr(
        None, unfair.predict(new), sensitive_features=others
    )
    assert 0.3 < share < 0.65


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"limit": {"hgr": 2}}, "below 1"),
        ({"limit": 0.2}, "scores with their values"),
        ({"limit": {}}, "scores with their values"),
        ({"limit": {"income:hgr": 0.2}}, "no sensitive attribute 'income'"),
        ({"keep": 50}, "below 1"),
        ({"keep": 0.5, "gamma": "auto"}, "give gamma a number"),
    ],
)
def test_a_bad_limit_says_what_is_allowed(settings, words):
    X, y, income = rents(80, 0)
    with pytest.raises(ConfigError, match=words):
        FREMClassifier(**settings).fit(X, y > np.median(y), sensitive_features=income)
