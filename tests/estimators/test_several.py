"""Estimators with several sensitive attributes: fitting, scores, searches, going on, saving."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from frem_core import FairClassifier, FREMClassifier, FREMRegressor, make_fairness_scorer
from frem_core.errors import ConfigError, DataError
from frem_core.evaluation.several import gap_between
from frem_core.metrics import gdp, hgr, scale_sensitive
from tests.estimators.people import QUICK, people

X, y, age = people()
SEX = np.random.default_rng(1).choice(["f", "m"], len(X))
WHO = pd.DataFrame({"sex": SEX, "age": age}, index=X.index)
SETTINGS = {**QUICK, "epochs": 3, "random_state": 0}


def fitted(who=WHO, kind=FREMClassifier, target=y, **settings):
    return kind(**{**SETTINGS, **settings}).fit(X, target, sensitive_features=who)


class TestScores:
    def test_along_each_attribute_and_all_together(self):
        model = fitted()
        scores = model.score_fairness(X, y, WHO)
        p, s = model.predict_proba(X)[:, 1], scale_sensitive(age)
        assert scores["gdp"] == scores["gdp@age"] == gdp(None, p, sensitive_features=s)
        assert scores["hgr@age"] == scores["hgr"] == hgr(None, p, sensitive_features=s)
        assert scores["gdp@sex"] == pytest.approx(gap_between(p, (SEX == "m").astype(float)))
        assert scores["gdp@joint"] > 0
        assert "hgr@sex" not in scores.index  # not defined for a category
        assert "geo" in scores.index

    def test_order_and_kind_of_columns_do_not_matter(self):
        model = fitted()
        expected = model.score_fairness(X, y, WHO)
        for given in (WHO[["age", "sex"]], WHO.astype({"sex": "category"})):
            pd.testing.assert_series_equal(model.score_fairness(X, y, given), expected)

    def test_further_people_are_read_as_those_at_fit_were(self, tmp_path):
        some, others = train_test_split(np.arange(len(X)), random_state=0)
        men = others[SEX[others] == "m"]  # one level only, and still the second
        model = FREMClassifier(**SETTINGS).fit(
            X.iloc[some], y.iloc[some], sensitive_features=WHO.iloc[some]
        )
        scores = model.score_fairness(X.iloc[men], y.iloc[men], WHO.iloc[men])
        s = scale_sensitive(age.iloc[men], model.sensitive_range_)
        p = model.predict_proba(X.iloc[men])[:, 1]
        assert scores["gdp@age"] == gdp(None, p, sensitive_features=s)
        assert scores["gdp@sex"] == pytest.approx(0, abs=1e-12)
        model.save(tmp_path)
        again = FREMClassifier.load(tmp_path).score_fairness(X, y, WHO)
        pd.testing.assert_series_equal(again, model.score_fairness(X, y, WHO))

    def test_one_attribute_of_a_model_with_several_is_the_first_number(self):
        model = fitted()
        scores = model.score_fairness(X, y, age)
        both = model.score_fairness(X, y, WHO)
        pd.testing.assert_series_equal(scores, both[scores.index])

    def test_several_classes_have_means(self):
        three = np.select([X["skill"] > 0.5, X["skill"] > -0.5], ["high", "middle"], "low")
        model = fitted(target=three)
        table = model.score_fairness(X, three, WHO, by_class=True)
        assert table.columns.tolist() == ["mean", "high", "low", "middle"]
        np.testing.assert_allclose(table["mean"], table.iloc[:, 1:].mean(axis=1))
        by_hand = [gap_between(p, (SEX == "m").astype(float)) for p in model.predict_proba(X).T]
        np.testing.assert_allclose(table.loc["gdp@sex"].iloc[1:], by_hand)

    @pytest.mark.parametrize(
        ("who", "words"),
        [
            (WHO.rename(columns={"sex": "gender"}), "were sex, age and now are gender, age"),
            (WHO.assign(sex="x"), "has the category 'x', which it had in no row before"),
            (WHO.assign(sex=(SEX == "m") * 1.5), "'sex' was a category and now is a number"),
            (WHO.assign(age=age * 365), "same units"),
        ],
    )
    def test_other_attributes_are_refused(self, who, words):
        with pytest.raises(DataError, match=words):
            fitted(epochs=1).score_fairness(X, y, who)
        with pytest.raises(DataError, match="were s and now are"):
            fitted(age, epochs=1).score_fairness(X, y, WHO)


class TestFitting:
    def test_a_list_of_columns_is_a_frame(self):
        frame = fitted(WHO, FREMRegressor, X["skill"]).predict(X)
        columns = fitted([SEX, age.to_numpy()], FREMRegressor, X["skill"]).predict(X)
        np.testing.assert_array_equal(columns, frame)

    @pytest.mark.parametrize("method", ["frem", "hsic", "dcov", "reg_gdp", "reg_hgr"])
    def test_epochs_one_by_one_are_the_same_training(self, method, tmp_path):
        whole = fitted(kind=FairClassifier, method=method)
        steps = FairClassifier(method, **SETTINGS)
        for _ in range(3):
            steps.partial_fit(X, y, sensitive_features=WHO)
        np.testing.assert_array_equal(steps.predict_proba(X), whole.predict_proba(X))
        # Later rows may hold one level only, and columns in another order.
        men = SEX == "m"
        steps.partial_fit(X[men], y[men], sensitive_features=WHO.loc[men, ["age", "sex"]])
        with pytest.raises(DataError, match="were sex, age and now are s"):
            steps.partial_fit(X, y, sensitive_features=age)

    def test_a_limit_names_an_attribute_by_its_column(self):
        with pytest.raises(ConfigError, match="'sex' to limit; there is age"):
            fitted(age, FairClassifier, limit={"sex:gdp": 0.5})
        with pytest.raises(ConfigError, match="sex is a category, for which ΔHGR"):
            fitted(kind=FairClassifier, limit={"sex:hgr": 0.5})


class TestSearch:
    grid = {"model__fairness_weight": [0.0, 5.0]}  # noqa: RUF012
    frame = X.assign(
        skill=X["skill"].where(X["skill"] > -1), city=X["city"].where(X["skill"] < 1.5)
    )

    @pytest.mark.parametrize("score", ["hgr", "gdp@sex", "gdp@joint"])
    def test_in_a_pipeline_with_routing(self, score):
        with sklearn.config_context(enable_metadata_routing=True):
            model = FREMClassifier(**SETTINGS).set_fit_request(sensitive_features=True)
            keep = FunctionTransformer(feature_names_out="one-to-one")
            search = GridSearchCV(
                Pipeline([("keep", keep), ("model", model)]),
                self.grid,
                cv=2,
                scoring=make_fairness_scorer(score),
                error_score="raise",
            ).fit(self.frame, y, sensitive_features=WHO)
        assert -1 <= search.best_score_ <= 0

    def test_by_the_index_of_the_rows(self):
        model = fitted()
        scorer = make_fairness_scorer("gdp@sex", sensitive_features=WHO)
        assert scorer(model, X, y) == -model.score_fairness(X, y, WHO)["gdp@sex"]

    def test_a_score_that_is_not_there_is_named(self):
        scorer = make_fairness_scorer("hgr@sex", sensitive_features=WHO)
        with pytest.raises(DataError, match=r"'hgr@sex' is not defined here; there are .*gdp@sex"):
            scorer(fitted(epochs=1), X, y)
