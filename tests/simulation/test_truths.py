import numpy as np
import pytest

from frem_core.errors import ConfigError
from frem_core.simulation import GaussianDesign, MultivariateDesign, linear_gaussian_truth

PAPER_W1_SQUARED = (0.2, 0.5, 0.8)
PAPER_DIMENSIONS = (1, 3, 10)


def expected_kernel(mean_gap, covariance_sum, sigma):
    """E κ(X, Y) for independent Gaussian vectors, by matrices and for any covariance."""
    m = len(mean_gap)
    widened = sigma**2 * np.eye(m) + covariance_sum
    height = np.linalg.det(widened / sigma**2) ** -0.5
    return height * np.exp(-0.5 * mean_gap @ np.linalg.solve(widened, mean_gap))


def ipm_by_matrices(s, direction, marginal, sigma):
    conditional = marginal - np.outer(direction, direction)
    gap = s * direction
    none = np.zeros_like(direction)
    return np.sqrt(
        expected_kernel(none, 2 * marginal, sigma)
        + expected_kernel(none, 2 * conditional, sigma)
        - 2 * expected_kernel(gap, marginal + conditional, sigma)
    )


def expectation_over_s(ipm):
    """E_S of an even function of a standard normal S, by Gauss–Legendre in four pieces."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    total = 0.0
    for low, high in ((0, 0.25), (0.25, 1), (1, 4), (4, 12)):
        s = low + (high - low) * (nodes + 1) / 2
        values = np.array([ipm(value) for value in s]) * np.exp(-(s**2) / 2)
        total += (high - low) / 2 * (weights @ values)
    return 2 * total / np.sqrt(2 * np.pi)


@pytest.mark.parametrize(
    ("direction", "variance", "sigma"),
    [([0.3], 1.0, 1.0), ([0.1, -0.2, 0.05], 0.3, 1.0), ([0.2, 0.2], 0.5, 2.5)],
)
def test_depends_on_the_direction_only_through_its_length(direction, variance, sigma):
    direction = np.array(direction)
    marginal = variance * np.eye(len(direction))
    expected = expectation_over_s(lambda s: ipm_by_matrices(s, direction, marginal, sigma))
    ours = linear_gaussian_truth(
        dimension=len(direction), variance=variance, signal=direction @ direction, sigma=sigma
    )
    assert ours == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("w1_squared", PAPER_W1_SQUARED)
def test_first_design_equals_the_papers_formulas_averaged_over_draws_of_s(w1_squared):
    s = np.random.default_rng(1).normal(size=1_000_000)
    signal = w1_squared * 0.4**2
    marginal = 1 / np.sqrt(3)
    conditional = 1 / np.sqrt(3 - 2 * signal)
    mixed = np.exp(-signal * s**2 / (2 * (3 - signal))) / np.sqrt(3 - signal)
    ipm = np.sqrt(marginal + conditional - 2 * mixed)
    standard_error = ipm.std() / np.sqrt(len(s))
    assert abs(GaussianDesign(w1_squared).truth() - ipm.mean()) < 4 * standard_error


@pytest.mark.parametrize("m", PAPER_DIMENSIONS)
def test_second_design_equals_the_papers_formulas_averaged_over_draws_of_s(m):
    s = np.random.default_rng(2).normal(size=1_000_000)
    squared = 1 / (9 * m)
    across = (1 + 2 / m) ** (m - 1)
    marginal = (1 + 2 / m) ** (-m / 2)
    conditional = (across * (1 + 2 / m - 2 * squared)) ** -0.5
    mixed = (across * (1 + 2 / m - squared)) ** -0.5 * np.exp(
        -0.5 * squared * s**2 * m / (m + 2 - m * squared)
    )
    ipm = np.sqrt(marginal + conditional - 2 * mixed)
    standard_error = ipm.std() / np.sqrt(len(s))
    assert abs(MultivariateDesign(m).truth() - ipm.mean()) < 4 * standard_error


@pytest.mark.parametrize(
    ("design", "estimate_of_100_000_draws"),
    [
        *zip(map(GaussianDesign, PAPER_W1_SQUARED), (0.06374, 0.10345, 0.13412), strict=True),
        *zip(map(MultivariateDesign, PAPER_DIMENSIONS), (0.1239, 0.0841, 0.0494), strict=True),
    ],
)
def test_monte_carlo_values_with_100_000_draws_lie_within_their_error(
    design, estimate_of_100_000_draws
):
    # The IPM is close to a multiple of |S|, whose mean has a relative error of .24 % then.
    assert estimate_of_100_000_draws == pytest.approx(design.truth(), rel=3 * 0.0024)


def test_exact_values():
    truths = [GaussianDesign(value).truth() for value in PAPER_W1_SQUARED]
    assert truths == pytest.approx([0.0638860, 0.1036730, 0.1344003], abs=5e-8)
    truths = [MultivariateDesign(m).truth() for m in PAPER_DIMENSIONS]
    assert truths == pytest.approx([0.1241539, 0.0843178, 0.0495399], abs=5e-8)


def test_no_signal_means_no_unfairness():
    assert linear_gaussian_truth(dimension=5, variance=0.2, signal=0.0) == 0.0


def test_truth_is_proportional_to_a_weak_signal():
    # To first order IPM = |s|·√(signal/r³) with r = √3, and E|S| = √(2/π).
    for size in (1e-3, 1e-6, 1e-9):
        ours = linear_gaussian_truth(dimension=1, variance=1.0, signal=size**2)
        assert ours == pytest.approx(size * 3**-0.75 * np.sqrt(2 / np.pi), rel=1e-4)


def test_one_dimension_is_the_same_in_both_designs():
    assert MultivariateDesign(1, rho=0.3).truth() == GaussianDesign(1.0, rho=0.3).truth()


def test_more_signal_than_variance_is_refused():
    with pytest.raises(ConfigError, match="explains 2 of a variance of 1"):
        linear_gaussian_truth(dimension=1, variance=1.0, signal=2.0)
