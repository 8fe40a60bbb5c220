"""The audit against closed forms, other libraries, and data whose truth is known."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import (
    MetricFrame,
    demographic_parity_difference,
    demographic_parity_ratio,
    equal_opportunity_difference,
    false_positive_rate,
    mean_prediction,
)

import frem_core
from frem_core.audit import audit, conditional_curve
from frem_core.audit.joint import JointTable
from frem_core.audit.local_fit import local_weights
from frem_core.eipm import UnscaledSensitiveWarning, eipm
from frem_core.metrics import gdp, hgr
from tests.audit.people import FEW, people


def test_values_are_those_of_the_metrics():
    age, p, _ = people(300)
    unit = (age - age.min()) / np.ptp(age)
    found = audit(None, p, sensitive_features=age, **FEW)
    assert found.score("gdp")["value"] == gdp(None, p, sensitive_features=unit)
    assert found.score("hgr")["value"] == pytest.approx(hgr(None, p, sensitive_features=unit))


def test_the_scale_of_the_attribute_does_not_matter():
    age, p, _ = people(300)
    first = audit(None, p, sensitive_features=age, **FEW).scores
    second = audit(None, p, sensitive_features=1000 * age - 7, **FEW).scores
    numbers = [name for name in first if name != "score"]
    np.testing.assert_allclose(first[numbers], second[numbers], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_two_groups_give_the_differences_of_fairlearn(weighted):
    random = np.random.default_rng(3)
    group = random.integers(0, 2, 400)
    y = random.integers(0, 2, 400)
    decided = (random.random(400) < 0.4 + 0.2 * group).astype(int)
    weights = random.uniform(0.5, 2.0, 400) if weighted else None
    found = audit(y, decided, sensitive_features=group, sample_weight=weights, **FEW)
    of = {"sensitive_features": group, "sample_weight": weights}
    by_group = MetricFrame(
        metrics={"mean": mean_prediction, "fpr": false_positive_rate},
        y_true=y,
        y_pred=decided,
        sensitive_features=group,
        sample_params=None
        if weights is None
        else {name: {"sample_weight": weights} for name in ("mean", "fpr")},
    )
    expected = {
        "range": demographic_parity_difference(y, decided, **of),
        "ratio": demographic_parity_ratio(y, decided, **of),
        "true_positive_rate": equal_opportunity_difference(y, decided, **of),
        "false_positive_rate": by_group.difference()["fpr"],
    }
    for name, value in expected.items():
        assert found.score(name)["value"] == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(found.curve["mean"], by_group.by_group["mean"], atol=1e-12)


def test_weights_count_rows():
    age, p, _ = people(200)
    random = np.random.default_rng(1)
    times = random.integers(0, 4, 200)
    weighted = audit(None, p, sensitive_features=age, sample_weight=times, **FEW)
    repeated = audit(None, np.repeat(p, times), sensitive_features=np.repeat(age, times), **FEW)
    unit = (age - age[times > 0].min()) / np.ptp(age[times > 0])
    np.testing.assert_allclose(weighted.overall, repeated.overall)
    few = {"sensitive_features": np.repeat(unit, times), "bandwidth": 0.2}
    own = {"sensitive_features": unit.clip(0, 1), "sample_weight": times, "bandwidth": 0.2}
    assert gdp(None, p, **own) == pytest.approx(gdp(None, np.repeat(p, times), **few))
    equal = audit(None, p, sensitive_features=age, sample_weight=np.full(200, 2.5), **FEW)
    plain = audit(None, p, sensitive_features=age, **FEW)
    np.testing.assert_allclose(equal.curve["low"], plain.curve["low"])
    assert equal.score("hgr")["value"] == pytest.approx(plain.score("hgr")["value"], rel=1e-2)


def test_a_local_fit_is_exact_for_parabolas_and_is_least_squares():
    random = np.random.default_rng(0)
    x, mass = np.sort(random.random(40)), random.integers(1, 9, 40).astype(float)
    weights = local_weights(x, mass, 0.4, 2)
    np.testing.assert_allclose(weights @ (1 - 2 * x + 3 * x**2), 1 - 2 * x + 3 * x**2, atol=1e-8)
    y, at = random.random(40), 17
    order = np.argsort(np.abs(x - x[at]), kind="stable")
    covered = np.cumsum(mass[order]) / mass.sum()
    reach = 1.05 * np.abs(x - x[at])[order[np.argmax(covered >= 0.4)]]
    kernel = np.clip(1 - ((x - x[at]) / reach) ** 2, 0, None) * mass
    fitted = np.polynomial.Polynomial.fit(x, y, 2, w=np.sqrt(kernel))(x[at])
    assert weights[at] @ y == pytest.approx(fitted)


def test_the_table_of_counts_gives_the_maximal_correlation():
    random = np.random.default_rng(2)
    s = random.random(3000)
    p = np.sin(6 * s) + random.normal(0, 0.5, 3000)
    table = JointTable(p, s, np.ones(3000))
    assert table.hgr(table.table[None])[0] == pytest.approx(
        hgr(None, p, sensitive_features=s), abs=0.01
    )


def test_maximal_correlation_is_that_of_maxcorr():
    from maxcorr import DensityIndicator

    random = np.random.default_rng(4)
    s = random.normal(size=2000)
    p = 0.6 * s + 0.8 * random.normal(size=2000)
    found = audit(None, p, sensitive_features=s, **FEW).score("hgr")
    other = float(DensityIndicator(damping=1e-10).compute(p, s))
    assert found["value"] == pytest.approx(other, rel=1e-5)
    assert found["low"] < other < found["high"]


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")
def test_conditional_curves_are_those_of_statsmodels():
    from statsmodels.nonparametric.kernel_regression import KernelReg

    random = np.random.default_rng(5)
    s, x = random.random((2, 80))
    v = s + 2 * x + random.normal(0, 0.1, 80)
    model = KernelReg(v, np.column_stack([s, x]), "cc", reg_type="lc", bw=[0.15, 0.2])
    at = np.linspace(0, 1, 7)
    expected, _ = model.fit(np.column_stack([at, np.full(7, 0.4)]))
    found = conditional_curve(v, s, x, at=at, factors_at=[0.4], bandwidths=[0.15, 0.2])
    np.testing.assert_allclose(found, expected, rtol=1e-8)


def test_a_legitimate_factor_explains_what_it_explains():
    random = np.random.default_rng(6)
    n = 1500
    skill = random.integers(0, 4, n)
    age = 30 + 8 * skill + random.normal(0, 5, n)
    by_skill = 0.2 + 0.15 * skill + random.normal(0, 0.05, n)
    fair = audit(None, by_skill, sensitive_features=age, factors=pd.Series(skill), **FEW)
    assert fair.score("gap")["p_value"] < 0.05 < fair.adjusted_scores["p_value"].iloc[0]
    unfair = audit(
        None, by_skill + age / 200, sensitive_features=age, factors=pd.Series(skill), **FEW
    )
    left = unfair.adjusted_scores.set_index("score").loc["gap"]
    assert left["p_value"] < 0.05
    truth = np.abs(age - age.mean()).mean() / 200  # age alone, the mix of skills kept
    assert left["value"] == pytest.approx(truth, rel=0.25)


def test_a_factor_of_numbers_explains_also_what_differs_within_its_groups():
    """Deciles of a factor would leave a tenth of it, which 4,000 rows find."""
    random = np.random.default_rng(7)
    skill = random.normal(size=4000)
    age = 50 + 12 * skill + random.normal(0, 8, 4000)
    score = 0.5 + 0.1 * skill + random.normal(0, 0.02, 4000)
    found = audit(None, score, sensitive_features=age, factors=pd.Series(skill), **FEW)
    assert found.adjusted_scores["p_value"].iloc[0] > 0.05
    assert found.adjusted_scores["value"].iloc[0] < 0.02 * found.score("gap")["value"]
    # Single scores scatter by 0.02 instead of 0.06, but ages of the same skill by 8 instead of 14
    # years: what is known of the level gains 0.3, of a slope along age 0.6.
    width = (found.adjusted["high"] - found.adjusted["low"]).median()
    assert width < 0.5 * (found.curve["high"] - found.curve["low"]).median()


def test_weights_that_go_along_with_values_raise_no_alarm():
    """A sample that was chosen by value and attribute, with the weights that undo the choice."""
    random = np.random.default_rng(8)
    s, v = random.random((2, 6000))
    chance = 0.05 + 0.4 * np.abs(s - v)
    seen = random.random(6000) < chance
    plain = audit(None, v[seen], sensitive_features=s[seen], **FEW)
    weighted = audit(
        None, v[seen], sensitive_features=s[seen], sample_weight=1 / chance[seen], **FEW
    )
    assert plain.score("gap")["p_value"] < 0.05 < weighted.score("gap")["p_value"]


def test_scores_stay_within_what_is_possible():
    random = np.random.default_rng(9)
    age = random.integers(18, 90, 400)
    decided = (random.random(400) < np.clip((age - 30) / 40, 0, 1)).astype(int)
    found = audit(None, decided, sensitive_features=age, **FEW)
    assert found.score("range")["high"] <= 1
    row = found.score("ratio")
    assert 0 <= row["low"] <= row["high"] < 0.3
    assert (found.curve["low"] >= 0).all()
    assert (found.curve["high"] <= 1).all()


def test_features_are_ranked_by_what_they_tell_about_the_attribute():
    age, p, _ = people(300)
    noise = np.random.default_rng(0).random(300)
    features = pd.DataFrame({"noise": noise, "years at work": age - 18})
    ranked = audit(None, p, sensitive_features=age, features=features, **FEW).features
    assert ranked["feature"].tolist() == ["years at work", "noise"]


def test_unscaled_attributes_are_noticed():
    random = np.random.default_rng(0)
    z, age = random.random(100), random.integers(18, 90, 100)
    with pytest.warns(UnscaledSensitiveWarning, match="Scale"):
        eipm(z, age, gamma=0.05)
    eipm(z, age, gamma=5.0)  # a bandwidth in years is meant


ORDERS_OF_IMPORTS = """
import inspect, sys
for code in (
    "from frem_core import audit",
    "import frem_core.audit; from frem_core import audit",
    "import frem_core; frem_core.audit; from frem_core import audit",
    "from frem_core.audit import conditional_mean, audit",
):
    for name in [name for name in sys.modules if name.split(".")[0] == "frem_core"]:
        del sys.modules[name]
    names = {}
    exec(code, names)
    assert "y_pred" in inspect.signature(names["audit"]).parameters, code
    import frem_core.audit as package
    assert package.audit and package.quantile_groups, code
"""


def test_the_name_is_the_function_in_any_order_of_imports():
    subprocess.run([sys.executable, "-c", ORDERS_OF_IMPORTS], check=True)
    assert callable(frem_core.audit)


@pytest.mark.parametrize("shape", [lambda age: age / 100, lambda age: 0.5 + 0.2 * np.sin(age / 10)])
def test_predictions_without_noise_have_intervals_about_what_they_are(shape) -> None:
    age = np.random.default_rng(0).integers(18, 90, 500)
    p = shape(age)
    result = audit(None, p, sensitive_features=age, n_permutations=19)
    found = result.scores.set_index("score").loc["range"]
    assert found["low"] <= found["high"] <= 1.05 * np.ptp(p)
    assert found["low"] >= 0.9 * np.ptp(p)
    assert result.check("range<=0.05").decision == "broken"
