"""Pipelines, searches and cross-validation, with the sensitive attribute passed on."""

import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    train_test_split,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from frem_core import FREMClassifier, FREMRegressor, make_fairness_scorer, scale_sensitive
from frem_core.errors import ConfigError, DataError
from frem_core.metrics import gdp, geo, hgr, mutual_information
from tests.estimators.people import QUICK, people

X, y, age = people()
NUMBERS = X[["years_of_work", "skill"]]
AGE_RANGE = (18, 80)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def classifier(**settings):
    return FREMClassifier(**{**QUICK, "random_state": 0, **settings})


def routed(**settings):
    return classifier(**settings).set_fit_request(sensitive_features=True)


@pytest.mark.usefixtures("routing")
def test_pipeline_routes_the_sensitive_attribute_past_other_steps():
    pipeline = make_pipeline(StandardScaler(), routed())
    pipeline.fit(NUMBERS, y, sensitive_features=age)
    scaled = StandardScaler().fit_transform(NUMBERS)
    alone = classifier().fit(scaled, y, sensitive_features=age)
    np.testing.assert_array_equal(pipeline.predict_proba(NUMBERS), alone.predict_proba(scaled))
    np.testing.assert_array_equal(pipeline.transform(NUMBERS), alone.transform(scaled))


@pytest.mark.usefixtures("routing")
def test_as_a_step_it_hands_on_fair_representations():
    pipeline = make_pipeline(routed(), LogisticRegression())
    pipeline.fit(X, y, sensitive_features=age)
    z = pipeline[0].transform(X)
    assert pipeline[-1].n_features_in_ == z.shape[1] == 6
    np.testing.assert_array_equal(pipeline.predict(X), LogisticRegression().fit(z, y).predict(z))


def test_pipelines_work_without_routing_too():
    pipeline = make_pipeline(StandardScaler(), classifier())
    pipeline.fit(NUMBERS, y, fremclassifier__sensitive_features=age)
    assert pipeline.score(NUMBERS, y) > 0.5


@pytest.mark.usefixtures("routing")
def test_grid_search_with_a_fairness_score_beside_accuracy():
    fairness = make_scorer(
        gdp,
        greater_is_better=False,
        response_method="predict_proba",
        sensitive_range=AGE_RANGE,
    ).set_score_request(sensitive_features=True)
    search = GridSearchCV(
        routed(epochs=30),
        {"fairness_weight": [0.0, 5.0]},
        scoring={"accuracy": make_scorer(accuracy_score), "gdp": fairness},
        refit="gdp",
        cv=StratifiedKFold(3, shuffle=True, random_state=0),
    )
    search.fit(X, y, sensitive_features=age)
    results = pd.DataFrame(search.cv_results_).set_index("param_fairness_weight")
    assert search.best_params_ == {"fairness_weight": 5.0}
    assert results.loc[5.0, "mean_test_gdp"] > results.loc[0.0, "mean_test_gdp"]
    assert results.loc[0.0, "mean_test_accuracy"] > results.loc[5.0, "mean_test_accuracy"]
    # The winner is refitted on all rows, with all sensitive values.
    again = classifier(epochs=30, fairness_weight=5.0).fit(X, y, sensitive_features=age)
    np.testing.assert_array_equal(search.predict_proba(X), again.predict_proba(X))


def test_grid_search_without_routing():
    search = GridSearchCV(classifier(), {"gamma": [0.05, 0.1]}, cv=2)
    search.fit(X, y, sensitive_features=age)
    assert set(search.best_params_) == {"gamma"}


@pytest.mark.usefixtures("routing")
def test_cross_validation_cuts_the_sensitive_attribute_with_the_rows():
    folds = StratifiedKFold(2)
    scores = cross_val_score(routed(), X, y, cv=folds, params={"sensitive_features": age})
    by_hand = []
    for train, test in folds.split(X, y):
        fold = classifier().fit(X.iloc[train], y.iloc[train], sensitive_features=age.iloc[train])
        by_hand.append(fold.score(X.iloc[test], y.iloc[test]))
    np.testing.assert_array_equal(scores, by_hand)


@pytest.mark.usefixtures("routing")
def test_cross_validation_of_a_regressor_with_routed_scores():
    dependence = make_scorer(hgr, greater_is_better=False).set_score_request(
        sensitive_features=True
    )
    model = FREMRegressor(**QUICK, random_state=0).set_fit_request(sensitive_features=True)
    scores = cross_validate(
        model,
        X,
        NUMBERS["skill"],
        cv=2,
        scoring={"hgr": dependence, "r2": "r2"},
        params={"sensitive_features": age},
        error_score="raise",
    )
    assert (scores["test_hgr"] <= 0).all()
    assert np.isfinite(scores["test_r2"]).all()


