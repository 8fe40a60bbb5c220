"""Limits that a model has to keep."""

import numpy as np
import pandas as pd
import pytest

from frem_core.errors import ConfigError
from tests.commands.train.command import QUICK, as_json, run


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
