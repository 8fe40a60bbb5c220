from dataclasses import replace

import numpy as np
import pytest

from frem_core.attributes import Attributes
from frem_core.datasets import Part
from frem_core.eipm import eipm
from frem_core.errors import ConfigError, DataError
from frem_core.limits import Limit, held_out_report, train_within
from frem_core.limits.constant import gain_over_constant
from frem_core.limits.shadows import HeldOut
from frem_core.methods import get_method
from frem_core.metrics import gdp, hgr
from frem_core.training import TrainingCancelledError, TrainingConfig, weight_range
from tests.training.problems import small_part, weights_of

CONFIG = TrainingConfig(epochs=8, batch_size=100, hidden=(8, 6), weight_decay=1e-3)
HALF = Limit(keep=0.5)


@pytest.fixture
def short_probe(monkeypatch):
    """Where the search for the weight begins does not matter for what these tests ask."""
    monkeypatch.setattr(weight_range, "_STEPS", 20)


def people(rows: int, seed: int = 0) -> Part:
    """One feature follows S, another does not; a fair model has something left to predict with."""
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 50, rows) / 49
    x = rng.random((rows, 4))
    x[:, 0] = 0.8 * s + 0.2 * x[:, 0]
    y = (x[:, 0] + x[:, 1]) / 2
    return Part(x=x.astype(np.float32), y=y, s=s, rows=np.arange(rows))


@pytest.mark.usefixtures("short_probe")
def test_no_more_is_aimed_at_than_chance_gives():
    """A lower limit could not be shown to be kept; weight for it would only cost prediction."""
    part = people(300)
    settings = {"task": "regression", "method": get_method("reg_hgr")(), "config": CONFIG}
    below, far_below = train_within(
        part, limits=[Limit(at_most=0.01), Limit(at_most=0.001)], **settings
    )
    assert below.model.member.fairness_weight == far_below.model.member.fairness_weight
    report = held_out_report(below)
    assert report.is_within_chance
    assert "chance alone shows on 300 rows" in report.sentence


def test_too_few_rows_are_refused_with_a_way_out():
    with pytest.raises(DataError, match="at least 50, or a fairness weight"):
        train_within(
            small_part(30), task="classification", method=get_method("mmd")(), limits=[HALF]
        )


def test_a_method_without_weight_has_no_limit():
    with pytest.raises(ConfigError, match="Unfair has no fairness weight"):
        train_within(
            small_part(), task="classification", method=get_method("unfair")(), limits=[HALF]
        )


def test_finds_the_weight_that_keeps_half():
    part, new = people(1500), people(6000, seed=1)
    config = TrainingConfig(epochs=40, batch_size=500, hidden=(16, 8), weight_decay=1e-3)
    half, fifth = train_within(
        part,
        task="regression",
        method=get_method("reg_hgr")(),
        limits=[HALF, Limit(keep=0.25)],
        config=config,
    )

    def dependence(model):
        return hgr(None, model.predict(new.x), sensitive_features=new.s)

    unfair = dependence(half.unfair)
    assert unfair > 0.5
    assert dependence(half.model) == pytest.approx(unfair / 2, rel=0.15)
    assert dependence(fifth.model) == pytest.approx(unfair / 4, rel=0.2)
    assert 0 < half.model.member.fairness_weight < fifth.model.member.fairness_weight
    assert half.model.history["fairness_weight"].iloc[-1] == half.model.member.fairness_weight
    report = held_out_report(half)
    assert report.reached
    assert not report.collapsed
    assert report.low < report.score < report.high


@pytest.mark.usefixtures("short_probe")
@pytest.mark.parametrize("method", ["frem", "mmd", "adv", "laftr"])
def test_a_model_does_not_depend_on_what_is_trained_beside_it(method):
    kind = get_method(method)
    short = {"head_epochs": 2} if "head_epochs" in kind.parameters() else {}
    settings = {"task": "classification", "method": kind(**short), "config": CONFIG, "seed": 3}
    together = train_within(
        small_part(150), limits=[HALF, Limit(score="gdp", at_most=0.01)], **settings
    )
    (alone,) = train_within(small_part(150), limits=[HALF], **settings)
    assert np.allclose(weights_of(together[0].model), weights_of(alone.model), atol=1e-4)
    assert alone.model.member.fairness_weight == pytest.approx(
        together[0].model.member.fairness_weight, rel=1e-3
    )


