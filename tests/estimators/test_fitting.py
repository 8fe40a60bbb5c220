import inspect

import numpy as np
import pytest

from frem_core import FairClassifier, FairRegressor, FREMClassifier, FREMRegressor
from frem_core.datasets import fetch_crime, load_dataset, prepare, split_dataset
from frem_core.errors import ConfigError, DataError
from frem_core.methods.frem import Frem
from frem_core.metrics import hgr
from frem_core.training import Member, TrainingConfig, train
from tests.estimators.people import QUICK, people

X, y, age = people()
NUMBERS = X[["years_of_work", "skill"]].to_numpy()


def fitted(**settings):
    model = FREMClassifier(**{**QUICK, "random_state": 0, **settings})
    return model.fit(X, y, sensitive_features=age)


def test_defaults_are_those_declared_with_the_settings():
    declared = Frem.parameters() | TrainingConfig.parameters() | Member.parameters()
    for kind in (FREMClassifier, FREMRegressor, FairClassifier, FairRegressor):
        given = inspect.signature(kind).parameters
        assert given["random_state"].default is None
        for name in set(given) & set(declared):
            assert given[name].default == declared[name].default, name
    assert set(declared) - {"seed"} <= set(inspect.signature(FREMClassifier).parameters)


def test_it_is_the_model_that_the_training_loop_gives():
    dataset = load_dataset("crime")
    split = split_dataset(dataset, seed=0)
    data = prepare(dataset, split)
    settings = {"epochs": 3, "batch_size": 200}
    (model,) = train(
        data.train,
        task="regression",
        method=Frem(gamma=0.1),
        config=TrainingConfig(**settings),
        members=[Member(fairness_weight=0.5, seed=7)],
    )
    crime = fetch_crime()
    estimator = FREMRegressor(fairness_weight=0.5, gamma=0.1, random_state=7, **settings).fit(
        crime.data.iloc[split.train],
        crime.target.iloc[split.train],
        sensitive_features=crime.sensitive_features.iloc[split.train],
    )
    own_units = data.target_scale.inverse(model.predict(data.test.x))
    np.testing.assert_allclose(estimator.predict(crime.data.iloc[split.test]), own_units, atol=1e-6)
    np.testing.assert_allclose(
        estimator.transform(crime.data.iloc[split.test]), model.transform(data.test.x), atol=1e-5
    )
    assert estimator.history_.equals(model.history)


def test_a_larger_fairness_weight_follows_age_less():
    settings = {"epochs": 60, "random_state": 0}
    scores = [
        hgr(None, fitted(fairness_weight=weight, **settings).predict_proba(X)[:, 1],
            sensitive_features=age)
        for weight in (0.0, 3.0)
    ]  # fmt: skip
    assert scores[1] < 0.6 * scores[0]


