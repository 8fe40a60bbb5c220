"""What the result of an audit tells: tables, statements, rules, documents."""

import json

import pandas as pd
import pytest

from frem_core.audit import audit
from frem_core.errors import ConfigError
from tests.audit.people import FEW, people


@pytest.fixture(scope="module")
def result():
    age, p, y = people()
    return audit(y, p, sensitive_features=pd.Series(age, name="age"), **FEW)


def test_tables_have_the_promised_columns_and_everything_is_json(result):
    assert list(result.scores) == ["score", "value", "low", "high", "chance", "p_value"]
    assert list(result.curve) == ["s", "mean", "low", "high", "rows"]
    facts = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert facts["sensitive"] == "age"
    assert facts["curve"][0]["s"] == 18
    assert result.curve["rows"].sum() == result.rows == 600
    assert (result.curve["low"] <= result.curve["mean"]).all()
    assert set(result.errors) == {
        *("true_positive_rate", "false_negative_rate", "false_positive_rate", "calibration")
    }


def test_a_statement_in_units_of_the_prediction(result):
    told = result.at(80)
    assert told["low"] < (80 - 53.5) / 200 < told["high"]
    assert told["low"] > 0
    assert result.worst is not None
    assert result.worst.share < 0.5
    assert any(
        "more than average" in line or "less than average" in line for line in result.sentences()
    )


@pytest.mark.parametrize(
    ("rule", "decision"),
    [
        ("range<=0.9", "kept"),
        ("range <= 0.05", "broken"),
        ("ratio>=0.99", "broken"),
        ("gap>=0.0001", "kept"),
        ("above 62 >= rest", "kept"),
        ("above 62 <= rest", "broken"),
        ("below 60 >= rest - 0.9", "kept"),
    ],
)
def test_rules(result, rule, decision):
    assert result.check(rule).decision == decision


def test_what_cannot_be_told_is_said(result):
    row = result.score("range")
    middle = (row["low"] + row["high"]) / 2
    assert result.check(f"range<={middle}").decision == "cannot be told"


@pytest.mark.parametrize("rule", ["gdp=0.1", "gpd<=0.1", "above 99 >= rest", ""])
def test_rules_that_cannot_be_read(result, rule):
    with pytest.raises(ConfigError):
        result.check(rule)


def test_documents(result, tmp_path):
    page = result.to_html(tmp_path / "audit.html", (result.check("range<=0.05"),))
    text = page.read_text()
    assert "along age" in text
    assert "broken" in text
    assert "<script" in text
    card = result.to_markdown()
    assert card.startswith("## Fairness along age")
    assert "| gdp" not in card
