import json
import shutil

import numpy as np
import pandas as pd
import pytest

from frem_core import FREMClassifier, FREMRegressor
from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.errors import DataError
from frem_core.estimators import TablePredictor
from frem_core.methods import get_method
from frem_core.training import TrainingConfig, train
from tests.estimators.people import QUICK, people

X, y, age = people()


@pytest.fixture(scope="module")
def classifier():
    model = FREMClassifier(**QUICK, fairness_weight=0.3, sigma="median", random_state=5)
    return model.fit(X, y, sensitive_features=age)


@pytest.fixture
def folder(classifier, tmp_path):
    classifier.save(tmp_path / "model")
    return tmp_path / "model"


def test_a_folder_holds_no_code(folder):
    assert sorted(file.name for file in folder.iterdir()) == [
        "model.json",
        "model.safetensors",
        "table.json",
    ]
    for name in ("model.json", "table.json"):
        json.loads((folder / name).read_text())


def test_a_loaded_classifier_is_the_saved_one(classifier, folder):
    loaded = FREMClassifier.load(folder)
    np.testing.assert_array_equal(loaded.predict_proba(X), classifier.predict_proba(X))
    np.testing.assert_array_equal(loaded.transform(X), classifier.transform(X))
    assert loaded.predict(X).tolist() == classifier.predict(X).tolist()
    assert loaded.get_params() == classifier.get_params()
    assert loaded.n_features_in_ == classifier.n_features_in_
    assert loaded.feature_names_in_.tolist() == X.columns.tolist()
    assert loaded.sensitive_range_ == classifier.sensitive_range_
    pd.testing.assert_frame_equal(loaded.history_, classifier.history_, rtol=1e-12)
    loaded.fit(X, y, sensitive_features=age)
    np.testing.assert_array_equal(loaded.predict_proba(X), classifier.predict_proba(X))


@pytest.mark.parametrize("labels", [(0, 1), (False, True), (-1.0, 2.0), ("no", "yes")])
def test_labels_keep_their_type(labels, tmp_path):
    target = np.where(y == "yes", labels[1], labels[0])
    model = FREMClassifier(**QUICK, random_state=0).fit(X, target, sensitive_features=age)
    model.save(tmp_path)
    loaded = FREMClassifier.load(tmp_path)
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict(X).tolist() == model.predict(X).tolist()


def test_a_regressor_from_an_array_keeps_units_and_has_no_names(tmp_path):
    array = X[["years_of_work", "skill"]].to_numpy()
    model = FREMRegressor(**QUICK).fit(array, 100 * array[:, 1], sensitive_features=age)
    model.save(tmp_path / "new" / "folder")
    loaded = FREMRegressor.load(tmp_path / "new" / "folder")
    np.testing.assert_array_equal(loaded.predict(array), model.predict(array))
    assert not hasattr(loaded, "feature_names_in_")
    # The seed that was drawn is kept, so that the training can be repeated.
    assert loaded.random_state == model.predictor_.model.member.seed


def test_saving_again_replaces_the_model(classifier, folder):
    other = FREMClassifier(**QUICK, random_state=6).fit(X, y, sensitive_features=age)
    other.save(folder)
    loaded = FREMClassifier.load(folder)
    np.testing.assert_array_equal(loaded.predict_proba(X), other.predict_proba(X))


def test_an_unfitted_estimator_cannot_be_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        FREMClassifier().save(tmp_path)


def test_a_place_that_cannot_be_written_is_named(classifier, tmp_path):
    (tmp_path / "file").write_text("here already")
    with pytest.raises(DataError, match="choose another folder"):
        classifier.save(tmp_path / "file" / "model")


def test_every_flipped_byte_is_noticed(folder):
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-3] ^= 1
    weights.write_bytes(content)
    with pytest.raises(DataError, match=r"model\.safetensors was changed"):
        FREMClassifier.load(folder)


@pytest.mark.parametrize("name", ["model.json", "model.safetensors", "table.json"])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "noise"])
def test_damaged_folders_are_refused(folder, name, damage):
    file = folder / name
    content = file.read_bytes()
    file.unlink()
    if damage != "missing":
        file.write_bytes({"empty": b"", "cut": content[:-40], "noise": b"\x80\x02}q."}[damage])
    with pytest.raises(DataError, match="does not hold a saved model"):
        FREMClassifier.load(folder)


def _set(key, value):
    def change(table):
        table[key] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _set("format", 99),
        _set("columns", []),
        _set("columns", {"name": "x"}),
        _set("columns", [3]),
        _set("sensitive_scale", [0]),
        _set("target_scale", [float("nan"), 1]),
        _set("classes", None),
        _set("classes", {"dtype": "O", "values": ["a"]}),
        _set("classes", {"dtype": "M8[s]", "values": [0, 1]}),
        _set("classes", {"dtype": "no such type", "values": [0, 1]}),
        _set("checksums", {}),
        lambda table: table["columns"].pop(),
        lambda table: table["columns"][2].update(seen=[True]),
        lambda table: table["columns"][0].update(median="Infinity"),
        lambda table: table.pop("named_columns"),
    ],
)
def test_tampered_descriptions_are_refused(folder, change):
    file = folder / "table.json"
    table = json.loads(file.read_text())
    change(table)
    file.write_text(json.dumps(table))
    with pytest.raises(DataError, match=r"saved model|belong together"):
        FREMClassifier.load(folder)


def test_files_of_two_models_are_not_mixed(folder, tmp_path):
    other = FREMClassifier(**QUICK, random_state=1).fit(X, y, sensitive_features=age)
    other.save(tmp_path / "other")
    shutil.copy(tmp_path / "other" / "model.safetensors", folder)
    with pytest.raises(DataError, match="was changed after it was saved"):
        FREMClassifier.load(folder)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere.*table\.json is missing"):
        FREMClassifier.load(tmp_path / "nowhere")


def test_a_classifier_is_no_regressor(folder):
    with pytest.raises(DataError, match="holds a classification model trained with FREM"):
        FREMRegressor.load(folder)


def test_models_of_other_methods_predict_from_tables_too(tmp_path):
    adult = load_dataset("adult")
    data = prepare(adult, split_dataset(adult, test_size=0.98))
    config = TrainingConfig(epochs=2, hidden=(8,))
    (model,) = train(data.train, task=data.task, method=get_method("mmd")(), config=config)
    TablePredictor.of(data, model).save(tmp_path)
    with pytest.raises(DataError, match=r"trained with MMD.*TablePredictor"):
        FREMClassifier.load(tmp_path)
    loaded = TablePredictor.load(tmp_path)
    rows = adult.features.iloc[data.test.rows[:300]]
    expected = model.predict(data.test.x[:300])
    np.testing.assert_allclose(loaded.score(rows), expected, atol=1e-6)
    assert loaded.predict(rows).tolist() == np.where(expected > 0.5, ">50K", "<=50K").tolist()
    assert loaded.transform(rows.iloc[:0]).shape == (0, 8)
