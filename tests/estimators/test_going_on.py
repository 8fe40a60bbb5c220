"""Going on with a training, and ending it early."""

import numpy as np
import pytest

from frem_core import FREMClassifier, FREMRegressor
from frem_core.errors import ConfigError, DataError
from frem_core.training import Callback
from tests.estimators.fair_models import X, age, fair, y
from tests.estimators.people import QUICK


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
