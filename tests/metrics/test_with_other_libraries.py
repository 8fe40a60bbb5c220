"""The metrics inside fairlearn and scikit-learn, as users of these libraries would call them."""

from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import plot_model_comparison
from sklearn import config_context
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_validate

from frem_core.metrics import accuracy, available_metrics, gdp, geo, get_metric, hgr, mae

PREDICTION_METRICS = [
    metric for metric in map(get_metric, available_metrics()) if metric.measures == "predictions"
]


@pytest.fixture(autouse=True)
def _draw_without_a_screen() -> Iterator[None]:
    mpl.use("agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def _data(n: int = 150) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    random = np.random.default_rng(0)
    s = random.random(n)
    table = pd.DataFrame({"proxy": s + 0.3 * random.normal(size=n), "other": random.normal(size=n)})
    y = (table["proxy"] + table["other"] > 0.5).astype(int)
    return table, y, pd.Series(s, name="age")


@pytest.mark.parametrize("metric", PREDICTION_METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("as_described", [False, True], ids=["function", "description"])
def test_fairlearn_plots_it(metric, as_described: bool) -> None:
    X, y, s = _data()
    models = {c: LogisticRegression(C=c).fit(X, y).predict_proba(X)[:, 1] for c in (0.001, 1.0)}
    score = metric if as_described else metric.function
    axes = plot_model_comparison(
        y_preds=models,
        y_true=y,
        sensitive_features=s,
        x_axis_metric=score,
        y_axis_metric=accuracy,
        point_labels=True,
    )
    drawn = axes.collections[0].get_offsets()
    expected = [(metric(y, p, sensitive_features=s), accuracy(y, p)) for p in models.values()]
    assert np.asarray(drawn) == pytest.approx(np.asarray(expected))
    if as_described:
        assert axes.get_xlabel() == metric.name.replace("_", " ")


def test_scorers_get_routed_sensitive_features() -> None:
    X, y, s = _data()
    folds = KFold(3)
    with config_context(enable_metadata_routing=True):
        scoring = {
            name: make_scorer(
                metric, greater_is_better=False, response_method="predict_proba"
            ).set_score_request(sensitive_features=True)
            for name, metric in {"gdp": gdp, "geo": geo, "hgr": get_metric("hgr")}.items()
        }
        result = cross_validate(
            LogisticRegression(), X, y, cv=folds, scoring=scoring, params={"sensitive_features": s}
        )
    for fold, (train, test) in enumerate(folds.split(X)):
        p = LogisticRegression().fit(X.iloc[train], y[train]).predict_proba(X.iloc[test])[:, 1]
        for name, metric in {"gdp": gdp, "geo": geo, "hgr": hgr}.items():
            expected = metric(y[test], p, sensitive_features=s[test])
            assert -result[f"test_{name}"][fold] == pytest.approx(expected)


def test_a_grid_search_picks_the_fairest_model() -> None:
    X, y, s = _data()
    with config_context(enable_metadata_routing=True):
        fairest = make_scorer(
            gdp, greater_is_better=False, response_method="predict_proba"
        ).set_score_request(sensitive_features=True)
        search = GridSearchCV(LogisticRegression(), {"C": [1e-4, 10.0]}, scoring=fairest, cv=3).fit(
            X, y, sensitive_features=s
        )
    assert search.best_params_ == {"C": 1e-4}


def test_regression_scorers() -> None:
    X, y, s = _data()
    with config_context(enable_metadata_routing=True):
        scoring = {
            "hgr": make_scorer(hgr, greater_is_better=False).set_score_request(
                sensitive_features=True
            ),
            "mae": make_scorer(mae, greater_is_better=False).set_score_request(
                sensitive_features=False
            ),
        }
        result = cross_validate(
            LinearRegression(), X, y, cv=3, scoring=scoring, params={"sensitive_features": s}
        )
    assert (result["test_hgr"] < 0).all()
    assert (result["test_mae"] < 0).all()
