"""The repair keeps ranks and removes the dependence."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import norm

from frem_core.audit import Repair, repair_costs
from frem_core.cli import frem
from frem_core.errors import ConfigError, DataError


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(0)
    s = random.uniform(20, 80, 4000)
    level, width = (s - 50) / 60, 0.1 + (s - 20) / 400
    return s, level + width * random.normal(size=4000), level, width


def test_the_barycentre_of_normals_is_the_normal_with_mean_width(rows):
    s, p, level, width = rows
    moved = Repair.fit(p, sensitive_features=s).transform(p, sensitive_features=s)
    expected = np.mean(level) + np.mean(width) * (p - level) / width
    assert np.corrcoef(moved, expected)[0, 1] > 0.99
    assert np.abs(moved - expected).mean() < 0.02
    groups = pd.Series(moved).groupby(pd.qcut(s, 8)).agg(["mean", "std"])
    assert np.ptp(groups["mean"]) < 0.03
    assert np.ptp(groups["std"]) < 0.03
    assert norm.fit(moved)[1] == pytest.approx(np.mean(width), rel=0.05)


def test_strength_goes_straight_from_none_to_full(rows):
    s, p, *_ = rows
    repair = Repair.fit(p, sensitive_features=s)
    none, half, full = (
        repair.transform(p, sensitive_features=s, strength=t) for t in (0.0, 0.5, 1.0)
    )
    np.testing.assert_array_equal(none, p)
    np.testing.assert_allclose(half, (p + full) / 2)
    with pytest.raises(ConfigError, match="strength is 2"):
        repair.transform(p, sensitive_features=s, strength=2)


def test_nobody_overtakes_anybody_of_the_same_attribute():
    random = np.random.default_rng(1)
    s = random.integers(0, 4, 400)
    p = random.random(400) + s / 4
    moved = Repair.fit(p, sensitive_features=s).transform(p, sensitive_features=s)
    for value in range(4):
        own = s == value
        assert (np.diff(moved[own][np.argsort(p[own])]) >= -1e-12).all()


def test_costs_fall_in_one_and_rise_in_the_other(rows):
    s, p, *_ = rows
    costs = repair_costs((p > 0).astype(int), p, sensitive_features=s, threshold=0.0)
    assert costs["gap"].iloc[-1] < 0.1 * costs["gap"].iloc[0]
    assert costs["moved"].is_monotonic_increasing
    assert costs["error"].iloc[0] == 0 < costs["error"].iloc[-1]


def test_weights_count_rows(rows):
    s, p = (one[:400] for one in rows[:2])
    times = np.random.default_rng(3).integers(0, 3, 400)
    weighted = repair_costs(p, p, sensitive_features=s, sample_weight=times)
    often = np.repeat(np.arange(400), times)
    repeated = repair_costs(p[often], p[often], sensitive_features=s[often])
    for name in ("moved", "error"):
        np.testing.assert_allclose(weighted[name], repeated[name], rtol=0.03, atol=1e-3)
    np.testing.assert_allclose(weighted["crossed"], repeated["crossed"], atol=3 / len(often))


def test_decisions_are_refused():
    with pytest.raises(DataError, match="repair the scores behind them"):
        Repair.fit(np.tile([0, 1], 50), sensitive_features=np.arange(100))


def test_the_command_writes_the_column_and_says_what_it_needs(rows, tmp_path):
    s, p, *_ = rows
    frame = pd.DataFrame({"age": s[:300], "score": p[:300]})
    frame.loc[3, "age"] = np.nan
    frame.to_csv(tmp_path / "scored.csv", index=False)
    result = CliRunner().invoke(
        frem,
        [
            *("repair", "--dataset", str(tmp_path / "scored.csv"), "--prediction", "score"),
            *("--sensitive", "age", "--strength", "0.5", "--output", str(tmp_path / "out.csv")),
        ],
        catch_exceptions=False,
    )
    assert "needs the sensitive attribute of everybody" in " ".join(result.stdout.split())
    written = pd.read_csv(tmp_path / "out.csv")
    assert len(written) == 299
    assert (written["repaired"] - written["score"]).abs().mean() > 0.01
