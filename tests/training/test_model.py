import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frem_core.errors import DataError
from frem_core.methods import get_method
from frem_core.training import TrainedModel, grid, train
from tests.training.problems import CONFIG, small_part


@pytest.fixture(scope="module")
def model() -> TrainedModel:
    models = train(
        small_part(),
        task="classification",
        method=get_method("frem")(gamma=0.1, sigma=2.0),
        config=CONFIG,
        members=grid([0.5], [4, 5]),
        validation=small_part(20, seed=1),
    )
    return models[1]


def test_a_saved_model_comes_back_whole(model: TrainedModel, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    again = TrainedModel.load(tmp_path / "model")
    x = small_part(seed=2).x
    np.testing.assert_array_equal(again.predict(x), model.predict(x))
    np.testing.assert_array_equal(again.transform(x), model.transform(x))
    assert (again.method, again.config, again.member) == (model.method, model.config, model.member)
    pd.testing.assert_frame_equal(again.history, model.history, rtol=1e-12)


def test_a_foreign_or_damaged_folder_is_named(model: TrainedModel, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not hold a model"):
        TrainedModel.load(tmp_path)
    model.save(tmp_path)
    about = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps({**about, "inputs": 7}))
    with pytest.raises(DataError, match="does not hold a model"):
        TrainedModel.load(tmp_path)
    (tmp_path / "model.json").write_text(json.dumps({**about, "format": 99}))
    with pytest.raises(DataError, match="format 99"):
        TrainedModel.load(tmp_path)


def test_many_rows_are_encoded_in_blocks(
    model: TrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = small_part(50).x
    whole = model.transform(x), model.predict(x)
    monkeypatch.setattr("frem_core.training.model.ROWS_AT_ONCE", 7)
    np.testing.assert_allclose(model.transform(x), whole[0], atol=1e-6)
    np.testing.assert_allclose(model.predict(x), whole[1], atol=1e-6)


def test_outputs_have_the_promised_shapes(model: TrainedModel) -> None:
    x = small_part(9).x
    assert model.transform(x).shape == (9, 6)
    assert model.predict(x).shape == (9,)
    assert model.predict(x).dtype == np.float64
    assert model.transform(x[:0]).shape == (0, 6)
    assert model.predict(x[:0]).shape == (0,)
    with pytest.raises(DataError, match="trained on 5 features"):
        model.predict(x[:, :4])
