import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.datasets import fetch_crime, load_dataset
from frem_core.eipm import eipm
from frem_core.errors import ConfigError, DataError
from frem_core.estimators import FREMRegressor
from frem_core.evaluation import available_scores, get_score
from frem_core.metrics import gdp, geo, hgr, mutual_information

FEW = ("--permutations", "20")


def run(*arguments, **options):
    return CliRunner().invoke(frem, ["audit", *map(str, arguments)], **options)


def as_json(*arguments):
    result = run(*arguments, *FEW, "--json", catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """A table with a score that follows age, one that does not, and the truth."""
    random = np.random.default_rng(0)
    age = random.integers(18, 90, 400)
    frame = pd.DataFrame(
        {
            "age": age,
            "unfair": np.clip(age / 100 + random.normal(0, 0.1, 400), 0, 1),
            "fair": random.random(400),
            "hired": random.choice(["no", "yes"], 400),
        }
    )
    file = tmp_path_factory.mktemp("tables") / "scored.csv"
    frame.to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def unclear(scored):
    """A rule of which so few rows cannot tell whether it is kept."""
    facts = as_json("--dataset", scored, "--prediction", "unfair", "--sensitive", "age")
    ends = facts["scores"]["range"]
    return f"range<={(ends['low'] + ends['high']) / 2}"


def test_scores_of_a_column_are_those_of_the_library(scored):
    facts = as_json(
        *("--dataset", scored, "--prediction", "unfair", "--sensitive", "age", "--target", "hired")
    )
    frame = pd.read_csv(scored)
    s = (frame["age"] - 18) / (frame["age"].max() - 18)
    values = {name: score["value"] for name, score in facts["scores"].items()}
    arguments = {"y_pred": frame["unfair"], "sensitive_features": s}
    assert values["gdp"] == pytest.approx(gdp(None, **arguments))
    assert values["hgr"] == pytest.approx(hgr(None, **arguments))
    assert values["mutual_information"] == pytest.approx(mutual_information(None, **arguments))
    assert values["geo"] == pytest.approx(geo(frame["hired"] == "yes", **arguments))
    assert all(score["beyond_chance"] for score in facts["scores"].values())
    assert facts["eipm_test"]["p_value"] == pytest.approx(1 / 21)


def test_a_fair_score_is_no_more_than_chance(scored):
    facts = as_json("--dataset", scored, "--prediction", "fair", "--sensitive", "age")
    assert not any(score["beyond_chance"] for score in facts["scores"].values())
    assert facts["eipm_test"]["p_value"] > 0.05
    assert "geo" not in facts["scores"]


def test_eipm_without_noise_is_about_0_by_chance(scored):
    chosen = ("--dataset", scored, "--prediction", "fair", "--sensitive", "age")
    kept, free = (as_json(*chosen, "--eipm-noise", noise) for noise in ("kept", "removed"))
    frame = pd.read_csv(scored)
    s = (frame["age"] - 18) / (frame["age"].max() - 18)
    settings = {"gamma": 0.05, "sigma": "median", "noise": "removed"}
    assert free["eipm_test"].items() > settings.items()
    expected = eipm(frame["fair"], s, **settings)
    assert free["scores"]["eipm"]["value"] == pytest.approx(expected, abs=1e-6)
    assert abs(free["scores"]["eipm"]["mean"]) < 0.2 * kept["scores"]["eipm"]["mean"]
    assert kept == as_json(*chosen)
    told = run(*chosen, *FEW, "--eipm-noise", "removed").stdout
    assert "without the noise of small samples" in told


def test_the_recorded_outcome_is_judged_without_a_model():
    facts = as_json("--dataset", "crime")
    assert "recorded outcome 'ViolentCrimesPerPop'" in facts["subject"]
    assert facts["features"][0]["feature"] == "PctKids2Par"
    assert facts["scores"]["hgr"]["beyond_chance"]
    assert facts["rows"] == load_dataset("crime").n_rows


def test_a_saved_model_is_judged_in_units_of_its_target(tmp_path):
    crime = fetch_crime()
    frame = crime.data.assign(share=crime.sensitive_features, crimes=40 + 1000 * crime.target)
    frame.to_csv(tmp_path / "crime.csv", index=False)
    model = FREMRegressor(epochs=2, batch_size=200, random_state=0)
    model.fit(crime.data, frame["crimes"], sensitive_features=crime.sensitive_features)
    model.save(tmp_path / "model")
    roles = ("--target", "crimes", "--sensitive", "share")
    facts = as_json("--dataset", tmp_path / "crime.csv", *roles, "--model", tmp_path / "model")
    predicted = model.predict(crime.data)
    expected = hgr(None, predicted, sensitive_features=crime.sensitive_features)
    assert facts["scores"]["hgr"]["value"] == pytest.approx(expected)
    assert facts["overall"] == pytest.approx(predicted.mean())
    curve = pd.DataFrame(facts["errors"]["absolute_error"])
    error = np.average(curve["mean"], weights=curve["rows"])
    assert error == pytest.approx(np.abs(predicted - frame["crimes"]).mean(), rel=0.02)
    assert facts["features"] is None


@pytest.mark.parametrize(
    ("rules", "code", "decisions"),
    [
        (("range<=0.99",), 0, ["kept"]),
        (("range<=0.99", "range<=0.01"), 1, ["kept", "broken"]),
        (("range<=0.99", "{unclear}"), 2, ["kept", "cannot be told"]),
        (("{unclear}", "above 62 <= rest"), 1, ["cannot be told", "broken"]),
    ],
)
def test_rules_decide_the_exit_code_and_are_written_for_ci(
    scored, unclear, tmp_path, rules, code, decisions
):
    asked = [word for rule in rules for word in ("--require", rule.format(unclear=unclear))]
    told = run(
        *("--dataset", scored, "--prediction", "unfair", "--sensitive", "age", *FEW, *asked),
        *("--junit", tmp_path / "audit.xml", "--json"),
    )
    assert told.exit_code == code
    assert [one["decision"] for one in json.loads(told.stdout)["requirements"]] == decisions
    suite = ElementTree.parse(tmp_path / "audit.xml").getroot()
    assert suite.attrib["tests"] == str(len(rules))
    assert suite.attrib["failures"] == str(decisions.count("broken"))
    assert suite.attrib["errors"] == str(decisions.count("cannot be told"))
    outcomes = {"kept": [], "broken": ["failure"], "cannot be told": ["error"]}
    assert [[part.tag for part in case] for case in suite] == [outcomes[d] for d in decisions]


def test_two_groups_can_be_audited_though_not_trained_on(scored, tmp_path):
    frame = pd.read_csv(scored)
    frame["old"] = (frame["age"] > 50).astype(int)
    frame.to_csv(tmp_path / "groups.csv", index=False)
    facts = as_json(
        *("--dataset", tmp_path / "groups.csv", "--prediction", "unfair", "--sensitive", "old")
    )
    means = frame.groupby("old")["unfair"].mean()
    assert facts["scores"]["range"]["value"] == pytest.approx(means[1] - means[0], abs=1e-12)


def test_the_table_is_in_plain_words(scored):
    result = run(
        *("--dataset", scored, "--prediction", "unfair", "--sensitive", "age", *FEW),
        env={"COLUMNS": "140"},
        catch_exceptions=False,
    )
    assert "Column 'unfair' of scored.csv: 400 rows, sensitive attribute age" in result.stdout
    fairness = [get_score(name) for name in available_scores("regression", "fairness")]
    of_predictions = [one for one in fairness if one.measures == "predictions"]
    assert result.stdout.count("more than chance") == len(of_predictions) + 1  # and EIPM
    assert "Demographic parity gap, ΔGDP" in result.stdout
    assert "Permutation test of EIPM: p = 0.0476, the smallest that 20 shuffles can give" in (
        " ".join(result.stdout.split())
    )


def test_two_classes_and_gaps_in_a_prediction_column(scored, tmp_path):
    frame = pd.read_csv(scored)
    frame["label"] = np.where(frame["unfair"] > 0.5, "yes", "no")
    frame.loc[:9, "label"] = None
    frame.to_csv(tmp_path / "labels.csv", index=False)
    facts = as_json(
        *("--dataset", tmp_path / "labels.csv", "--prediction", "label", "--sensitive", "age")
    )
    assert facts["rows"] == 390
    assert facts["notes"] == [
        "10 rows with missing values were left out.",
        "Class 1 is label = yes, class 0 is label = no.",
    ]
    assert facts["scores"]["gdp"]["beyond_chance"]
    assert "the share of positive decisions" in " ".join(facts["sentences"])


def test_predictions_and_outcomes_mean_the_same_class(scored, tmp_path):
    """Neither word says which one is meant, and the rarer one differs between both columns."""
    frame = pd.read_csv(scored)
    frame["said"] = np.where(frame["unfair"] > 0.6, "left", "stayed")
    frame["true"] = np.where(frame["unfair"] > 0.4, "left", "stayed")
    frame.to_csv(tmp_path / "words.csv", index=False)
    columns = ("--prediction", "said", "--sensitive", "age", "--target", "true")
    facts = as_json("--dataset", tmp_path / "words.csv", *columns)
    assert facts["notes"] == [
        "Class 1 is said = stayed, class 0 is said = left.",
        "Class 1 is true = stayed, class 0 is true = left.",
    ]
    other = as_json("--dataset", tmp_path / "words.csv", *columns, "--positive-class", "left")
    assert other["overall"] == pytest.approx(1 - facts["overall"])


def test_per_cent_are_audited_as_shares_and_repaired_as_per_cent(scored, tmp_path):
    frame = pd.read_csv(scored)
    frame["said"] = [f"{100 * one:.2f} %" for one in frame["unfair"]]
    frame["unfair"] = frame["unfair"].round(4)
    file = tmp_path / "per cent.csv"
    frame.to_csv(file, index=False)
    columns = ("--sensitive", "age", "--target", "hired")
    told = as_json("--dataset", file, "--prediction", "said", *columns)
    shares = as_json("--dataset", file, "--prediction", "unfair", *columns)
    assert "Per cent of 'said' became shares." in told["notes"]
    assert "calibration" in told["scores"]
    assert told["scores"]["gap"]["value"] == pytest.approx(shares["scores"]["gap"]["value"])
    order = ("repair", "--dataset", file, "--sensitive", "age", "--strength", "0")
    order = (*order, "--prediction", "said", "--output", tmp_path / "repaired.csv")
    assert CliRunner().invoke(frem, [*map(str, order)]).exit_code == 0
    repaired = pd.read_csv(tmp_path / "repaired.csv")
    assert repaired["repaired"].to_numpy() == pytest.approx(100 * frame["unfair"].to_numpy())


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("--prediction", "fare", "--sensitive", "age"), DataError, "Did you mean 'fair'?"),
        (("--prediction", "fair", "--sensitive", "ages"), DataError, "Did you mean 'age'?"),
        (("--prediction", "fair"), ConfigError, "give a file and --sensitive"),
        (("--prediction", "fair", "--sensitive", "hired"), DataError, "not numeric"),
        (("--prediction", "fair", "--model", "."), ConfigError, "not both"),
        ((), ConfigError, "target and sensitive"),
    ],
)
def test_mistakes_are_explained(scored, arguments, error, words):
    result = run("--dataset", scored, *arguments)
    assert isinstance(result.exception, error)
    assert words in str(result.exception)


def test_a_model_for_another_task_is_refused(tmp_path):
    crime = fetch_crime()
    model = FREMRegressor(epochs=1, batch_size=200)
    model.fit(crime.data, crime.target, sensitive_features=crime.sensitive_features).save(tmp_path)
    result = run("--dataset", "adult", "--model", tmp_path)
    assert isinstance(result.exception, ConfigError)
    assert "trained for regression" in str(result.exception)
