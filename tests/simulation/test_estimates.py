import numpy as np
import pytest

from frem_core.eipm import eipm
from frem_core.eipm.binned import eipm_binned
from frem_core.eipm.nadaraya_watson import eipm_nadaraya_watson
from frem_core.errors import ConfigError
from frem_core.simulation import EstimatorGrid, MultivariateDesign, estimate_stack


def stack(size, n, dimension):
    draws = [MultivariateDesign(dimension).draw(n, np.random.default_rng(i)) for i in range(size)]
    z, s = (np.stack(parts) for parts in zip(*draws, strict=True))
    return z, s


def generators(size):
    return [np.random.default_rng(100 + i) for i in range(size)]


@pytest.mark.parametrize(("n", "dimension"), [(3, 1), (60, 1), (100, 10)])
def test_equals_the_public_estimators(n, dimension):
    z, s = stack(4, n, dimension)
    grid = EstimatorGrid(gammas=(0.2, 0.7), bins=(2, 5))
    table = estimate_stack(z, s, grid, generators(4))
    single = {
        "binning": lambda z, s, setting: eipm_binned(z, s, bins=int(setting)),
        "nadaraya-watson": lambda z, s, setting: eipm_nadaraya_watson(z, s, gamma=setting),
        "proposed": lambda z, s, setting: eipm(z, s, gamma=setting),
    }
    assert [name for name, _ in grid.columns] == [name for name in single for _ in range(2)]
    for row, one_z, one_s in zip(table, z, s, strict=True):
        expected = [single[name](one_z, one_s, setting) for name, setting in grid.columns]
        assert row == pytest.approx(expected, abs=1e-9)


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
