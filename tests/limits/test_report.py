import re
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import Dataset, prepare, split_dataset
from frem_core.evaluation import against_constant, get_score
from frem_core.limits import Limit, LimitReport, words_before_training
from frem_core.limits.chance import rows_needed
from frem_core.limits.constant import gain_over_constant, words_beside_constant
from frem_core.metrics.hgr import typical_hgr_floor
from frem_core.training import TrainedModel
from frem_core.words import in_units

REPORT = LimitReport(
    limit=Limit(keep=0.5),
    value=0.3,
    unfair=0.6,
    score=0.27,
    low=0.25,
    high=0.29,
    rows=400,
    fairness_weight=1.5,
    collapsed=False,
    method="FREM",
)


@pytest.mark.parametrize(
    ("score", "low", "high", "verdict", "words"),
    [
        (0.2, 0.15, 0.25, "fairer than asked", "FREM keeps the limit and is fairer than asked:"),
        (0.27, 0.25, 0.29, "keeps", "FREM keeps the limit: ΔHGR is 0.270"),
        (0.25, 0.2, 0.31, "probably", "FREM probably keeps the limit"),
        (0.33, 0.28, 0.38, "at the limit", "within its uncertainty"),
        (0.33, 0.31, 0.35, "not reached", "the nearest was ΔHGR 0.330"),
        (0.40, 0.28, 0.50, "not reached", "the nearest was ΔHGR 0.400"),
    ],
)
def test_keeps_is_said_only_when_the_whole_interval_does(score, low, high, verdict, words):
    report = replace(REPORT, score=score, low=low, high=high)
    assert report.verdict == verdict
    assert report.reached == (verdict != "not reached")
    assert words in report.sentence
    assert "at most 0.300, 50 % of the unfair model's ΔHGR (0.600)" in report.sentence
    assert f"95 % interval {low:.3f} to {high:.3f}, 400 held-out rows" in report.sentence


def test_a_constant_is_never_recommended_however_fair():
    report = replace(REPORT, collapsed=True)
    assert report.verdict == "keeps"
    assert not report.reached
    assert "not recommended: ask for less, or take another method." in report.sentence
    # Asking for less fairness would not help where nothing was learned at all.
    nothing = replace(report, unfair_collapsed=True).sentence
    assert "Neither does the unfair model: train for more epochs" in nothing
    assert "ask for less" not in nothing


def test_a_limit_that_chance_alone_reaches_is_told():
    assert "cannot test it" not in replace(REPORT, chance=0.1).sentence
    within = replace(REPORT, chance=0.31)
    assert "The limit 0.300 is below what chance alone shows on 400 rows (0.310)" in within.sentence
    assert "they cannot test it; that takes about 440." in within.sentence
    assert within.to_dict()["limit_below_chance"]
    assert not REPORT.to_dict()["limit_below_chance"]
    assert "Nor do they show any dependence" not in within.sentence
    assert "Nor do they show any dependence" in replace(within, chance=0.61).sentence
    # How the level of ΔGDP falls with rows is not known.
    gdp = replace(within, limit=Limit(score="gdp", keep=0.5))
    assert "they cannot test it." in gdp.sentence


def test_a_value_that_so_many_rows_cannot_test_is_told_before_training():
    words = words_before_training(Limit(at_most=0.05), 100)
    assert "A ΔHGR of 0.05 is below what chance alone shows on 100 test rows (about 0.16)" in words
    assert "they cannot test this limit; that takes about 3,400." in words
    for fine in (Limit(at_most=0.2), Limit(keep=0.01), Limit(score="gdp", at_most=1e-6)):
        assert not words_before_training(fine, 100)
    both = Limit.parse("age:hgr=0.05; income:hgr=0.04")
    assert words_before_training(both, 100).count("cannot test") == 2


@pytest.mark.parametrize(("rows", "chance", "value"), [(400, 0.3, 0.1), (60, 0.26, 0.05)])
def test_as_many_rows_as_are_asked_for_show_less_by_chance(rows, chance, value):
    needed = rows_needed(get_score("hgr"), rows, chance, value)
    factor = chance / typical_hgr_floor(rows)
    assert factor * typical_hgr_floor(needed + 1) < value < factor * typical_hgr_floor(needed - 2)
    assert rows_needed(get_score("hgr"), rows, chance, 1e-6) is None


def test_a_limit_that_was_not_reached_comes_with_a_reason():
    missed = replace(REPORT, score=0.4, low=0.35, high=0.45)
    kept = replace(missed, set_aside=0.98).sentence
    assert "set aside to find the weight it is at 98 % of the limit; luck with so many" in kept
    assert "more, or try another method" not in kept
    assert "not there by its last epoch" in replace(missed, set_aside=1.6).sentence
    for other in (
        missed,
        replace(missed, set_aside=1.6, chance=0.35),
        replace(REPORT, set_aside=2),
    ):
        assert "last epoch" not in other.sentence
        assert "set aside" not in other.sentence


