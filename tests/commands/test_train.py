import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem, main
from frem_core.console.method_command import MethodCommand
from frem_core.datasets import fetch_crime, load_dataset, prepare, split_dataset
from frem_core.errors import ConfigError, DataError
from frem_core.estimators import FREMRegressor, TablePredictor
from frem_core.evaluation import available_scores, evaluate_split, get_score
from frem_core.methods import available_methods, get_method
from frem_core.training import Member, TrainedModel, TrainingConfig, train
from tests.estimators.people import people

QUICK = ("--epochs", "2", "--permutations", "0")


def run(*arguments, **options):
    return CliRunner().invoke(frem, ["train", *map(str, arguments)], **options)


def as_json(*arguments):
    result = run(*arguments, "--json", catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def people_csv(tmp_path_factory):
    X, y, age = people(rows=200)
    file = tmp_path_factory.mktemp("tables") / "people.csv"
    pd.concat([X, y, age], axis=1).to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def file(people_csv):
    return ("--dataset", people_csv, "--target", "hired", "--sensitive", "age")


def test_a_table_that_a_sweep_takes_is_taken(tmp_path):
    X, y, age = people(rows=60)
    file = tmp_path / "sixty.csv"
    pd.concat([X, y, age], axis=1).to_csv(file, index=False)
    roles = ("--dataset", file, "--target", "hired", "--sensitive", "age")
    told = run(*roles, *QUICK, catch_exceptions=False)
    assert told.exit_code == 0
    assert "Leakage was not measured. There are 12 rows to score on" in told.stdout
    assert as_json(*roles, *QUICK)["leakage"] is None


def test_prints_plain_names_directions_and_the_leakage(file):
    result = run(
        *(*file, "--epochs", 2, "--permutations", 5),
        catch_exceptions=False,
        env={"COLUMNS": "140"},
    )
    assert result.exit_code == 0
    text = result.stdout
    for name in ("accuracy", "average_precision", "gdp", "geo", "hgr", "eipm"):
        assert get_score(name).label in text
    assert text.count("lower is fairer") == len(available_scores("classification", "fairness"))
    assert text.count("higher is better") == len(available_scores("classification", "prediction"))
    assert "best constant" in text
    assert "chance level" in text
    assert "Leakage: a fresh model explains" in text
    assert "160 train and 40 test rows" in text
    assert "Useful fairness weights for FREM here" in text


def test_a_file_called_adult_does_not_get_the_settings_of_adult(file, people_csv, tmp_path):
    namesake = tmp_path / "adult.csv"
    shutil.copy(people_csv, namesake)
    renamed = ("--dataset", namesake, *file[2:], *QUICK)
    assert as_json(*renamed)["config"] == as_json(*file, *QUICK)["config"]


def test_a_limit_is_checked_on_the_test_rows(file):
    facts = as_json(*file, "--method", "reg_gdp", "--keep", "gdp=40%", *QUICK)
    assert facts["limit"] == pytest.approx(0.4 * facts["unfair"])
    low, high = facts["interval"]
    assert low <= facts["scores"]["test"]["gdp"] <= high
    report = facts["limit_report"]
    assert facts["reached"] == (report["verdict"] != "not reached" and not report["collapsed"])
    assert facts["member"]["fairness_weight"] == report["fairness_weight"] > 0
    assert report["sentence"].startswith("Reg-GDP")


def test_each_attribute_has_its_limit(people_csv, tmp_path):
    table = pd.read_csv(people_csv)
    table["sex"] = np.random.default_rng(0).choice(["f", "m"], len(table))
    file = tmp_path / "people.csv"
    table.to_csv(file, index=False)
    facts = as_json(
        *("--dataset", file, "--target", "hired", "--sensitive", "age", "--sensitive", "sex"),
        *("--limit", "sex:gdp=0.05", "--keep", "age:60%", *QUICK),
    )
    report = facts["limit_report"]
    found = {one["attribute"]: one for one in (report, *report["others"])}
    assert set(found) == {"age", "sex"}
    assert found["sex"]["limit"] == 0.05
    assert found["sex"]["value"] == pytest.approx(facts["scores"]["test"]["gdp@sex"])
    assert found["age"]["value"] == pytest.approx(facts["scores"]["test"]["hgr"])
    assert facts["reached"] == all(one["reached"] for one in found.values())
    assert "along sex" in report["sentence"]
    assert "along age" in report["sentence"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--limit", "hgr"), "score=value"),
        (("--limit", "hgr=1.2"), "below 1"),
        (("--keep", "half"), "not a number or a percentage"),
        (("--keep", "50%", "--limit", "age:gpd=0.2"), "no limit for 'gpd'"),
        (("--keep", "50%", "--fairness-weight", "1"), "leave out --fairness-weight"),
        (("--keep", "50%", "--gamma", "auto"), "give --gamma a number"),
    ],
)
def test_a_bad_limit_says_what_is_allowed(file, options, words):
    result = run(*file, *options)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


def test_a_limit_on_an_attribute_that_is_not_there_says_which_are(file):
    result = run(*file, "--keep", "gender:50%")
    assert isinstance(result.exception, ConfigError)
    assert "no sensitive attribute 'gender' to limit; there is age" in str(result.exception)


def test_a_terminal_shows_progress_with_loss_and_penalty(file):
    terminal = {"FORCE_COLOR": "1", "COLUMNS": "140"}
    result = run(*file, *QUICK, "--json", env=terminal, catch_exceptions=False)
    assert "2/2" in result.stderr
    assert re.search(r"loss 0\.\d{4}  penalty 0\.\d{4}", result.stderr)
    json.loads(result.stdout)


