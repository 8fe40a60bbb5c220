import numpy as np
import pytest

from frem_core.errors import ConfigError
from frem_core.simulation import GaussianDesign, MultivariateDesign


@pytest.mark.parametrize(
    ("design", "variance", "signal"),
    [
        (GaussianDesign(0.2), np.eye(1), 0.2**0.5 * 0.4),
        (GaussianDesign(0.8, rho=-0.7), np.eye(1), 0.8**0.5 * -0.7),
        (MultivariateDesign(3), np.eye(3) / 3, 1 / 9),
        (MultivariateDesign(10, rho=0.2), np.eye(10) / 10, 0.2 / 10**0.5),
    ],
)
def test_draws_have_the_moments_the_truth_assumes(design, variance, signal):
    n = 200_000
    z, s = design.draw(n, np.random.default_rng(0))
    assert z.shape == (n, design.dimension)
    assert s.shape == (n,)
    moments = np.cov(np.column_stack([s, z]).T)
    assert moments[0, 0] == pytest.approx(1.0, abs=0.02)
    assert moments[0, 1:] == pytest.approx(np.full(design.dimension, signal), abs=0.012)
    assert moments[1:, 1:] == pytest.approx(variance, abs=0.02)


def test_equal_designs_have_equal_cases_and_others_do_not():
    assert MultivariateDesign(3).case == MultivariateDesign(3, rho=1 / (3 * 3**0.5)).case
    assert MultivariateDesign(3).case != MultivariateDesign(3, rho=0.2).case
    assert GaussianDesign(0.2).case != GaussianDesign(0.2, rho=0.3).case


@pytest.mark.parametrize(
    ("design", "settings", "message"),
    [
        (GaussianDesign, {"w1_squared": 1.2}, "between 0 and 1, not 1.2"),
        (GaussianDesign, {"rho": 1.0}, "between -1 and 1"),
        (MultivariateDesign, {"dimension": 0}, "at least 1, not 0"),
        (MultivariateDesign, {"dimension": 4, "rho": 0.5}, "±0.5"),
    ],
)
def test_impossible_designs_are_refused(design, settings, message):
    with pytest.raises(ConfigError, match=message):
        design(**settings)
