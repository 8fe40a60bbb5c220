"""The model of a stored run: as it was trained, again, on all rows; and the commands around it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.errors import DataError, FremError
from frem_core.model_package import predict_table
from frem_core.model_package.of_run import has_model, run_model, train_model
from frem_core.store import Store
from frem_core.sweeps import load_predictions
from tests.finished_sweeps import add_crime, finish_next
from tests.model_package.people import people
from tools.trained_sweeps import train_sweep

TOML = """
name = "people"
seeds = [0]
[dataset]
path = "{path}"
target = "paid"
sensitive = "age"
leave_out = ["income"]
[training]
epochs = 3
hidden = [8, 8]
[[methods]]
method = "frem"
fairness_weights = [0.5]
[[methods]]
method = "unfair"
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, str]:
    folder = tmp_path_factory.mktemp("trained")
    people().to_csv(folder / "people.csv", index=False)
    store = Store(folder=folder / "home")
    return store, train_sweep(store, TOML.format(path=folder / "people.csv"))


def _run(trained: tuple[Store, str], method: str = "frem") -> str:
    store, sweep = trained
    runs = store.runs.frame(sweep)
    return str(runs.loc[runs["method"] == method, "id"].iloc[0])


def test_it_predicts_what_the_store_holds_and_its_card_says_how_sure_that_is(
    trained: tuple[Store, str],
) -> None:
    store, sweep = trained
    run = _run(trained)
    found = run_model(store, run[:12], sweep=sweep)
    kept = load_predictions(store, run)
    answer = predict_table(found.predictor, people().iloc[kept["row"]])
    np.testing.assert_allclose(answer.frame["probability"], kept["p"], rtol=0, atol=1e-6)
    card = found.card
    assert (card.target, card.sensitive, card.classes) == ("paid", "age", ("nein", "ja"))
    scores = {one.name: one for one in card.scores}
    assert scores["accuracy"].unfair is not None
    low, high = scores["accuracy"].low, scores["accuracy"].high
    assert low is not None
    assert high is not None
    # 48 test rows: the binomial error of a share near 0.6 is about 0.07.
    assert 0.1 < high - low < 0.4
    assert scores["hgr"].chance is not None
    assert any("0.5" in sentence for sentence in card.trade_off)


def test_trained_again_it_is_the_same_and_on_all_rows_it_is_not(
    trained: tuple[Store, str],
) -> None:
    store, sweep = trained
    run = _run(trained)
    before = run_model(store, run, sweep=sweep).predictor
    again = train_model(store, run, all_rows=False, sweep=sweep).predictor
    new = people(rows=25, seed=9)
    expected = predict_table(before, new).frame["probability"]
    np.testing.assert_allclose(
        predict_table(again, new).frame["probability"], expected, rtol=0, atol=1e-4
    )
    whole = train_model(store, run, all_rows=True, sweep=sweep)
    assert whole.card.on_all_rows
    assert "saw all rows" in whole.card.score_note
    assert whole.predictor.sensitive_scale.low == people()["age"].min()
    assert np.abs(predict_table(whole.predictor, new).frame["probability"] - expected).max() > 1e-6


def test_a_table_that_is_gone_does_not_take_the_model_along(
    trained: tuple[Store, str], tmp_path: Path
) -> None:
    store, _ = trained
    run = _run(trained)
    before = run_model(store, run).predictor
    tables = store.tables.folder if hasattr(store.tables, "folder") else store.folder / "tables"
    tables.rename(tmp_path / "away")
    try:
        found = run_model(store, run).predictor
        new = people(rows=5, seed=1)
        pd.testing.assert_frame_equal(
            predict_table(found, new).frame, predict_table(before, new).frame
        )
        with pytest.raises(FremError):
            train_model(store, run, all_rows=True)
    finally:
        (tmp_path / "away").rename(tables)


def test_runs_without_weights_say_so(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    add_crime(store)
    (run, *_) = finish_next(store, runs=1)
    assert not has_model(store, run)
    with pytest.raises(DataError, match="train it again"):
        run_model(store, run)
    waiting = store.runs.frame().query("state == 'queued'")["id"].iloc[0]
    with pytest.raises(DataError, match="queued"):
        run_model(store, waiting)


def test_from_a_run_to_predictions_by_command(
    trained: tuple[Store, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = trained
    monkeypatch.setenv("FREM_HOME", str(store.folder))
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    answer = runner.invoke(frem, ["model", _run(trained)[:10], "-o", "model.zip"])
    assert answer.exit_code == 0, answer.output
    new = people(rows=9, seed=4).assign(person=[f"p{n}" for n in range(9)])
    new.loc[0, "town"] = "Berlin"
    new.to_csv("new.csv", index=False)
    command = ["predict", "model.zip", "new.csv", "-o", "out.csv", "--keep", "person", "--json"]
    answer = runner.invoke(frem, command)
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)["unseen"] == {"town": {"Berlin": 1}}
    written = pd.read_csv("out.csv")
    assert written["person"].tolist() == new["person"].tolist()
    expected = predict_table(run_model(store, _run(trained)).predictor, new).frame
    np.testing.assert_allclose(written["probability"], expected["probability"], atol=1e-12)
    piped = runner.invoke(frem, ["predict", "model.zip", "new.csv"])
    assert piped.stdout.startswith("row,")  # the mark that Excel needs would be part of the name
    assert "1 row holds a 'town' that no training row had" in piped.stderr.replace("\n", " ")
    for arguments, words in (
        (["model.zip", "none.csv"], "There is no file"),
        (["none", "new.csv"], "no model"),
        (["model.zip", "new.csv", "-o", "out.txt"], "must end in"),
    ):
        answer = runner.invoke(frem, ["predict", *arguments])
        assert answer.exit_code != 0
        assert words in str(answer.exception) + answer.output