def test_json_holds_what_the_library_gives():
    facts = as_json(
        *("--dataset", "crime", "--fairness-weight", 0.1, "--gamma", 0.1, "--seed", 3, *QUICK)
    )
    dataset = load_dataset("crime")
    data = prepare(dataset, split_dataset(dataset, seed=3))
    (model,) = train(
        data.train,
        task="regression",
        method=get_method("frem")(gamma=0.1),
        config=TrainingConfig(epochs=2, batch_size=200),  # the paper's batch size for crime
        members=[Member(fairness_weight=0.1, seed=3)],
    )
    assert facts["method"] == model.method.to_dict()
    assert facts["config"] == model.config.to_dict()
    assert facts["member"] == model.member.to_dict()
    assert facts["scores"] == evaluate_split(model, data)
    assert facts["split"] == {"kind": "random", "seed": 3}
    assert facts["chance_levels"] == {}
    assert facts["leakage"]["representation"]["linear_r2"] < 1
    assert facts["dataset"]["rows"] == {"train": len(data.train), "test": len(data.test)}


def test_chance_levels_lie_below_the_scores_of_an_unfair_model(file):
    facts = as_json(*file, "--method", "unfair", "--epochs", 40, "--permutations", 5)
    for name in ("gdp", "hgr", "eipm"):
        assert 0 <= facts["chance_levels"][name]["upper"] < facts["scores"]["test"][name]
    assert "accuracy" not in facts["chance_levels"]
    assert "fairness_weight" in facts["member"]


def test_split_seed_and_papers_split(file):
    one, other = (as_json(*file, *QUICK, "--split-seed", 5, "--seed", seed) for seed in (0, 1))
    assert one["split"] == other["split"] == {"kind": "random", "seed": 5}
    assert one["scores"]["test"]["eipm"] != other["scores"]["test"]["eipm"]
    paper = as_json("--dataset", "crime", "--method", "unfair", *QUICK, "--split", "paper_table")
    assert paper["dataset"]["rows"] == {"train": 1794, "test": 200}


def test_gamma_auto_shows_what_it_chose_by(file):
    table = (*file, *QUICK)
    facts = as_json(*table, "--gamma", "auto")
    choice = pd.DataFrame(facts["gamma_choice"])
    assert facts["method"]["gamma"] == choice.loc[choice["chosen"], "gamma"].item()
    text = run(*table, "--gamma", "auto", catch_exceptions=False).stdout
    assert "Choice of γ" in text
    assert text.count("chosen") == 1


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


def test_the_help_of_each_method_lists_its_settings():
    for name in available_methods():
        text = run("--method", name, "--help").stdout
        assert f"Method {get_method(name).title}" in text
        for setting in get_method(name).parameters():
            assert f"-{setting.replace('_', '-')} " in text
        assert ("--fairness-weight NUMBER" in text) == get_method(name).uses_fairness_weight
    assert "--batch-size" in text


def test_a_training_goes_on_from_its_checkpoints(file, tmp_path):
    table = (*file, "--permutations", "0", "--epochs", 3)
    whole = as_json(*table)
    kept = ("--checkpoints", tmp_path / "state")
    as_json(*table, *kept)
    assert as_json(*table, *kept)["scores"] == whole["scores"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--method", "fremm"), "Did you mean 'frem'?"),
        (("--gama", "1"), "--gamma"),
        (("--gamma", "0"), "must be a number from 0.001 up to 10 or 'auto'"),
        (("--cut", "mean"), "--cut is no setting of FREM; it belongs to --method laftr or mmd"),
        (("--method=unfair", "--fairness-weight", "1"), "Unfair has no fairness weight"),
        (("--epochs", "many"), "a whole number from 1"),
        (("--fairness", "equal"), "'dp' or 'eo'"),
        (("--split", "half"), "half"),
        (("--threads", "0"), "--threads"),
        ((), "Missing option '--dataset'"),
    ],
)
def test_wrong_options_are_explained(arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("--dataset", "crimes"), ConfigError, "Did you mean 'crime'?"),
        (("--dataset", "nowhere.csv", "--target", "a", "--sensitive", "b"), DataError, "nowhere"),
        (("--dataset", "people.csv"), ConfigError, "target and sensitive"),
        (("--dataset", "crime", "--target", "x"), ConfigError, "columns of 'crime' are fixed"),
        (("--dataset", "crime", "--fairness", "eo"), ConfigError, "classification"),
        (("--dataset", "gaussian_bivariate", "--split", "paper_table"), ConfigError, "partition"),
    ],
)
def test_wrong_data_is_explained(arguments, error, words):
    result = run(*arguments)
    assert isinstance(result.exception, error)
    assert words in str(result.exception)


def test_columns_of_a_file_are_chosen(people_csv):
    roles = ("--dataset", people_csv, "--target", "skill", "--sensitive", "age")
    facts = as_json(*roles, "--features", "years_of_work, city", *QUICK)
    assert facts["dataset"]["features"] == 4
    assert facts["dataset"]["task"] == "regression"
    result = run(*roles, "--features", "yearsofwork", *QUICK)
    assert "Did you mean 'years_of_work'?" in str(result.exception)


def test_users_see_the_message_of_an_error_and_exit_code_2(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["frem", "train", "--dataset", "crimes"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    message = capsys.readouterr().err
    assert message.startswith("Error: There is no built-in dataset 'crimes'")
    assert "Traceback" not in message


def test_options_are_looked_up_only_when_they_are_needed():
    code = (
        "import sys; from click.testing import CliRunner; from frem_core.commands import train, "
        "audit; assert 'torch' not in sys.modules and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert isinstance(frem.get_command(None, "train"), MethodCommand)


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
