"""A trained model under the evaluation, as the command line and the engine use it."""

import numpy as np
import pytest

from frem_core.datasets import PreparedData, load_dataset, prepare, split_dataset
from frem_core.evaluation import available_scores, evaluate, evaluate_split, probe_split
from frem_core.methods import get_method
from frem_core.training import TrainedModel, TrainingConfig, train


@pytest.fixture(scope="module")
def data() -> PreparedData:
    crime = load_dataset("crime")
    return prepare(crime, split_dataset(crime))


@pytest.fixture(scope="module")
def model(data: PreparedData) -> TrainedModel:
    config = TrainingConfig(epochs=10, batch_size=200)
    [trained] = train(data.train, task=data.task, method=get_method("unfair")(), config=config)
    return trained


def test_train_and_test_rows_are_scored(model: TrainedModel, data: PreparedData) -> None:
    scores = evaluate_split(model, data, gamma=0.1)
    assert list(scores) == ["train", "test"]
    for part in scores.values():
        assert sorted(part) == sorted(available_scores("regression"))
    test = data.test
    by_hand = evaluate(
        test.y,
        model.predict(test.x),
        model.transform(test.x),
        sensitive_features=test.s,
        task="regression",
        gamma=0.1,
    )
    assert scores["test"] == pytest.approx(by_hand)
    assert scores["test"]["mae"] < 0.15
    assert scores["test"]["hgr"] > 0.3


def test_an_unfair_model_leaks_openly(model: TrainedModel, data: PreparedData) -> None:
    probe = probe_split(model, data)
    assert probe.features is not None
    assert probe.features.best_r2 > 0.9
    assert 0.3 < probe.representation.best_r2 < probe.features.best_r2
    assert probe.warning is None


class Shrunken:
    """The same model behind a representation a thousand times smaller."""

    def __init__(self, model: TrainedModel) -> None:
        self.model = model

    def transform(self, x: np.ndarray) -> np.ndarray:
        return self.model.transform(x).astype(np.float64) / 1000

    def predict_from_representation(self, z: np.ndarray) -> np.ndarray:
        return self.model.predict_from_representation((1000 * z).astype(np.float32))


def test_shrinking_lowers_eipm_but_not_the_other_scores_and_is_warned_of(
    model: TrainedModel, data: PreparedData
) -> None:
    plain, shrunken = (
        evaluate_split(either, data, max_rows=200) for either in (model, Shrunken(model))
    )
    assert shrunken["test"]["eipm"] < 0.01 * plain["test"]["eipm"]
    for name in ("mae", "gdp", "hgr", "mutual_information"):
        assert shrunken["test"][name] == pytest.approx(plain["test"][name], rel=0.01, abs=1e-4)
    assert probe_split(Shrunken(model), data).warning is not None
