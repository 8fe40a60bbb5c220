"""Audits of several attributes: what goes along with another is told apart, and where it meets."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.audit import audit_attributes
from frem_core.audit.several.places import Places
from frem_core.cli import frem
from frem_core.errors import ConfigError, DataError

FEW = {"n_permutations": 39, "n_resamples": 40}


def people(n=700):
    """Scores follow age, and young women lose; income only goes along with age."""
    random = np.random.default_rng(0)
    age, sex = random.integers(18, 80, n), random.choice(["Female", "Male"], n)
    income = np.exp(10 + 0.03 * age + random.normal(0, 0.3, n))
    young = (sex == "Female") & (age < 38)
    score = np.clip(0.3 + age / 250 - 0.2 * young + random.normal(0, 0.07, n), 0, 1)
    return pd.DataFrame({"age": age, "sex": sex, "income": income}), score


@pytest.fixture(scope="module")
def found():
    table, score = people()
    return audit_attributes(None, score, sensitive_features=table, **FEW)


def test_an_attribute_that_only_goes_along_is_told_apart(found):
    rows = found.attributes.set_index("attribute")
    assert rows["p_value"]["income"] < 0.05
    assert rows["value_left"]["income"] < 0.25 * rows["value"]["income"]
    assert rows["p_value_left"]["age"] < 0.05
    assert rows["value_left"]["age"] > 0.7 * rows["value"]["age"]
    assert rows["kind"].tolist() == ["number", "category", "number"]


def test_the_worst_place_is_the_one_that_was_made_worse(found):
    worst = found.places.iloc[0]
    assert worst["place"].startswith("Female, age under")
    assert worst["high"] < 0
    assert found.places_p_value == pytest.approx(1 / 40)
    assert any("Worst place: Female, age under" in line for line in found.sentences())


def test_places_are_plain_means_and_rarely_off_by_chance():
    random = np.random.default_rng(1)
    alarms = []
    for _ in range(60):
        values, codes = random.normal(size=200), random.integers(0, 4, 200)
        places = Places(values, codes, np.ones(200), ["a", "b", "c", "d"])
        table, p_value = places.compared(confidence=0.95, n_permutations=39, seed=0)
        expected = pd.Series(values).groupby(codes).mean() - values.mean()
        shown = table.set_index("place")["difference"][["a", "b", "c", "d"]]
        np.testing.assert_allclose(shown, expected)
        alarms.append(p_value <= 0.05)
    assert np.mean(alarms) <= 0.15


def test_categories_have_levels_and_no_scores_along_numbers(found):
    assert found.shown_curve("sex")["s"].tolist() == ["Female", "Male"]
    assert set(found.results["sex"].scores["score"]) == {"gap", "range", "ratio"}
    assert "hgr" in set(found.results["age"].scores["score"])


def test_rules_are_held_against_every_attribute_or_one(found):
    held = {one.rule: one.decision for one in found.check("range<=0.05")}
    assert list(held) == ["age: range<=0.05", "sex: range<=0.05", "income: range<=0.05"]
    assert held["age: range<=0.05"] == "broken"
    assert [one.rule for one in found.check("sex: range <= 0.9")] == ["sex: range <= 0.9"]
    with pytest.raises(ConfigError, match="attributes are age, sex, income"):
        found.check("sexx: range<=0.1")


def test_documents(found, tmp_path):
    text = found.to_html(tmp_path / "all.html").read_text()
    assert "Combinations against the mean of all" in text
    assert "Along income" in text
    assert "| sex |" in found.to_markdown()
    json.dumps(found.to_dict(), allow_nan=False)


def test_many_levels_are_pooled_and_one_attribute_is_refused():
    table, score = people(300)
    table = table[["age"]].assign(town=[f"town {k % 40}" for k in range(300)])
    wide = audit_attributes(None, score[:300], sensitive_features=table, **FEW)
    assert len(wide.shown_curve("town")) == 10
    with pytest.raises(DataError, match="use audit"):
        audit_attributes(None, score[:300], sensitive_features=table[["age"]])


def test_the_command_takes_several(tmp_path):
    table, score = people(400)
    file = tmp_path / "scored.csv"
    table.assign(score=score).to_csv(file, index=False)
    asked = ["audit", "--dataset", str(file), "--prediction", "score", "--permutations", "19"]
    asked += ["--sensitive", "age", "--sensitive", "sex", "--resamples", "20"]
    told = CliRunner().invoke(frem, [*asked, "--require", "age: range<=0.01"])
    assert told.exit_code == 1
    assert "Worst place" in " ".join(told.stdout.split())
    facts = json.loads(CliRunner().invoke(frem, [*asked, "--json"]).stdout)
    assert [row["attribute"] for row in facts["attributes"]] == ["age", "sex"]
