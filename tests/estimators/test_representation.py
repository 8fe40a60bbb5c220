"""FREMRepresentation: keeps what features say, loses what they say about sensitive attributes."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from frem_core import FREMClassifier, FREMRepresentation, make_fairness_scorer
from frem_core.datasets import Part
from frem_core.eipm import eipm_attributes
from frem_core.errors import ConfigError, DataError
from frem_core.methods import get_method
from frem_core.training import Member, TrainingConfig
from frem_core.training.autoencoder import train_autoencoder

SMALL = {"hidden": (16, 6), "batch_size": 200, "epochs": 40, "random_state": 0}


def people(rows: int = 800) -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(0)
    S = pd.DataFrame({"age": rng.uniform(18, 80, rows), "sex": rng.choice(["f", "m"], rows)})
    skill = rng.normal(size=(rows, 3))
    X = pd.DataFrame(skill @ rng.normal(size=(3, 5)), columns=[f"x{i}" for i in range(5)])
    X["pension"] = S["age"] / 20 + rng.normal(size=rows) * 0.3
    X["club"] = np.where((S["sex"] == "f") == (rng.random(rows) < 0.85), "tea", "beer")
    return X, S


def test_it_removes_the_attributes_and_keeps_the_rest() -> None:
    X, S = people()
    tables, kept = [], []
    for weight in (0.0, 10.0):
        model = FREMRepresentation(fairness_weight=weight, **SMALL)
        z = model.fit_transform(X, sensitive_features=S)
        assert z.shape == (800, 6)
        table = eipm_attributes(z, S, gamma=[4.0], units="standardised", permutations=10)
        tables.append((table["eipm"] / table["chance"]).iloc[:3].to_numpy())
        kept.append(LinearRegression().fit(z, X["x0"]).score(z, X["x0"]))
    assert (tables[0] > 1.5).all()
    assert (tables[1] < 1.3).all()
    assert kept[1] > 0.9 * kept[0] > 0.8


def test_it_is_a_transformer_of_scikit_learn() -> None:
    X, S = people(200)
    model = FREMRepresentation(**{**SMALL, "epochs": 2})
    twin = clone(model).fit(X, sensitive_features=S["age"])
    again = model.fit(X, sensitive_features=S["age"])
    np.testing.assert_array_equal(again.transform(X), twin.transform(X))
    names = again.get_feature_names_out()
    assert (len(names), names[0]) == (6, "fremrepresentation0")
    assert again.history_["reconstruction_loss"].iloc[-1] == again.reconstruction_loss_
    pipe = make_pipeline(FREMRepresentation(**{**SMALL, "epochs": 2}), LinearRegression())
    pipe.fit(X, X["x0"], fremrepresentation__sensitive_features=S)
    assert pipe.predict(X).shape == (200,)


def test_it_is_saved_and_loaded(tmp_path) -> None:
    X, S = people(200)
    model = FREMRepresentation(**{**SMALL, "epochs": 2}, gamma=0.1).fit(X, sensitive_features=S)
    model.save(tmp_path)
    again = FREMRepresentation.load(tmp_path)
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    assert again.get_params() == model.get_params()
    assert again.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()
    pd.testing.assert_frame_equal(again.history_, model.history_)
    again.fit(X, sensitive_features=S)
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    with pytest.raises(DataError, match="does not hold a"):
        FREMClassifier.load(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(DataError, match="was changed after it was saved"):
        FREMRepresentation.load(tmp_path)
    with pytest.raises(DataError, match=r"table\.json is missing"):
        FREMRepresentation.load(tmp_path / "nowhere")


@pytest.mark.parametrize("several", [False, True])
def test_by_rank_it_does_not_see_the_unit_of_an_attribute(several: bool, tmp_path) -> None:
    X, S = people(200)
    X["pension"] = np.exp(S["age"] / 10)
    of_age = {"years": S["age"], "curved": np.exp(S["age"] / 10)}
    attributes = {
        name: S.assign(age=age) if several else age.rename("age") for name, age in of_age.items()
    }

    def fitted(unit: str, name: str) -> FREMRepresentation:
        settings = {**SMALL, "epochs": 2, "sensitive_units": unit}
        return FREMRepresentation(**settings).fit(X, sensitive_features=attributes[name])

    by_rank, by_value = ([fitted(unit, name) for name in of_age] for unit in ("rank", "value"))
    np.testing.assert_array_equal(*(one.transform(X) for one in by_rank))
    assert (by_value[0].transform(X) != by_value[1].transform(X)).any()
    by_rank[0].save(tmp_path)
    assert FREMRepresentation.load(tmp_path).get_params() == by_rank[0].get_params()
    with pytest.raises(ConfigError, match="sensitive_units"):
        FREMRepresentation(sensitive_units="percentile").fit(X, sensitive_features=S)


def test_a_model_with_a_target_is_no_representation_without_one(tmp_path) -> None:
    X, S = people(60)
    FREMClassifier(epochs=1, hidden=(3,)).fit(X, X["x0"] > 0, sensitive_features=S["age"]).save(
        tmp_path
    )
    with pytest.raises(DataError, match="no model without a target"):
        FREMRepresentation.load(tmp_path)


def test_a_search_over_its_weight_with_a_model_behind_it() -> None:
    X, S = people(300)
    y = np.where(X["pension"] > 2.5, "late", "early")
    with sklearn.config_context(enable_metadata_routing=True):
        first = FREMRepresentation(**{**SMALL, "epochs": 10})
        pipe = make_pipeline(first.set_fit_request(sensitive_features=True), LogisticRegression())
        search = GridSearchCV(
            pipe,
            {"fremrepresentation__fairness_weight": [0.0, 10.0]},
            scoring=make_fairness_scorer("gdp@age"),
            cv=2,
            error_score="raise",
        ).fit(X, y, sensitive_features=S)
    assert search.best_params_ == {"fremrepresentation__fairness_weight": 10.0}


def test_bad_input_is_explained() -> None:
    X, S = people(60)
    model = FREMRepresentation(**SMALL)
    with pytest.raises(DataError, match="needs sensitive_features"):
        model.fit(X)
    with pytest.raises(DataError, match="at least one continuous attribute"):
        model.fit(X, sensitive_features=S[["sex"]].assign(other=S["sex"]))
    with pytest.raises(DataError, match="'sex' is the same in every row"):
        model.fit(X, sensitive_features=S.assign(sex="f"))


def test_a_penalty_on_predictions_is_refused() -> None:
    part = Part(
        x=np.zeros((10, 2), np.float32), y=np.zeros(10), s=np.linspace(0, 1, 10), rows=np.arange(10)
    )
    with pytest.raises(ConfigError, match="without a target there are none"):
        train_autoencoder(
            part, method=get_method("reg_gdp")(), config=TrainingConfig(epochs=1), member=Member()
        )


def test_estimators_take_a_table_of_sensitive_features() -> None:
    X, S = people(300)
    y = (X["x0"] + S["age"] / 40 > 1).astype(int)
    model = FREMClassifier(epochs=2, hidden=(6, 3), random_state=0)
    both = model.fit(X, y, sensitive_features=S).predict_proba(X)
    one = clone(model).fit(X, y, sensitive_features=S["age"]).predict_proba(X)
    assert np.abs(both - one).max() > 1e-6  # the second attribute counts
    assert model.sensitive_range_ == (S["age"].min(), S["age"].max())
    turned = clone(model).fit(X, y, sensitive_features=S[["sex", "age"]]).predict_proba(X)
    np.testing.assert_allclose(turned, both, atol=1e-4)  # the order does not matter
    with pytest.raises(DataError, match="'sex' is the same in every row"):
        model.fit(X, y, sensitive_features=S.assign(sex="f"))
