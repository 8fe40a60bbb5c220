import tracemalloc

import numpy as np
import pytest
import torch
from scipy.special import softmax

from frem_core.errors import ConfigError, DataError
from frem_core.metrics import gdp
from frem_core.metrics.penalties import gdp_penalty
from frem_core.metrics.sensitive_grid import GRID, gaussian_series


def direct_gdp(p: np.ndarray, s: np.ndarray, bandwidth: float | None = None) -> float:
    """The definition, with the whole (998, n) kernel in memory."""
    h = bandwidth or (3 * len(s) / 4) ** -0.2
    exponents = -((GRID[:, None] - s) ** 2) / (2 * h * h)
    conditional_mean = softmax(exponents, axis=1) @ p
    weights = np.exp(exponents).mean(axis=1)
    return float((weights * np.abs(conditional_mean - p.mean())).sum() / weights.sum())


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (lambda s: s, 0.087946),
        (lambda s: s**2, 0.088606),
        (lambda s: (s > 0.5).astype(float), 0.138609),
        (lambda s: np.full_like(s, 0.3), 0.0),
    ],
    ids=["linear", "square", "step", "constant"],
)
def test_oracles(shape, expected) -> None:
    s = np.linspace(0, 1, 101)
    assert gdp(None, shape(s), sensitive_features=s) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("n", [3, 10, 500])
@pytest.mark.parametrize("distinct", [2, 74, None])
@pytest.mark.parametrize("bandwidth", [None, 0.005, 0.1, 3.0])
def test_equal_to_the_definition(n: int, distinct: int | None, bandwidth: float | None) -> None:
    random = np.random.default_rng(n)
    s = random.random(n) if distinct is None else random.integers(0, distinct, n) / (distinct - 1)
    p = random.random(n)
    assert gdp(None, p, sensitive_features=s, bandwidth=bandwidth) == pytest.approx(
        direct_gdp(p, s, bandwidth), rel=1e-10
    )


@pytest.mark.parametrize("bandwidth", [0.002, 0.01, 0.1, 0.5, 5.0])
def test_the_series_is_the_kernel(bandwidth: float) -> None:
    s = np.linspace(0, 1, 501)
    series = gaussian_series(bandwidth)
    polynomials = np.cos(np.outer(np.arange(series.shape[1]), np.arccos(2 * s - 1)))
    kernel = np.exp(-0.5 * ((GRID[:, None] - s) / bandwidth) ** 2)
    assert np.abs(series @ polynomials - kernel).max() < 1e-12


def test_more_distinct_values_than_one_block() -> None:
    random = np.random.default_rng(0)
    s, p = random.random((2, 9_000))
    assert gdp(None, p, sensitive_features=s) == pytest.approx(direct_gdp(p, s), rel=1e-10)


def test_equal_to_the_training_penalty() -> None:
    random = np.random.default_rng(1)
    s, p = random.random((2, 400))
    penalty = gdp_penalty(torch.from_numpy(p), torch.from_numpy(s))
    assert gdp(None, p, sensitive_features=s) == pytest.approx(penalty.item(), rel=1e-11)


def test_memory_stays_far_below_the_whole_kernel() -> None:
    random = np.random.default_rng(0)
    s, p = random.random((2, 45_222))
    tracemalloc.start()
    gdp(None, p, sensitive_features=s)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6  # the (998, 45222) kernel alone would take 361 MB


def test_the_default_bandwidth_hides_a_narrow_bump_that_a_small_one_shows() -> None:
    s = np.linspace(0, 1, 1001)
    p = (np.abs(s - 0.5) < 0.05).astype(float)
    truth = np.abs(p - p.mean()).mean()
    assert gdp(None, p, sensitive_features=s) < 0.2 * truth
    assert gdp(None, p, sensitive_features=s, bandwidth=0.005) > 0.9 * truth


def test_raw_values_with_their_range_equal_scaled_values() -> None:
    random = np.random.default_rng(2)
    age = random.integers(17, 91, 300)
    p = random.random(300)
    assert gdp(None, p, sensitive_features=age, sensitive_range=(17, 90)) == pytest.approx(
        gdp(None, p, sensitive_features=(age - 17) / 73)
    )


def test_shifting_predictions_changes_nothing_and_scaling_scales() -> None:
    random = np.random.default_rng(3)
    s, p = random.random((2, 300))
    value = gdp(None, p, sensitive_features=s)
    assert gdp(None, p + 7, sensitive_features=s) == pytest.approx(value)
    assert gdp(None, 3 * p, sensitive_features=s) == pytest.approx(3 * value)


def test_values_outside_the_range_are_refused_with_the_range_to_pass() -> None:
    with pytest.raises(DataError, match=r"17 to 90.*sensitive_range=\(17, 90\)"):
        gdp(None, [0.1, 0.2, 0.3], sensitive_features=[17, 40, 90])


@pytest.mark.parametrize("bandwidth", [0, -1, 0.0001, float("nan")])
def test_bandwidths_below_the_grid_are_refused(bandwidth: float) -> None:
    with pytest.raises(ConfigError, match="bandwidth"):
        gdp(None, [0.1, 0.2, 0.3], sensitive_features=[0, 0.5, 1], bandwidth=bandwidth)


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(ConfigError, match="sensitive_range"):
        gdp(None, [0.1, 0.2, 0.3], sensitive_features=[1, 1, 1], sensitive_range=(1, 1))
