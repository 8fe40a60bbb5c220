"""Every method as an estimator, own losses, weights, several classes, fairness scores."""

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score

from frem_core import FairClassifier, FairRegressor, FREMClassifier, FREMRegressor
from frem_core.errors import ConfigError, DataError
from frem_core.methods import available_methods, get_method
from frem_core.metrics import geo, hgr, scale_sensitive
from tests.estimators.fair_models import NUMBERS, THREE, X, age, fair, y
from tests.estimators.people import QUICK


class TestMethods:
    @pytest.mark.parametrize("method", available_methods())
    def test_every_method_is_an_estimator(self, method, tmp_path):
        model = fair(method, epochs=2)
        assert model.predictor_.model.method == get_method(method)()
        model.save(tmp_path)
        again = FairClassifier.load(tmp_path)
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        again.fit(X, y, sensitive_features=age)
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))

    def test_frem_by_name_is_the_frem_form(self):
        form = FREMClassifier(**QUICK, gamma=0.1, random_state=0).fit(X, y, sensitive_features=age)
        for method, settings in (("frem", {"gamma": 0.1}), (get_method("frem")(gamma=0.1), None)):
            model = fair(method, method_settings=settings)
            np.testing.assert_array_equal(model.predict_proba(X), form.predict_proba(X))
        assert fair("frem", method_settings={"gamma": "auto"}).gamma_choice_ is not None

    def test_wrong_names_are_refused_at_fit(self):
        with pytest.raises(ConfigError, match="Did you mean 'frem'"):
            fair("frm")
        with pytest.raises(ConfigError, match="MMD has no setting 'gamma'"):
            fair("mmd", method_settings={"gamma": 0.1})

    def test_the_frem_form_reads_frem_only(self, tmp_path):
        fair("mmd", epochs=1).save(tmp_path)
        with pytest.raises(DataError, match="reads classification models of FREM"):
            FREMClassifier.load(tmp_path)


class TestLossAndWeights:
    def test_an_own_loss_that_is_the_usual_one_changes_nothing(self):
        def squared(p, target):
            return (p - target).square()

        settings = {**QUICK, "random_state": 0}
        target = X["skill"]
        usual, own = (
            FREMRegressor(**settings, loss=loss).fit(X, target, sensitive_features=age).predict(X)
            for loss in (None, squared)
        )
        np.testing.assert_allclose(own, usual, rtol=1e-6)

    def test_a_quantile_loss_predicts_that_quantile(self):
        def upper(p, target):
            error = target - p
            return torch.maximum(0.9 * error, -0.1 * error)

        model = FairRegressor(
            method="unfair", loss=upper, random_state=0, **{**QUICK, "epochs": 150}
        ).fit(NUMBERS[:, :1], NUMBERS[:, 1], sensitive_features=age)
        assert 0.8 < np.mean(NUMBERS[:, 1] < model.predict(NUMBERS[:, :1])) < 0.97

    def test_a_loss_of_the_wrong_shape_is_refused(self):
        with pytest.raises(ConfigError, match="one number per row"):
            fair(loss=lambda p, target: (p - target).square().mean())

    def test_rows_without_weight_do_not_count(self):
        weight = np.ones(len(X))
        weight[::3] = 0
        kept = weight > 0
        model = FREMClassifier(**QUICK, random_state=0)
        weighted = model.fit(X, y, sensitive_features=age, sample_weight=weight).predict_proba(X)
        without = model.fit(X[kept], y[kept], sensitive_features=age[kept]).predict_proba(X)
        np.testing.assert_array_equal(weighted, without)
        again = model.fit(X, y, sensitive_features=age, sample_weight=5 * weight).predict_proba(X)
        np.testing.assert_allclose(again, without, rtol=1e-5)

    def test_weight_moves_predictions_towards_the_rows_that_have_it(self):
        yes = (y == "yes").to_numpy()
        model = FREMClassifier(**QUICK, random_state=0)
        heavy = model.fit(X, y, sensitive_features=age, sample_weight=np.where(yes, 20, 1))
        assert heavy.predict_proba(X)[:, 1].mean() > fair().predict_proba(X)[:, 1].mean() + 0.1

    @pytest.mark.parametrize(
        ("weight", "words"), [(np.zeros(240), "zero in every row"), (-np.ones(240), "negative")]
    )
    def test_bad_weights_are_refused(self, weight, words):
        with pytest.raises(DataError, match=words):
            FREMClassifier(**QUICK).fit(X, y, sensitive_features=age, sample_weight=weight)


