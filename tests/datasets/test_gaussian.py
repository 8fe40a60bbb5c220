import numpy as np
import pytest

from frem_core.datasets import make_gaussian
from frem_core.datasets.gaussian import sample_bivariate_gaussian, sample_multivariate_gaussian
from frem_core.errors import ConfigError

N = 200_000


def standard_error_of_covariance(covariance):
    variances = np.diag(covariance)
    return np.sqrt((np.outer(variances, variances) + covariance**2) / N)


def assert_covariance(sample, expected):
    found = np.cov(sample, rowvar=False)
    assert (np.abs(found - expected) < 4.5 * standard_error_of_covariance(expected)).all()


@pytest.mark.parametrize("rho", [0.0, 0.4, 1.0])
def test_bivariate_design_has_the_papers_covariance(rho):
    x, s = sample_bivariate_gaussian(N, rho=rho, rng=np.random.default_rng(1))
    assert_covariance(np.column_stack([s, x]), np.array([[1, rho, 0], [rho, 1, 0], [0, 0, 1.0]]))


@pytest.mark.parametrize(("m", "rho"), [(1, None), (3, None), (10, None), (3, 0.5)])
def test_multivariate_design_has_the_papers_covariance(m, rho):
    z, s = sample_multivariate_gaussian(N, dimension=m, rho=rho, rng=np.random.default_rng(2))
    tie = (rho or 1 / (3 * np.sqrt(m))) / np.sqrt(m)
    expected = np.eye(m + 1) / m
    expected[0, 1:] = expected[1:, 0] = tie
    expected[0, 0] = 1.0
    assert_covariance(np.column_stack([s, z]), expected)


def test_multivariate_conditional_covariance_is_the_papers():
    m, rho = 3, 0.5
    z, s = sample_multivariate_gaussian(N, dimension=m, rho=rho, rng=np.random.default_rng(3))
    residual = z - rho / np.sqrt(m) * s[:, None]
    assert_covariance(residual, (np.eye(m) - rho**2 * np.ones((m, m))) / m)


def test_the_generator_decides():
    first, _ = sample_bivariate_gaussian(5, rng=np.random.default_rng(7))
    again, _ = sample_bivariate_gaussian(5, rng=np.random.default_rng(7))
    assert (first == again).all()


def test_make_gaussian_target_has_variance_one_and_the_right_tie():
    data = make_gaussian("bivariate", n_samples=N, w1_squared=0.8)
    expected = 0.4 * np.sqrt(0.8)
    assert np.corrcoef(data.target, data.sensitive_features)[0, 1] == pytest.approx(
        expected, abs=0.01
    )
    assert data.target.var() == pytest.approx(1.0, abs=0.02)
    many = make_gaussian("multivariate", n_samples=N, dimension=4)
    assert many.target.var() == pytest.approx(1.0, abs=0.02)
    assert np.corrcoef(many.target, many.sensitive_features)[0, 1] == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize(
    "wrong",
    [
        {"design": "trivariate"},
        {"rho": 1.5},
        {"w1_squared": -0.1},
        {"n_samples": 0},
        {"design": "multivariate", "dimension": 0},
        {"design": "multivariate", "dimension": 4, "rho": 0.5},
    ],
)
def test_impossible_designs_are_refused(wrong):
    with pytest.raises(ConfigError):
        make_gaussian(**wrong)
