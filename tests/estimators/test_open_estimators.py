"""Own networks, losses, weights, several classes, going on with a training."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score
from torch import nn

from frem_core import FairClassifier, FairRegressor, FREMClassifier, FREMRegressor
from frem_core.errors import ConfigError, DataError
from frem_core.estimators import TablePredictor
from frem_core.methods import available_methods, get_method
from frem_core.metrics import geo, hgr, scale_sensitive
from frem_core.training import Callback
from tests.estimators.own_networks import (
    ColumnAttention,
    TextNetwork,
    image_network,
    with_dropout,
    with_normalisation,
)
from tests.estimators.people import QUICK, people
from tests.without_doubles import MovesThere

X, y, age = people()
NUMBERS = X[["years_of_work", "skill"]].to_numpy()
THREE = np.select([X["skill"] > 0.5, X["skill"] > -0.5], ["high", "middle"], "low")


def fair(method="frem", target=y, **settings):
    model = FairClassifier(method=method, **{**QUICK, "random_state": 0, **settings})
    return model.fit(X, target, sensitive_features=age)


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


class TestOwnNetwork:
    @pytest.mark.parametrize("method", ["frem", "mmd", "adv"])
    @pytest.mark.parametrize("make", [with_dropout, ColumnAttention, with_normalisation])
    def test_trained_saved_and_loaded(self, method, make, tmp_path):
        model = fair(method, encoder=make)
        again = fair(method, encoder=make)
        np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
        assert model.transform(X).shape == (len(X), model.predictor_.model.encoder._try(5))
        model.save(tmp_path)
        loaded = FairClassifier.load(tmp_path, encoder=make)
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        assert loaded.encoder is make

    def test_it_is_loaded_in_a_fresh_process(self, tmp_path):
        expected = []
        for method in ("frem", "mmd", "adv"):
            model = fair(method, encoder=with_dropout)
            model.save(tmp_path / method)
            expected.append(model.predict_proba(X)[:3, 1].tolist())
        X[:3].to_json(tmp_path / "rows.json", orient="split")
        program = f"""
import pandas as pd
from frem_core import FairClassifier
import tests.estimators.own_networks
X = pd.read_json({str(tmp_path / "rows.json")!r}, orient="split", precise_float=True)
print([FairClassifier.load({str(tmp_path)!r} + "/" + method).predict_proba(X)[:, 1].tolist()
       for method in ("frem", "mmd", "adv")])
