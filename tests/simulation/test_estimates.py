import numpy as np
import pytest

from frem_core.eipm import eipm
from frem_core.eipm.binned import eipm_binned
from frem_core.eipm.nadaraya_watson import eipm_nadaraya_watson
from frem_core.errors import ConfigError
from frem_core.simulation import (
    ESTIMATORS,
    NOISE_FREE,
    Cell,
    EstimatorGrid,
    GaussianDesign,
    MultivariateDesign,
    collect,
    estimate_stack,
    simulate,
)


def stack(size, n, dimension):
    draws = [MultivariateDesign(dimension).draw(n, np.random.default_rng(i)) for i in range(size)]
    z, s = (np.stack(parts) for parts in zip(*draws, strict=True))
    return z, s


def generators(size):
    return [np.random.default_rng(100 + i) for i in range(size)]


@pytest.mark.parametrize(("n", "dimension"), [(3, 1), (60, 1), (100, 10)])
def test_equals_the_public_estimators(n, dimension):
    z, s = stack(4, n, dimension)
    grid = EstimatorGrid(gammas=(0.2, 0.7), bins=(2, 5), estimators=ESTIMATORS)
    table = estimate_stack(z, s, grid, generators(4))
    single = {
        "binning": lambda z, s, setting: eipm_binned(z, s, bins=int(setting)),
        "nadaraya-watson": lambda z, s, setting: eipm_nadaraya_watson(z, s, gamma=setting),
        "proposed": lambda z, s, setting: eipm(z, s, gamma=setting),
        NOISE_FREE: lambda z, s, setting: eipm(z, s, gamma=setting, noise="removed"),
    }
    assert [name for name, _ in grid.columns] == [name for name in single for _ in range(2)]
    for row, one_z, one_s in zip(table, z, s, strict=True):
        expected = [single[name](one_z, one_s, setting) for name, setting in grid.columns]
        assert row == pytest.approx(expected, abs=1e-9)


def noise_free_by_hand(z, s, gamma):
    """The root, with its sign, of the mean of q_i − Σ_j A_ij² (1 − κ̄), in plain loops."""
    n = len(s)
    kappa = np.exp([[-((one - other) ** 2).sum() / 2 for other in z] for one in z])
    mean = np.mean([kappa[j, k] for j in range(n) for k in range(n) if j != k])
    total = 0.0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        near = np.exp([-((s[i] - s[j]) ** 2) / (2 * gamma**2) for j in others])
        a = near / near.sum() - 1 / (n - 1)
        squared = sum(
            a[x] * a[y] * kappa[j, k] for x, j in enumerate(others) for y, k in enumerate(others)
        )
        total += squared - (a**2).sum() * (1 - mean)
    return np.sign(total) * np.sqrt(abs(total / n))


def test_the_noise_free_estimator_equals_brute_force():
    z, s = stack(6, 12, 3)
    grid = EstimatorGrid(gammas=(0.1, 0.6), estimators=(NOISE_FREE,))
    table = estimate_stack(z, s, grid, generators(6))
    pairs = list(zip(z, s, strict=True))
    expected = [[noise_free_by_hand(*one, gamma) for gamma in grid.gammas] for one in pairs]
    assert table == pytest.approx(np.array(expected), abs=1e-10)
    assert (table < 0).any()  # both signs are met
    assert (table > 0).any()


@pytest.mark.parametrize(
    "design", [GaussianDesign(rho=0.0), *(MultivariateDesign(m, rho=0.0) for m in (3, 10))]
)
def test_under_independence_the_noise_free_estimator_is_centred_on_0(design):
    grid = EstimatorGrid(gammas=(0.1, 0.5), estimators=("proposed", NOISE_FREE))
    table = collect(simulate([Cell(design, 40)], grid, replicates=400, seed=1))
    for (estimator, _), values in table.groupby(["estimator", "setting"])["estimate"]:
        squares = values * values.abs()
        distance = squares.mean() / squares.sem()
        assert abs(distance) < 2 if estimator == NOISE_FREE else distance > 20


def test_the_papers_estimators_do_not_change_beside_the_noise_free_one():
    z, s = stack(2, 30, 3)
    alone = estimate_stack(z, s, EstimatorGrid(), generators(2))
    beside = estimate_stack(z, s, EstimatorGrid(estimators=ESTIMATORS), generators(2))
    assert (beside[:, : alone.shape[1]] == alone).all()
    assert beside.shape[1] == alone.shape[1] + 3


def test_importance_samples_are_those_of_the_public_estimator():
    z, s = stack(3, 50, 3)
    grid = EstimatorGrid(gammas=(0.3,), estimators=("nadaraya-watson",), draws=300)
    table = estimate_stack(z, s, grid, generators(3))
    settings = {"gamma": 0.3, "integration": "importance", "draws": 300}
    for row, one_z, one_s, rng in zip(table, z, s, generators(3), strict=True):
        expected = eipm_nadaraya_watson(one_z, one_s, random_state=rng, **settings)
        assert row == pytest.approx(expected, abs=1e-5)  # single precision inside


def test_only_the_chosen_estimators_run():
    z, s = stack(2, 20, 1)
    grid = EstimatorGrid(gammas=(0.3, 0.5), bins=(2,), estimators=("proposed", "binning"))
    assert grid.columns == (("binning", 2.0), ("proposed", 0.3), ("proposed", 0.5))
    assert estimate_stack(z, s, grid, generators(2)).shape == (2, 3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"estimators": ("median",)}, "binning, nadaraya-watson, proposed"),
        ({"estimators": ()}, "Estimators are"),
        ({"gammas": (0.3, 0.0)}, "greater than 0"),
        ({"bins": (0,)}, "at least 1"),
        ({"draws": -1}, "draws must be 0"),
    ],
)
def test_impossible_grids_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        EstimatorGrid(**settings)