@pytest.mark.parametrize(
    ("negative", "positive"),
    [("no", "yes"), (0, 1), (-1, 1), (False, True), (2.0, 7.0), ("b", "c")],
)
def test_any_two_labels_are_learned_alike(negative, positive):
    labels = np.where(y == "yes", positive, negative)
    model = FREMClassifier(**QUICK, random_state=0).fit(X, labels, sensitive_features=age)
    assert model.classes_.tolist() == [negative, positive]
    assert model.classes_.dtype == labels.dtype
    probability = model.predict_proba(X)
    np.testing.assert_allclose(probability, fitted().predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    assert (model.predict(X) == np.where(probability[:, 1] > 0.5, positive, negative)).all()
    assert model.score(X, labels) == np.mean(model.predict(X) == labels)


def test_predictions_of_numbers_come_in_their_own_units():
    target = NUMBERS[:, 1]
    model = FREMRegressor(**QUICK, random_state=0)
    plain = model.fit(X, target, sensitive_features=age).predict(X)
    dear = model.fit(X, 1000 * target + 5000, sensitive_features=age / 100).predict(X)
    np.testing.assert_allclose(dear, 1000 * plain + 5000, rtol=1e-6)
    assert target.min() <= plain.min() < plain.max() <= target.max()


def test_a_constant_target_is_predicted_as_it_is():
    model = FREMRegressor(**QUICK, random_state=0)
    model.fit(X, np.full(len(X), 3.0), sensitive_features=age)
    assert (model.predict(X) == 3.0).all()


def test_a_row_gets_the_same_prediction_alone_and_in_company():
    model = fitted()
    alone = np.concatenate([model.predict_proba(X.iloc[[row]]) for row in range(10)])
    np.testing.assert_allclose(alone, model.predict_proba(X)[:10], rtol=1e-12)


def test_history_has_one_row_per_epoch():
    model = fitted(epochs=5)
    assert model.n_iter_ == 5
    assert model.history_["epoch"].tolist() == [1, 2, 3, 4, 5]
    assert {"task_loss", "penalty"} <= set(model.history_)
    assert model.sensitive_range_ == (age.min(), age.max())
    assert model.gamma_ == 0.05


def test_the_same_seed_repeats_and_others_differ():
    def weights(random_state):
        return fitted(random_state=random_state).predict_proba(X)

    assert (weights(3) == weights(np.int64(3))).all()
    assert (weights(np.random.RandomState(1)) == weights(np.random.RandomState(1))).all()
    assert (weights(3) != weights(4)).any()
    drawing = np.random.RandomState(1)
    assert (weights(drawing) != weights(drawing)).any()
    assert (weights(None) != weights(None)).any()


def test_inputs_are_left_untouched():
    before = X.copy(), y.copy(), age.copy()
    fitted().predict(X)
    for now, then in zip((X, y, age), before, strict=True):
        assert now.equals(then)


def test_gamma_can_be_chosen_on_held_out_rows():
    model = fitted(gamma="auto")
    table = model.gamma_choice_
    assert table["gamma"].tolist() == [0.02, 0.05, 0.1]
    assert model.gamma_ == table.loc[table["criterion"].idxmin(), "gamma"]
    assert model.predictor_.model.method.gamma == model.gamma_
    assert fitted().gamma_choice_ is None


def test_equal_opportunity_looks_at_the_positive_class_only():
    swapped = age.copy()
    negatives = (y == "no").to_numpy()
    inner = np.flatnonzero(negatives)
    swapped.iloc[inner] = age.iloc[inner[::-1]].to_numpy()
    model = FREMClassifier(**QUICK, fairness="eo", random_state=0)
    one = model.fit(X, y, sensitive_features=age).predict_proba(X)
    other = model.fit(X, y, sensitive_features=swapped).predict_proba(X)
    np.testing.assert_allclose(one, other, rtol=1e-12)
    assert (one != fitted(fairness="dp").predict_proba(X)).any()


def test_equal_opportunity_needs_classes():
    with pytest.raises(ConfigError, match="classification"):
        FREMRegressor(fairness="eo").fit(X, NUMBERS[:, 1], sensitive_features=age)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"gamma": -1}, "gamma = -1"),
        ({"gamma": "automatic"}, "gamma = 'automatic'"),
        ({"epochs": 0}, "epochs = 0"),
        ({"sensitive_kernel": "rbff"}, "Did you mean 'rbf'"),
        ({"fairness_weight": float("nan")}, "fairness_weight"),
        ({"hidden": ()}, "hidden"),
        ({"random_state": -1}, "seed = -1"),
    ],
)
def test_wrong_settings_are_refused_at_fit(settings, words):
    model = FREMClassifier(**settings)
    with pytest.raises(ConfigError, match=words):
        model.fit(X, y, sensitive_features=age)


def test_fit_without_sensitive_features_says_what_to_do():
    with pytest.raises(DataError, match=r"fit\(X, y, sensitive_features=age\).*set_fit_request"):
        FREMClassifier().fit(X, y)


@pytest.mark.parametrize(
    ("sensitive", "words"),
    [
        (np.ones(len(X)), "1 in every row"),
        (age.where(age > 20), "missing"),
        (np.ones((len(X), 2)), "same in every row"),
        (age[:-1], "same number of rows"),
        (X["city"], "numbers"),
        (3.0, "one number per row"),
    ],
)
def test_bad_sensitive_features_are_refused(sensitive, words):
    with pytest.raises(DataError, match=words):
        FREMClassifier(**QUICK).fit(X, y, sensitive_features=sensitive)


@pytest.mark.parametrize(
    "sensitive", [age.to_frame(), age.tolist(), age.astype("Int64"), age.to_numpy()[:, None]]
)
def test_sensitive_features_come_in_many_forms(sensitive):
    model = FREMClassifier(**QUICK, random_state=0).fit(X, y, sensitive_features=sensitive)
    assert (model.predict_proba(X) == fitted().predict_proba(X)).all()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (np.full(len(X), "yes"), "one class"),
        (np.linspace(0, 1, len(X)), "Unknown label type"),
    ],
)
def test_targets_without_two_classes_are_refused(target, words):
    with pytest.raises(ValueError, match=words):
        FREMClassifier(**QUICK).fit(X, target, sensitive_features=age)
