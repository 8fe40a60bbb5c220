"""What stays on disk: models, their cards, checkpoints."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import fetch_crime, load_dataset, prepare, split_dataset
from frem_core.errors import ConfigError
from frem_core.estimators import FREMRegressor, TablePredictor
from frem_core.methods import available_methods
from frem_core.training import TrainedModel
from tests.commands.train.command import QUICK, as_json, run
from tests.estimators.people import people


def test_a_saved_model_is_a_fitted_estimator(file, tmp_path):
    saved = tmp_path / "deep" / "model"
    facts = as_json("--dataset", "crime", "--fairness-weight", 0.1, *QUICK, "--save", saved)
    assert facts["saved"] == str(saved)
    crime = fetch_crime()
    estimator = FREMRegressor.load(saved)
    assert estimator.fairness_weight == 0.1
    predicted = estimator.predict(crime.data)
    dataset = load_dataset("crime")
    data = prepare(dataset, split_dataset(dataset, seed=0))
    assert facts["scores"]["test"]["mae"] == pytest.approx(
        np.abs(data.target_scale.transform(predicted[data.test.rows]) - data.test.y).mean()
    )
    np.testing.assert_allclose(
        TrainedModel.load(saved).predict(data.test.x), predicted[data.test.rows], atol=1e-6
    )
    # Saving there again is meant; saving among other files is not.
    as_json(*file, *QUICK, "--save", saved)
    (saved.parent / "notes.txt").write_text("mine")
    result = run("--dataset", "crime", *QUICK, "--save", saved.parent)
    assert isinstance(result.exception, ConfigError)
    assert "holds other files" in str(result.exception)


def test_the_card_of_a_saved_model_says_how_sure_its_scores_are(people_csv, tmp_path):
    table = pd.read_csv(people_csv)
    table.loc[:4, "age"] = np.nan
    table.to_csv(tmp_path / "people.csv", index=False)
    columns = ("--target", "hired", "--sensitive", "age", "--fairness-weight", 0.5)
    saved = tmp_path / "model"
    as_json("--dataset", tmp_path / "people.csv", *columns, *QUICK, "--save", saved)
    card = json.loads((saved / "card.json").read_text(encoding="utf-8"))
    scores = {score["name"]: score for score in card["scores"]}
    for name in ("accuracy", "gdp", "hgr"):
        assert scores[name]["low"] <= scores[name]["value"] <= scores[name]["high"]
    assert scores["gdp"]["low"] >= 0
    assert scores["eipm"]["low"] is None  # resampled rows would be their own neighbours
    assert "5 of 200 rows" in card["data"]["What was left out or converted"]
    assert len(card["hashes"]["Data (fingerprint)"]) == 64
    assert "Fairness weight (λ): 0.5." in card["trade_off"]


@pytest.mark.parametrize("method", sorted(set(available_methods()) - {"frem", "unfair"}))
def test_every_method_trains_and_saves(method, file, tmp_path):
    facts = as_json(*file, "--method", method, *QUICK, "--save", tmp_path / "model")
    assert facts["method"]["method"] == method
    X, y, _ = people(rows=200)
    predicted = TablePredictor.load(tmp_path / "model").predict(X)
    assert set(predicted) <= set(y)


def test_a_training_goes_on_from_its_checkpoints(file, tmp_path):
    table = (*file, "--permutations", "0", "--epochs", 3)
    whole = as_json(*table)
    kept = ("--checkpoints", tmp_path / "state")
    as_json(*table, *kept)
    assert as_json(*table, *kept)["scores"] == whole["scores"]


def test_ctrl_c_ends_a_real_process_cleanly(tmp_path):
    command = [sys.executable, "-m", "frem_core", "train", "--dataset", "crime"]
    command += ["--epochs", "100000", "--checkpoints", str(tmp_path), "--save"]
    process = subprocess.Popen(
        [*command, str(tmp_path / "model")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        # A test run in the background of a shell ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        checkpoint = tmp_path / "stack-0.safetensors"
        while not checkpoint.exists():  # the training is under way
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
                break
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=240)
    finally:
        process.kill()
    assert process.returncode == 130
    assert output == ""
    assert "Stopped. The same command goes on from the last checkpoint" in errors
    assert "Traceback" not in errors
    assert not (tmp_path / "model" / "table.json").exists()