@pytest.mark.usefixtures("short_probe")
@pytest.mark.parametrize("score", ["eipm", "mutual_information"])
def test_a_stopped_training_goes_on_to_the_bit(score, tmp_path):
    settings = {
        "task": "classification",
        "method": get_method("frem")(),
        "limits": [Limit(score=score, keep=0.5)],
        "config": CONFIG,
    }
    (whole,) = train_within(small_part(150), **settings)

    calls = 0

    def soon() -> bool:
        nonlocal calls
        calls += 1
        return calls > CONFIG.epochs + 5

    with pytest.raises(TrainingCancelledError):
        train_within(
            small_part(150),
            **settings,
            checkpoints=tmp_path,
            checkpoint_every=1,
            should_stop=soon,
        )
    assert (tmp_path / "limits-0.safetensors").exists()
    (resumed,) = train_within(small_part(150), **settings, checkpoints=tmp_path)
    assert np.array_equal(weights_of(whole.model), weights_of(resumed.model))
    assert resumed.model.history.equals(whole.model.history)


@pytest.mark.usefixtures("short_probe")
def test_a_checkpoint_of_another_limit_is_refused(tmp_path):
    settings = {
        "task": "classification",
        "method": get_method("reg_gdp")(),
        "config": TrainingConfig(epochs=2, batch_size=100, hidden=(4,)),
        "checkpoints": tmp_path,
    }
    train_within(small_part(150), limits=[HALF], **settings)
    with pytest.raises(ConfigError, match="belongs to another training"):
        train_within(small_part(150), limits=[Limit(keep=0.4)], **settings)


def people_with_sex(rows: int, seed: int) -> Part:
    """As `people`, and a further feature follows their sex."""
    part = people(rows, seed)
    sex = np.random.default_rng([seed, 1]).integers(0, 2, rows).astype(float)
    x = part.x.copy()
    x[:, 2] = 0.7 * sex + 0.3 * x[:, 2]
    attributes = Attributes(("age", "sex"), np.column_stack([part.s, sex]), (None, ("f", "m")))
    return replace(part, x=x, y=(2 * part.y + x[:, 2]) / 3, attributes=attributes)


@pytest.mark.usefixtures("short_probe")
@pytest.mark.parametrize("decides", ["age:hgr=50%", "sex:gdp=30%", "sex:eipm=50%"])
def test_of_several_limits_the_one_that_is_kept_least_decides(decides):
    """A further limit that nothing can break leaves the training as it is."""
    part = people_with_sex(300, seed=0)
    easy = "age:eipm=1000" if decides.startswith("sex") else "sex:gdp=1000"
    both, alone = train_within(
        part,
        task="regression",
        method=get_method("reg_gdp")(),
        limits=[Limit.parse(f"{easy}; {decides}"), Limit.parse(decides)],
        config=CONFIG,
    )
    assert both.model.member.fairness_weight == alone.model.member.fairness_weight
    scores = both.model.history["held_out_score"], alone.model.history["held_out_score"]
    assert np.array_equal(*scores, equal_nan=True)
    report = held_out_report(both)
    assert report.limit == alone.limit
    assert [one.limit.text for one in report.others] == [Limit.parse(easy).text]
    assert report.score == held_out_report(alone).score


def test_scores_are_those_of_the_attribute_that_is_named():
    part = people_with_sex(200, seed=2)
    z, p = part.x, part.y
    held_out = HeldOut(
        z=z[None, None], p=p[None, None], y=p[None], s=part.s[None], attributes=(part.attributes,)
    )
    age, sex = part.attributes.values.T

    def score(text):
        return held_out.score(Limit.parse(text), 0)

    assert score("age:hgr=0.2") == score("hgr=0.2") == hgr(None, p, sensitive_features=age)
    share = (sex == 1).mean()
    means = p[sex == 1].mean(), p[sex == 0].mean()
    apart = 2 * share * (1 - share) * abs(means[0] - means[1])
    assert score("sex:gdp=0.2") == pytest.approx(apart)
    names = np.where(sex == 1, "m", "f")
    assert score("sex:eipm=0.2") == pytest.approx(eipm(z.astype(float), names), rel=1e-5)