def test_cross_validation_without_routing():
    predicted = cross_val_predict(classifier(), X, y, cv=2, params={"sensitive_features": age})
    assert set(predicted) <= {"no", "yes"}


@pytest.mark.usefixtures("routing")
def test_a_forgotten_request_is_an_error_and_not_an_unfair_model():
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sensitive_features"):
        cross_val_score(classifier(), X, y, params={"sensitive_features": age})
    with pytest.raises(DataError, match="needs sensitive_features"):
        make_pipeline(StandardScaler(), routed()).fit(NUMBERS, y)


def test_clone_forgets_the_fit_and_keeps_the_settings():
    fitted = classifier(gamma=0.2, hidden=(8,)).fit(X, y, sensitive_features=age)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "classes_")


def test_pandas_in_pandas_out():
    model = classifier().set_output(transform="pandas").fit(X, y, sensitive_features=age)
    z = model.transform(X)
    assert isinstance(z, pd.DataFrame)
    assert z.index.equals(X.index)
    assert z.columns.tolist() == [f"fremclassifier{k}" for k in range(6)]
    assert model.get_feature_names_out().tolist() == z.columns.tolist()
    np.testing.assert_array_equal(z, classifier().fit(X, y, sensitive_features=age).transform(X))


@pytest.mark.usefixtures("routing")
def test_with_a_column_transformer_in_front():
    columns = ColumnTransformer([("city", OneHotEncoder(), ["city"])], remainder="passthrough")
    pipeline = make_pipeline(columns, routed()).fit(X, y, sensitive_features=age)
    assert pipeline.predict(X).shape == (len(X),)


def test_pickle_keeps_predictions():
    model = classifier().fit(X, y, sensitive_features=age)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.get_params() == model.get_params()


class TestFairnessScorer:
    """A search over the fairness weight, on a frame with categories and missing values."""

    frame = X.assign(
        skill=X["skill"].where(X["skill"] > -1), city=X["city"].where(X["skill"] < 1.5)
    )
    grid: ClassVar = {"model__fairness_weight": [0.0, 5.0]}

    def pipeline(self, **settings):
        keep = FunctionTransformer(feature_names_out="one-to-one")
        return Pipeline([("keep", keep), ("model", routed(epochs=30, **settings))])

    @pytest.mark.usefixtures("routing")
    def test_in_a_pipeline_with_routing(self):
        search = GridSearchCV(self.pipeline(), self.grid, cv=3, scoring=make_fairness_scorer("hgr"))
        search.fit(self.frame, y, sensitive_features=age)
        assert search.best_params_ == {"model__fairness_weight": 5.0}
        assert -1 <= search.best_score_ <= 0

    def test_without_routing_by_the_index_of_the_rows(self):
        scorer = make_fairness_scorer("gdp", sensitive_features=age)
        model = classifier(epochs=30)
        search = GridSearchCV(model, {"fairness_weight": [0.0, 5.0]}, cv=2, scoring=scorer)
        search.fit(self.frame, y, sensitive_features=age)
        assert search.best_params_ == {"fairness_weight": 5.0}
        fold = self.frame.iloc[:50]
        expected = gdp(
            None,
            search.predict_proba(fold)[:, 1],
            sensitive_features=scale_sensitive(age.loc[fold.index]),
        )
        assert scorer(search, fold, y.loc[fold.index]) == pytest.approx(-expected)

    def test_what_is_no_fairness_score_is_refused(self):
        with pytest.raises(ConfigError, match="does not measure the fairness"):
            make_fairness_scorer("accuracy")
        with pytest.raises(DataError, match="each row once"):
            make_fairness_scorer("hgr", sensitive_features=age.to_numpy())
        scorer = make_fairness_scorer("hgr", sensitive_features=age.iloc[:10])
        with pytest.raises(DataError, match="not found in sensitive_features"):
            scorer(classifier(epochs=1).fit(X, y, sensitive_features=age), X, y)

    def test_the_documented_range_works_on_every_split(self):
        for seed in range(10):
            train, test = train_test_split(np.arange(len(X)), random_state=seed)
            model = classifier(epochs=1, random_state=seed)
            model.fit(X.iloc[train], y.iloc[train], sensitive_features=age.iloc[train])
            p = model.predict_proba(X.iloc[test])[:, 1]
            labels = (y.iloc[test] == "yes").astype(int)
            scores = model.score_fairness(X.iloc[test], y.iloc[test], age.iloc[test])
            for score in (gdp, geo, hgr, mutual_information):
                found = score(
                    labels,
                    p,
                    sensitive_features=age.iloc[test],
                    sensitive_range=model.sensitive_range_,
                )
                assert found == pytest.approx(scores[score.__name__], abs=1e-9)