@pytest.mark.parametrize(("high", "verdict"), [(0.25, "fairer than asked"), (0.31, "probably")])
def test_luck_with_the_test_rows_is_told_from_more_fairness_than_was_asked_for(high, verdict):
    """A higher limit is advised only where the rows by which the weight was found agree."""
    far_below = replace(REPORT, score=0.2, low=0.12, high=high)
    assert far_below.verdict == verdict
    luck = replace(far_below, low=0.05, high=high + 0.1, set_aside=1.05).sentence
    assert "it is at 105 % of the limit; 400 rows tell it only to ±" in luck
    assert "higher limit" not in luck
    fairer = replace(far_below, set_aside=0.7).sentence
    assert "Try a higher limit" in fairer
    assert "rows tell it only" not in fairer
    untestable = replace(far_below, chance=0.31, set_aside=1.05).sentence
    assert "cannot test it" in untestable
    assert "rows tell it only" not in untestable


def test_as_many_rows_as_are_asked_for_tell_a_score_as_precisely():
    """The mean of a sample stands for a score: what its interval is on so many rows is known."""
    random = np.random.default_rng(5)

    def interval(rows: int) -> tuple[float, float]:
        means = random.normal(0.3, 1.2, (4_000, rows)).mean(axis=1)
        return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))

    low, high = interval(400)
    report = replace(REPORT, score=0.22, low=low, high=high, set_aside=1.0)
    assert f"±{100 * (high - low) / 0.6:.0f} %" in report.explanation
    needed = re.search(r"±15 % takes about ([\d,]+)", report.explanation)
    assert needed is not None
    rows = int(needed[1].replace(",", ""))
    assert rows > 1_000
    low, high = interval(rows)
    assert replace(report, low=low, high=high, rows=rows).precision == pytest.approx(0.15, rel=0.05)


def test_of_nothing_no_share_can_be_told():
    nothing = replace(REPORT, value=0.0, unfair=0.0)
    assert not nothing.reached
    assert nothing.to_dict()["precision"] is None


def test_a_model_that_cannot_be_told_from_chance_is_said_to_be():
    fair = replace(REPORT, score=0.08, low=0.05, high=0.12, chance=0.1)
    assert fair.verdict == "fairer than asked"
    assert "they cannot tell this model from no dependence at all" in fair.sentence
    assert "Try a higher limit if you want more accuracy" in fair.sentence
    assert "Try a higher limit" not in REPORT.sentence
    assert fair.to_dict()["below_chance"]
    assert not replace(fair, chance=0.07).to_dict()["below_chance"]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_noise_does_not_beat_a_constant_and_knowledge_does(task):
    rng = np.random.default_rng(0)
    level = rng.random(400)
    y = (rng.random(400) < level).astype(float) if task == "classification" else level
    noise = np.clip(y.mean() + rng.normal(0, 0.05, 400), 0.01, 0.99)
    assert gain_over_constant(y, noise, task).is_none
    assert not gain_over_constant(y, level, task).is_none


def test_of_several_limits_all_have_to_be_reached():
    along_sex = replace(REPORT, limit=Limit(score="gdp", at_most=0.3, attribute="sex"), score=0.1)
    both = replace(REPORT, others=(along_sex,))
    assert both.reached
    assert "ΔGDP along sex is 0.100" in both.sentence
    assert both.sentence.count("FREM keeps the limit") == 2
    assert both.to_dict()["others"][0]["attribute"] == "sex"
    assert not replace(both, others=(replace(along_sex, score=0.5, high=0.6),)).reached


@dataclass
class Always:
    """Stands for a model that says the same of everybody."""

    value: float

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.full(len(x), self.value)


def test_errors_are_told_in_the_units_of_the_target_without_exponents():
    income = np.repeat([6_104.0, 139_720.0], 50)
    data = Dataset(
        name="Einkommen",
        features=pd.DataFrame({"Jahre": np.arange(100.0)}),
        target=income,
        sensitive=np.tile(np.arange(50.0), 2),
        task="regression",
        target_name="Einkommen (€)",
        sensitive_name="Alter",
        description="",
    )
    prepared = prepare(data, split_dataset(data, seed=0))
    half, none = (cast(TrainedModel, Always(value)) for value in (0.5, 0.0))
    words = words_beside_constant(prepared, half, none)
    assert "misses Einkommen (€) by 66,800 (unfair model " in words
    assert "it ranges from 6104 to 139,700)." in words
    assert "e+" not in words


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_constant_of_the_sentence_is_that_of_the_charts(task):
    """It stands on one page with theirs, so it has to be the same number."""
    rng = np.random.default_rng(3)
    target = rng.gamma(2, 30, 300) if task == "regression" else (rng.random(300) < 0.51) * 1.0
    data = Dataset(
        name="shops",
        features=pd.DataFrame({"size": rng.random(300)}),
        target=target,
        sensitive=rng.random(300),
        task=task,
        target_name="sales",
        sensitive_name="age",
        class_names=None if task == "regression" else ("no", "yes"),
        description="",
    )
    prepared = prepare(data, split_dataset(data, seed=0))
    model = cast(TrainedModel, Always(0.2))
    words = words_beside_constant(prepared, model, model)
    constant = against_constant(prepared.test.y, None, task)
    scale = prepared.target_scale
    told = (
        f"one number for everybody {in_units((scale.high - scale.low) * constant['mae'].value)};"
        if task == "regression"
        else f"always the more frequent answer {100 * constant['accuracy'].value:.1f} %"
    )
    assert told in words