"""
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        np.testing.assert_allclose(eval(ran.stdout), expected, rtol=1e-12)

    @pytest.mark.parametrize("method", ["frem", "mmd", "adv"])
    def test_images_and_texts_come_as_tensors(self, method, tmp_path):
        random = torch.Generator().manual_seed(0)
        label = torch.rand(200, generator=random) < 0.4
        s = np.linspace(18, 80, 200)
        pixels = torch.rand(200, 1, 8, 8, generator=random) - 0.5
        pixels[label, :, :4, :4] += 0.5  # a bright corner
        texts = torch.randint(8, 50, (200, 12), generator=random)
        texts[:, 6:] *= torch.rand(200, 1, generator=random) < 0.5  # a text that ends early
        texts[label, 0] = 7  # a word that tells; scaled to [0, 1] it would be none any more
        for rows, make in ((pixels, image_network), (texts, TextNetwork)):
            settings = {**QUICK, "epochs": 60, "learning_rate": 0.03, "fairness_weight": 0.01}
            model = FairClassifier(method, encoder=make, random_state=0, **settings)
            model.fit(rows, label.numpy(), sensitive_features=s)
            assert accuracy_score(label.numpy(), model.predict(rows)) > 0.9
            model.save(tmp_path / make.__name__)
            again = FairClassifier.load(tmp_path / make.__name__, encoder=make)
            np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))

    def test_a_folder_cannot_have_code_imported(self, tmp_path):
        fair(encoder=with_dropout).save(tmp_path)
        program = (
            "from frem_core import FairClassifier, FremError\n"
            f"try:\n    FairClassifier.load({str(tmp_path)!r})\n"
            "except FremError as error:\n    print(error)\n"
            "import sys; assert 'tests.estimators.own_networks' not in sys.modules"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        assert "import tests.estimators.own_networks before loading" in ran.stdout

    def test_a_lambda_has_to_be_given_again(self, tmp_path):
        def make(inputs):
            return nn.Linear(inputs, 3)

        model = fair(encoder=make)
        model.save(tmp_path)
        with pytest.raises(DataError, match="encoder="):
            FairClassifier.load(tmp_path)
        loaded = TablePredictor.load(tmp_path, encoder=make)
        np.testing.assert_array_equal(loaded.score(X), model.predict_proba(X)[:, 1])

    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (lambda inputs: 3, "returned int"),
            (lambda inputs: nn.Linear(inputs + 1, 3), "cannot read rows"),
            (lambda inputs: nn.Flatten(0), "must return one row of numbers for each"),
        ],
    )
    def test_what_is_no_encoder_is_refused(self, make, words):
        with pytest.raises(ConfigError, match=words):
            fair(encoder=make)

    def test_it_computes_in_single_precision_while_it_learns(self):
        seen = set()

        class Watched(nn.Linear):
            def forward(self, x):
                if self.training:
                    seen.add((x.dtype, x.device.type))
                return super().forward(x)

        fair(encoder=lambda inputs: Watched(inputs, 3))
        assert seen == {(torch.float32, "cpu")}

    @pytest.mark.parametrize("encoder", ["mlp", ColumnAttention])
    def test_a_device_without_double_precision_will_do(self, encoder, monkeypatch):
        expected = fair(encoder=encoder, early_stopping=True).predict_proba(X)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
        with MovesThere() as there:
            model = fair(encoder=encoder, early_stopping=True, device="mps")
        assert there.moved
        np.testing.assert_array_equal(model.predict_proba(X), expected)

    def test_a_device_that_is_not_there_is_named(self):
        with pytest.raises(ConfigError, match="device = 'tpu' is not available here; choose"):
            fair(device="tpu")
        np.testing.assert_array_equal(
            fair(device="auto" if not torch.cuda.is_available() else "cpu").predict_proba(X),
            fair().predict_proba(X),
        )


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


class TestGoingOn:
    def test_epochs_one_by_one_are_the_same_training(self):
        model = FREMClassifier(**{**QUICK, "epochs": 4}, random_state=0)
        step_by_step = FREMClassifier(**QUICK, random_state=0)
        for _ in range(4):
            step_by_step.partial_fit(X, y, sensitive_features=age)
        model.fit(X, y, sensitive_features=age)
        np.testing.assert_array_equal(step_by_step.predict_proba(X), model.predict_proba(X))
        assert step_by_step.history_["epoch"].tolist() == [1, 2, 3, 4]

    def test_later_rows_are_brought_onto_the_first_ones_ranges(self, tmp_path):
        first = age < 50
        model = FREMRegressor(**QUICK, random_state=0)
        model.partial_fit(X[first], X["skill"][first], sensitive_features=age[first])
        seen = model.sensitive_range_
        strange = X[~first].assign(city="a new place")
        model.partial_fit(strange, 10 * X["skill"][~first], sensitive_features=age[~first])
        assert model.sensitive_range_ == seen
        model.save(tmp_path)
        loaded = FREMRegressor.load(tmp_path)
        loaded.partial_fit(X, X["skill"], sensitive_features=age)
        assert loaded.n_iter_ == 3

    def test_a_label_nobody_announced_is_refused(self):
        model = FREMClassifier(**QUICK).partial_fit(X, y, sensitive_features=age)
        with pytest.raises(DataError, match="'perhaps'"):
            model.partial_fit(
                X[:5], ["no", "yes", "no", "perhaps", "no"], sensitive_features=age[:5]
            )

    def test_warm_start_goes_on_from_the_last_networks(self):
        model = FREMClassifier(**QUICK, random_state=0, warm_start=True)
        first = model.fit(X, y, sensitive_features=age).history_["task_loss"].iloc[-1]
        second = model.fit(X, y, sensitive_features=age).history_["task_loss"].iloc[0]
        cold = fair().history_["task_loss"].iloc[0]
        assert abs(second - first) < abs(cold - first) / 2
        model.set_params(hidden=(3,))
        with pytest.raises(ConfigError, match="cannot go on"):
            model.fit(X, y, sensitive_features=age)

    def test_early_stopping_keeps_the_best_epoch(self):
        noise = np.random.default_rng(0).permutation(y)
        settings = {**QUICK, "epochs": 400, "learning_rate": 0.03}
        model = FREMClassifier(
            **settings, early_stopping=True, patience=5, validation_fraction=0.3, random_state=0
        ).fit(X, noise, sensitive_features=age)
        assert model.n_iter_ < 200
        # Nothing can be learned from noise: the best epoch is an early one, near the base rate.
        p = model.predict_proba(X)[:, 1]
        assert np.abs(p - np.mean(noise == "yes")).mean() < 0.15

    def test_head_epochs_follow_after_an_early_end(self):
        model = fair(
            "laftr", epochs=200, early_stopping=True, patience=3,
            method_settings={"head_epochs": 4}, learning_rate=0.05,
        )  # fmt: skip
        phases = model.history_["phase"].value_counts()
        assert phases["joint"] < 200
        assert phases["head"] == 4

    def test_callbacks_watch(self):
        class Count(Callback):
            epochs = 0

            def on_epoch_end(self, stack, record):
                self.epochs += 1

        watcher = Count()
        fair(callbacks=[watcher])
        assert watcher.epochs == QUICK["epochs"]

    @pytest.mark.parametrize(
        ("settings", "words"),
        [({"patience": 0}, "patience = 0"), ({"validation_fraction": 0.001}, "larger share")],
    )
    def test_bad_settings_of_early_stopping_are_refused(self, settings, words):
        with pytest.raises(ConfigError, match=words):
            fair(early_stopping=True, **settings)


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