def test_a_score_that_a_category_does_not_have_is_refused():
    part = small_part(150)
    attributes = Attributes(
        ("age", "sex"), np.column_stack([part.s, part.s > 0.5]).astype(float), (None, ("f", "m"))
    )
    with pytest.raises(ConfigError, match="sex is a category"):
        train_within(
            replace(part, attributes=attributes),
            task="classification",
            method=get_method("frem")(),
            limits=[Limit.parse("sex:hgr=0.2")],
        )


def graded(rows: int, seed: int = 0) -> Part:
    """Three classes: which of the upper two follows S, whether it is the lowest does not."""
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 50, rows) / 49
    x = rng.random((rows, 4))
    x[:, 0] = 0.8 * s + 0.2 * x[:, 0]
    y = np.where(x[:, 1] < 0.3, 0.0, 1.0 + (x[:, 0] + 0.3 * x[:, 2] > 0.65))
    return Part(x=x.astype(np.float32), y=y, s=s, rows=np.arange(rows), classes=3)


def mean_gap(predictions: np.ndarray, s: np.ndarray) -> float:
    """ΔGDP of each class against all others, averaged."""
    assert predictions.shape[1] == 3
    return float(np.mean([gdp(None, column, sensitive_features=s) for column in predictions.T]))


def test_of_three_classes_the_mean_over_each_against_all_others_is_limited():
    part, new = graded(500), graded(4000, seed=1)
    config = TrainingConfig(epochs=8, batch_size=250, hidden=(8, 6), learning_rate=0.01)
    settings = {"task": "classification", "method": get_method("reg_gdp")(), "config": config}
    (found,) = train_within(part, limits=[Limit(score="gdp", keep=0.5)], **settings)
    report, held_out = held_out_report(found), found.held_out
    unseen, own, beside = (
        np.mean([mean_gap(p[0], s) for p, s in zip(said.p, said.s, strict=True)])
        for said in (held_out, held_out.of_model, held_out.of_shadows)
    )
    assert report.score == pytest.approx(unseen + own - beside)
    assert report.value == pytest.approx(report.unfair / 2)
    on_new = [mean_gap(one.predict(new.x), new.s) for one in (found.model, found.unfair)]
    assert on_new[0] / on_new[1] == pytest.approx(report.score / report.unfair, abs=0.15)
    assert found.model.history["held_out_score"].iloc[-1] == pytest.approx(report.score)
    assert not report.collapsed


@pytest.mark.slow
def test_half_is_kept_for_three_classes_with_the_usual_number_of_epochs():
    part, new = graded(1500), graded(6000, seed=1)
    config = TrainingConfig(batch_size=250, hidden=(16, 8))
    settings = {"task": "classification", "method": get_method("frem")(), "config": config}
    (found,) = train_within(part, limits=[Limit(score="gdp", keep=0.5)], **settings)
    own, unfair = (mean_gap(one.predict(new.x), new.s) for one in (found.model, found.unfair))
    assert 0.4 < own / unfair < 0.6
    assert held_out_report(found).reached


def test_whether_three_classes_are_predicted_better_than_by_their_shares():
    random = np.random.default_rng(0)
    y = random.choice(3, (2, 200), p=(0.6, 0.25, 0.15)).astype(float)
    truth = np.eye(3)[y.astype(int)]
    shares = truth.mean(axis=(0, 1))
    constant = np.broadcast_to(shares, truth.shape)
    assert gain_over_constant(y, constant, "classification").mean == 0.0
    assert gain_over_constant(y, constant, "classification").is_none
    sharper = 0.9 * constant + 0.1 * truth  # the same answers, but less sure of wrong ones
    gain = gain_over_constant(y, sharper, "classification")
    by_hand = np.log((sharper * truth).sum(axis=-1)) - np.log((constant * truth).sum(axis=-1))
    assert gain.mean == pytest.approx(by_hand.mean())
    assert not gain.is_none
