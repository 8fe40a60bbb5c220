"""New rows: what is missing, unknown, reordered, re-typed or never seen is said."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frem_core.errors import DataError
from frem_core.estimators import FREMClassifier, TablePredictor
from frem_core.model_package import load_model, predict_table
from tests.model_package.people import people, predictor, prepared


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TablePredictor:
    return predictor(prepared("paid", tmp_path_factory.mktemp("people")))


@pytest.fixture
def new() -> pd.DataFrame:
    return people(rows=20, seed=2).drop(columns=["age", "paid", "income"])


def _probabilities(model: TablePredictor, table: object) -> np.ndarray:
    return predict_table(model, table).frame["probability"].to_numpy()  # type: ignore[arg-type]


def test_files_of_every_kind_give_the_same(
    model: TablePredictor, new: pd.DataFrame, tmp_path: Path
) -> None:
    expected = _probabilities(model, new)
    new.to_csv(tmp_path / "new.csv", index=False)
    new.to_csv(tmp_path / "new.tsv", index=False, sep="\t")
    new.to_csv(tmp_path / "german.csv", index=False, sep=";", decimal=",")
    new.to_excel(tmp_path / "new.xlsx", index=False)
    new.to_parquet(tmp_path / "new.parquet", index=False)
    for name in ("new.csv", "new.tsv", "german.csv", "new.xlsx", "new.parquet"):
        np.testing.assert_allclose(_probabilities(model, tmp_path / name), expected, atol=1e-12)


def test_order_and_further_columns_change_nothing_but_are_said(
    model: TablePredictor, new: pd.DataFrame
) -> None:
    expected = _probabilities(model, new)
    mixed = new[new.columns[::-1]].assign(name="somebody")
    answer = predict_table(model, mixed)
    np.testing.assert_array_equal(answer.frame["probability"], expected)
    assert "Passed over, because the model does not read them: name." in answer.notes
    assert any("another order" in note for note in answer.notes)
    kept = predict_table(model, mixed, keep=["name"])
    assert kept.frame.columns.tolist() == ["row", "name", "prediction", "probability"]
    assert not any("Passed over" in note for note in kept.notes)


def test_a_missing_column_is_named_with_the_likely_one(
    model: TablePredictor, new: pd.DataFrame
) -> None:
    with pytest.raises(DataError, match=r"lacks 1 of the 4 columns.*: hours.*Did you mean 'Hour'"):
        predict_table(model, new.rename(columns={"hours": "Hour"}))
    with pytest.raises(DataError, match="no column 'ident' to keep"):
        predict_table(model, new, keep=["ident"])


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("hours", "forty", r"'hours' held numbers.*1 cell.*'forty' in row 3"),
        ("joined", "soon", r"'joined' held dates.*'soon' in row 3"),
        ("member", "perhaps", r"'member' held true or false.*'perhaps' in row 3"),
    ],
)
def test_a_cell_of_another_kind_is_shown(
    column: str, value: str, words: str, model: TablePredictor, new: pd.DataFrame
) -> None:
    new[column] = new[column].astype(object)
    new.loc[2, column] = value
    with pytest.raises(DataError, match=words):
        predict_table(model, new)


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("joined", range(20), "'joined' held dates in training; here it holds numbers"),
        ("hours", ["2024-01-01"] * 20, "'hours' held numbers in training; here it holds dates"),
        ("hours", [True, False] * 10, "'hours' held numbers in training; here it holds true"),
        ("member", range(20), "'member' held true or false in training; here it holds numbers"),
        ("town", range(20), "'town' held text in training, such as Aachen.*numbers such as 0"),
    ],
)
def test_a_column_of_another_type_is_refused(
    column: str, values: object, words: str, model: TablePredictor, new: pd.DataFrame
) -> None:
    new[column] = list(values)  # type: ignore[call-overload]
    with pytest.raises(DataError, match=words):
        predict_table(model, new)


def test_true_and_false_may_be_written_in_any_way(model: TablePredictor, new: pd.DataFrame) -> None:
    expected = _probabilities(model, new)
    as_numbers = new.assign(member=(new["member"] == "true").astype(int))
    np.testing.assert_array_equal(_probabilities(model, as_numbers), expected)


def test_unseen_categories_and_empty_cells_are_counted(
    model: TablePredictor, new: pd.DataFrame
) -> None:
    new["town"] = ["Berlin"] * 3 + [None] * 2 + ["Bonn"] * 15
    new["hours"] = 30.0
    new.loc[[1, 4], "hours"] = np.nan
    answer = predict_table(model, new)
    assert answer.unseen == {"town": {"Berlin": 3, "(empty)": 2}}
    assert any(note.startswith("5 rows hold a 'town'") for note in answer.notes)
    assert any("hours (2)" in note for note in answer.notes)
    none_of_them = answer.frame["probability"].to_numpy()[0]
    assert none_of_them == pytest.approx(answer.frame["probability"].to_numpy()[2], abs=0.5)


def test_values_far_outside_the_training_range_are_counted(
    model: TablePredictor, new: pd.DataFrame
) -> None:
    new["hours"] = [5000.0, -300.0] + [30.0] * 18
    answer = predict_table(model, new)
    assert any("outside the range seen in training: hours (2)" in note for note in answer.notes)


def test_text_that_looks_like_numbers_or_truth_stays_a_category(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    frame = people().assign(answer=random.choice(["true", "false", "unknown"], 240))
    frame["grade"] = random.choice(["1", "2", "n/k"], 240)
    data_file = tmp_path / "train.csv"
    frame.to_csv(data_file, index=False)
    from frem_core.datasets import load_table, prepare, split_dataset

    dataset = load_table(data_file, target="paid", sensitive="age")
    trained = predictor(prepare(dataset, split_dataset(dataset)))
    only_truth = frame.head(10).assign(answer="true", grade="1")
    only_truth.to_csv(tmp_path / "new.csv", index=False)
    answer = predict_table(trained, tmp_path / "new.csv")
    assert answer.unseen == {}
    mixed = pd.concat([only_truth, frame.head(40).assign(answer="unknown", grade="n/k")])
    together = predict_table(trained, mixed).frame["probability"].to_numpy()[:10]
    np.testing.assert_allclose(answer.frame["probability"], together, rtol=0, atol=1e-12)


def test_no_rows_and_no_table_are_said(model: TablePredictor, new: pd.DataFrame) -> None:
    with pytest.raises(DataError, match="no rows"):
        predict_table(model, new.head(0))


def test_a_model_trained_without_names_takes_columns_as_they_stand(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    x, s = random.normal(size=(80, 3)), random.random(80)
    fitted = FREMClassifier(epochs=1).fit(x, (x[:, 0] > 0).astype(int), sensitive_features=s)
    fitted.save(tmp_path / "model")
    table = pd.DataFrame(x, columns=["a", "b", "c"])
    answer = predict_table(load_model(tmp_path / "model"), table)
    np.testing.assert_allclose(answer.frame["probability"], fitted.predict_proba(x)[:, 1])
    with pytest.raises(DataError, match="trained on 3 columns without names; the table has 2"):
        predict_table(load_model(tmp_path / "model"), table[["a", "b"]])