class TestSeveralClasses:
    @pytest.mark.parametrize("method", ["frem", "reg_hgr", "adv", "laftr"])
    def test_probabilities_of_all_classes(self, method, tmp_path):
        model = fair(method, THREE, epochs=120, fairness_weight=0.01)
        probability = model.predict_proba(X)
        assert model.classes_.tolist() == ["high", "low", "middle"]
        assert probability.shape == (len(X), 3)
        np.testing.assert_allclose(probability.sum(axis=1), 1)
        assert (model.predict(X) == model.classes_[probability.argmax(axis=1)]).all()
        assert accuracy_score(THREE, model.predict(X)) > 0.6
        model.save(tmp_path)
        loaded = FairClassifier.load(tmp_path)
        np.testing.assert_array_equal(loaded.predict_proba(X), probability)

    def test_two_classes_as_three_of_which_one_is_empty_give_like_predictions(self):
        labels = np.where(y == "yes", 1, 0)
        two = FairClassifier("unfair", random_state=0, **{**QUICK, "epochs": 200})
        three = FairClassifier("unfair", random_state=0, **{**QUICK, "epochs": 200})
        two.fit(X, labels, sensitive_features=age)
        for _ in range(200):
            three.partial_fit(X, labels, [0, 1, 2], sensitive_features=age)
        gap = np.abs(two.predict_proba(X)[:, 1] - three.predict_proba(X)[:, 1])
        assert gap.mean() < 0.05
        assert three.predict_proba(X)[:, 2].mean() < 0.02

    def test_scores_are_one_against_all_and_their_mean(self):
        model = fair("frem", THREE)
        table = model.score_fairness(X, THREE, age, by_class=True)
        s = scale_sensitive(age, model.sensitive_range_)
        by_hand = [hgr(None, column, sensitive_features=s) for column in model.predict_proba(X).T]
        np.testing.assert_allclose(table.loc["hgr", model.classes_], by_hand)
        assert model.score_fairness(X, THREE, age)["hgr"] == pytest.approx(np.mean(by_hand))
        assert "geo" not in table.index

    def test_more_weight_follows_age_less_in_every_class(self):
        late = np.select([age > 60, age > 35], ["old", "grown"], "young")
        loose, tight = (
            fair("frem", late, epochs=60, fairness_weight=weight) for weight in (0.0, 5.0)
        )
        before, after = (one.score_fairness(X, late, age)["hgr"] for one in (loose, tight))
        assert after < 0.8 * before

    def test_equal_opportunity_needs_two(self):
        with pytest.raises(ConfigError, match="needs two classes, not 3"):
            fair("frem", THREE, fairness="eo")


class TestFairnessScores:
    def test_values_outside_the_range_at_fit_are_clipped(self):
        inner = (age > 25) & (age < 70)
        model = FREMClassifier(**QUICK, random_state=0)
        model.fit(X[inner], y[inner], sensitive_features=age[inner])
        scores = model.score_fairness(X, y, age)
        p, s = model.predict_proba(X)[:, 1], scale_sensitive(age, model.sensitive_range_)
        assert s.min() == 0
        assert s.max() == 1
        assert scores["hgr"] == hgr(None, p, sensitive_features=s)
        positive = (y == "yes").astype(int)
        assert scores["geo"] == geo(positive, p, sensitive_features=s)
        assert scores["geo"] == pytest.approx(
            geo(positive, p, sensitive_features=age, sensitive_range=model.sensitive_range_)
        )

    def test_other_units_are_noticed(self):
        model = fair(epochs=1)
        with pytest.raises(DataError, match="same units"):
            model.score_fairness(X, y, age * 365)
        with pytest.raises(DataError, match="score_fairness needs sensitive_features"):
            model.score_fairness(X, y)
