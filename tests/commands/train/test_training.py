"""What `frem train` trains, measures and prints."""

import json
import re
import shutil

import pandas as pd

from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.evaluation import available_scores, evaluate_split, get_score
from frem_core.methods import get_method
from frem_core.training import Member, TrainingConfig, train
from tests.commands.train.command import QUICK, as_json, run
from tests.estimators.people import people


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


def test_columns_of_a_file_are_chosen(people_csv):
    roles = ("--dataset", people_csv, "--target", "skill", "--sensitive", "age")
    facts = as_json(*roles, "--features", "years_of_work, city", *QUICK)
    assert facts["dataset"]["features"] == 4
    assert facts["dataset"]["task"] == "regression"
    result = run(*roles, "--features", "yearsofwork", *QUICK)
    assert "Did you mean 'years_of_work'?" in str(result.exception)
