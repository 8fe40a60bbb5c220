"""Smaller versions of ``python -m benchmarks audit_coverage``: with room for fewer data sets."""

import numpy as np
import pytest

from benchmarks.audit_coverage import (
    cover_curve,
    cover_dependence,
    false_alarms,
    fitted,
    power_kept,
)
from benchmarks.audit_simulations import NOTHING_THERE, SETTINGS, Drawn
from frem_core.audit.chances import p_value
from frem_core.audit.curve import Curve
from frem_core.audit.cuts import Cuts
from frem_core.audit.strength import score_intervals
from frem_core.audit.whole_distribution import WholeDistribution
from frem_core.eipm import eipm, eipm_test

FEWEST, MOST = 0.86, 1.0
OTHER_SEEDS = 99_000


def curve_of(values: np.ndarray, s: np.ndarray, seed: int) -> Curve:
    return fitted(Drawn(values, s, np.ones(len(s))), seed)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SETTINGS))
def test_bands_and_intervals_hold_the_truth(name):
    for what, share in cover_curve(name, 100, first=OTHER_SEEDS).items():
        assert FEWEST <= share <= MOST, what


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.0, 0.3])
def test_intervals_of_dependence_hold_the_truth(rho):
    for what, share in cover_dependence(rho, 60, first=OTHER_SEEDS).items():
        assert share >= FEWEST - 0.03, what


@pytest.mark.slow
@pytest.mark.parametrize("name", list(NOTHING_THERE))
def test_false_alarms_are_as_rare_as_promised(name):
    for share in false_alarms(name, 200, first=OTHER_SEEDS).values():
        assert 0.01 <= share <= 0.10


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_power_is_as_promised(weighted):
    assert 0.66 <= power_kept(weighted, 100, first=OTHER_SEEDS)["found"] <= 0.92


def test_shuffles_that_give_the_same_score_count_despite_rounding():
    """In two groups the p-value of decisions is a count of tables, as in Fisher's exact test."""
    from scipy.stats import hypergeom

    from frem_core.audit.cells import Cells
    from frem_core.audit.chances import Chances

    group = np.repeat([0.0, 1.0], 15)
    decided = np.concatenate([np.repeat([1.0, 0.0], [9, 6]), np.repeat([1.0, 0.0], [4, 11])])
    weights = np.ones(30)
    chances = Chances(20, 2000, 0.95, 0)
    cells = Cells.along(group, weights)
    found = chances.of_curve(chances.curve(decided, cells, weights), decided, cells, weights)
    tables = np.arange(16)
    chance = hypergeom(30, 13, 15).pmf(tables)
    exact = chance[np.abs(2 * tables - 13) >= 5].sum()
    assert found["range"][4] == pytest.approx(exact, abs=0.03)
    assert p_value(0.1 + 0.2, np.full(9, 0.3)) == 1.0


@pytest.mark.parametrize("noise", ["kept", "removed"])
def test_shuffles_by_cells_are_those_of_pairs_of_rows(noise):
    random = np.random.default_rng(3)
    s = random.random(1200)
    z = random.normal(size=(1200, 1))
    settings = {"gamma": 0.05, "sigma": "median", "noise": noise}
    random = np.random.default_rng(0)
    pairs = np.array([eipm(z, random.permutation(s), **settings) for _ in range(40)])
    whole = WholeDistribution(z, s, **settings)
    nulls = whole.in_units(whole.shuffled(40, np.random.default_rng(0)))  # the same shuffles
    assert nulls.mean() == pytest.approx(pairs.mean(), abs=0.003)
    assert np.quantile(nulls, 0.95) == pytest.approx(np.quantile(pairs, 0.95), abs=0.003)
    observed = eipm_test(z, s, permutations=2, **settings).statistic
    assert whole.in_units(np.array([whole.observed]))[0] == pytest.approx(observed, abs=3e-3)


def test_a_band_holds_a_parabola_and_narrows_with_rows():
    widths = []
    for rows in (300, 6000):
        random = np.random.default_rng(8)
        s = random.random(rows)
        fit = curve_of(s**2 + random.normal(0, 0.1, rows), s, 0)
        band = fit.band()
        assert ((band.low <= fit.x**2) & (fit.x**2 <= band.high)).mean() > 0.95
        widths.append(float((band.high - band.low).mean()))
    assert widths[1] < 0.6 * widths[0]


def test_an_event_that_was_not_seen_may_still_exist():
    s = np.linspace(0, 1, 200)
    band = curve_of(np.zeros(200), s, 0).band()
    assert (band.high > 0).all()


def test_single_cuts_and_bins_are_plain_group_means():
    random = np.random.default_rng(2)
    s = random.integers(20, 60, 500).astype(float)
    p = s / 100 + random.normal(0, 0.1, 500)
    cuts = Cuts(p, s, np.ones(500), 0.95)
    row = cuts.single().query("cut == 40").iloc[0]
    assert row["gap"] == pytest.approx(p[s >= 40].mean() - p[s < 40].mean())
    two = cuts.binned((2,)).query("kind == 'equal width'").iloc[0]
    assert two["gap"] == pytest.approx(p[s >= 39.5].mean() - p[s < 39.5].mean())
    from scipy.stats import ttest_ind

    welch = ttest_ind(p[s >= 39.5], p[s < 39.5], equal_var=False).pvalue
    assert two["p_value"] == pytest.approx(welch, rel=1e-6)


def test_room_for_what_noise_raises_moves_the_upper_end_alone():
    def sample(t, seed):
        random = np.random.default_rng([1, seed])
        return {"range": (t + 0.3 * random.standard_normal((300, 5))).max(axis=1)}

    def ends(room):
        return score_intervals(
            {"range": 1.0},
            sample,
            lambda t: {"range": t},
            confidence=0.95,
            room={"range": room},
        )["range"]

    low, high = zip(*(ends(room) for room in (0.0, 0.3, 1.0)), strict=True)
    assert low[0] == low[1] == low[2]
    assert high[0] + 0.02 < high[1] < high[2] - 0.05


def test_the_range_of_a_wave_is_no_wider_than_its_coverage_needs():
    """Samples around a bent fit, with room for all that noise raises them by, held it in 98.6 %."""
    one = SETTINGS["wave, decisions"].draw(800, np.random.default_rng([OTHER_SEEDS, 5]))
    fit = fitted(one, 5)[0]
    low, high = fit.intervals(("range",))["range"]
    wider = fit._intervals(["range"], fit.fitted, {"range": 1.0})["range"]
    assert low <= fit.observed["range"] <= high
    assert high < wider[1]
