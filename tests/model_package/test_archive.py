"""Models as a zip or a folder: whole, readable anywhere, never executed."""

import io
import json
import runpy
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from frem_core.datasets import PreparedData
from frem_core.errors import DataError
from frem_core.estimators.features import readable_columns
from frem_core.methods import available_methods, get_method
from frem_core.model_package import (
    ModelCard,
    Score,
    load_model,
    pack_model,
    predict_table,
    save_model,
)
from tests.model_package.people import people, predictor, prepared

NASTY = "age | <script>alert(1)</script> *bold* `x`"


def _card(**changes: object) -> ModelCard:
    facts: dict[str, object] = {
        "title": "FREM: a model",
        "task": "classification",
        "dataset": "people.csv",
        "target": "paid",
        "sensitive": "age",
        "classes": ("nein", "ja"),
        "scores": (
            Score("hgr", "Strongest dependence (ΔHGR)", 0.21, 0.1, 0.3, 0.5, 0.08, "lower"),
            Score("accuracy", "Accuracy (Acc)", 0.8),
        ),
        "settings": {"epochs": 2},
        "versions": {"torch": "2"},
    }
    return ModelCard(**facts | changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> PreparedData:
    return prepared("paid", tmp_path_factory.mktemp("people"))


@pytest.fixture(scope="module")
def amounts(tmp_path_factory: pytest.TempPathFactory) -> PreparedData:
    return prepared("income", tmp_path_factory.mktemp("people"))


@pytest.mark.parametrize("method", available_methods())
def test_every_methods_model_predicts_the_same_after_the_journey(
    method: str, data: PreparedData, amounts: PreparedData, tmp_path: Path
) -> None:
    task = data if "classification" in _tasks(method) else amounts
    model = predictor(task, method)
    new = people(rows=30, seed=1)
    before = model.score(predict_ready(new, model))
    save_model(tmp_path / "model.zip", model, _card())
    save_model(tmp_path / "folder", model, _card())
    for place in ("model.zip", "folder"):
        answer = predict_table(load_model(tmp_path / place), new).frame
        np.testing.assert_allclose(answer[_number_column(answer)], before, rtol=0, atol=1e-12)


def _tasks(method: str) -> list[str]:
    try:
        get_method(method)().check_task("classification")
    except Exception:
        return ["regression"]
    return ["classification"]


def _number_column(answer: pd.DataFrame) -> str:
    return "probability" if "probability" in answer else "prediction"


def predict_ready(frame: pd.DataFrame, model: object) -> pd.DataFrame:
    """The same rows as pandas users would hand them over."""
    return frame.assign(
        joined=pd.to_datetime(frame["joined"]), member=(frame["member"] == "true").astype(int)
    )


def test_the_package_predicts_what_the_model_predicted_for_its_own_test_rows(
    data: PreparedData, tmp_path: Path
) -> None:
    model = predictor(data)
    save_model(tmp_path / "model.zip", model, _card())
    rows = people().iloc[data.test.rows].drop(columns=["age", "paid", "income"])  # S is not needed
    answer = predict_table(load_model(tmp_path / "model.zip"), rows)
    expected = model.model.predict(data.test.x)
    np.testing.assert_allclose(answer.frame["probability"], expected, rtol=0, atol=1e-6)
    labels = np.where(expected > 0.5, "ja", "nein")
    assert answer.frame["prediction"].tolist() == labels.tolist()
    (note,) = answer.notes
    assert note.startswith("Empty cells became the median of the training rows: hours (")


def test_the_script_in_the_package_predicts(
    data: PreparedData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = predictor(data)
    save_model(tmp_path / "model", model, _card())
    script = tmp_path / "model" / "predict.py"
    assert len(script.read_text(encoding="utf-8").splitlines()) == 10
    new = people(rows=12, seed=5)
    new.to_csv(tmp_path / "new.csv", index=False)
    monkeypatch.setattr(
        sys, "argv", ["predict.py", str(tmp_path / "new.csv"), str(tmp_path / "answer.csv")]
    )
    runpy.run_path(str(script), run_name="__main__")
    answer = pd.read_csv(tmp_path / "answer.csv")
    expected = model.score(predict_ready(new, model))
    np.testing.assert_allclose(answer["probability"], expected, rtol=0, atol=1e-9)


def test_the_same_model_is_the_same_zip(data: PreparedData) -> None:
    model = predictor(data)
    assert pack_model(model, _card()) == pack_model(model, _card())


def test_the_card_has_the_block_that_hubs_read_and_text_stays_text(
    data: PreparedData, tmp_path: Path
) -> None:
    card = _card(title=NASTY, sensitive=NASTY, dataset="a: b # c", data={"Name": NASTY})
    save_model(tmp_path / "model", predictor(data), card)
    text = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    _, block, body = text.split("---\n", 2)
    metadata = yaml.safe_load(block)
    assert metadata["library_name"] == "frem-studio"
    assert metadata["pipeline_tag"] == "tabular-classification"
    (entry,) = metadata["model-index"]
    assert entry["name"] == NASTY
    (result,) = entry["results"]
    assert result["dataset"]["name"] == "a: b # c"
    assert result["metrics"][0] == {
        "type": "hgr",
        "name": "Strongest dependence (ΔHGR)",
        "value": 0.21,
    }
    assert "<script>" not in body
    assert "0.1000 to 0.3000" in body
    for file in ("model.safetensors", "model.json", "table.json", "predict.py", "card.json"):
        assert file in body
    values = json.loads((tmp_path / "model" / "card.json").read_text(encoding="utf-8"))
    assert values["sensitive"] == NASTY


def test_what_is_no_model_is_refused_with_a_reason(data: PreparedData, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no model"):
        load_model(tmp_path / "nothing.zip")
    (tmp_path / "text.zip").write_text("no zip")
    with pytest.raises(DataError, match="neither a folder nor a zip"):
        load_model(tmp_path / "text.zip")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(DataError, match=r"model\.safetensors is missing"):
        load_model(tmp_path / "other.zip")
    whole = pack_model(predictor(data), _card())
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError):
        load_model(tmp_path / "cut.zip")
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        weights = archive.getinfo("model.safetensors")
    changed = bytearray(whole)
    changed[weights.header_offset + weights.compress_size // 2] ^= 0xFF
    (tmp_path / "changed.zip").write_bytes(changed)
    with pytest.raises(DataError):
        load_model(tmp_path / "changed.zip")


def test_names_in_a_zip_cannot_lead_outside(data: PreparedData, tmp_path: Path) -> None:
    save_model(tmp_path / "model.zip", predictor(data), _card())
    with (
        zipfile.ZipFile(tmp_path / "model.zip") as good,
        zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad,
    ):
        for one in good.infolist():
            bad.writestr(f"../{one.filename}", good.read(one))
    inside = tmp_path / "inside"
    inside.mkdir()
    load_model(tmp_path / "bad.zip")
    assert not (tmp_path / "model.safetensors").exists()


@pytest.mark.parametrize("target", ["paid", "income", "town"])
def test_onnx_gives_the_same_predictions(target: str, tmp_path: Path) -> None:
    import onnxruntime

    from frem_core.model_package.onnx_file import write_onnx

    model = predictor(prepared(target, tmp_path))
    write_onnx(model, tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "model.onnx"))
    new = predict_ready(people(rows=37, seed=3), model)
    given = model.encoding.transform(readable_columns(new, model.encoding))
    found, z = session.run(["prediction", "representation"], {"features": given})
    expected = model.score(new)
    np.testing.assert_allclose(
        found / np.abs(expected).max(), expected / np.abs(expected).max(), rtol=0, atol=1e-5
    )
    np.testing.assert_allclose(z, model.transform(new), rtol=0, atol=1e-5)
