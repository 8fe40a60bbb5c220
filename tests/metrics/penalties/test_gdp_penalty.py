"""The series behind the GDP penalty against the sum it replaces."""

import numpy as np
import pytest
import torch

from frem_core.metrics.penalties import gdp_penalty

GRID = np.arange(1, 999) / 1000


def direct_gdp(p: np.ndarray, s: np.ndarray, bandwidth: float) -> float:
    kernel = np.exp(-0.5 * ((GRID[:, None] - s) / bandwidth) ** 2)
    gap = kernel @ p / kernel.sum(axis=1) - p.mean()
    return float(np.average(np.abs(gap), weights=kernel.mean(axis=1)))


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (lambda s: s, 0.087946),
        (lambda s: s**2, 0.088606),
        (lambda s: (s > 0.5).double(), 0.138609),
        (lambda s: torch.full_like(s, 0.3), 0.0),
    ],
    ids=["linear", "square", "step", "constant"],
)
def test_oracles(shape, expected) -> None:
    s = torch.linspace(0, 1, 101, dtype=torch.float64)
    assert gdp_penalty(shape(s), s).item() == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("bandwidth", [0.01, 0.05, 0.1, 0.3, 0.85, 2.0])
@pytest.mark.parametrize("distinct", [7, 100_000])
def test_series_equals_the_direct_sum(bandwidth: float, distinct: int) -> None:
    random = np.random.default_rng(0)
    s = random.integers(0, distinct, 300) / (distinct - 1)
    p = random.random(300)
    value = gdp_penalty(torch.from_numpy(p), torch.from_numpy(s), bandwidth=bandwidth)
    assert value.item() == pytest.approx(direct_gdp(p, s, bandwidth), rel=1e-11)


@pytest.mark.parametrize("n", [3, 200, 1024])
def test_default_bandwidth(n: int) -> None:
    random = np.random.default_rng(n)
    p, s = random.random((2, n))
    value = gdp_penalty(torch.from_numpy(p), torch.from_numpy(s))
    assert value.item() == pytest.approx(direct_gdp(p, s, (3 * n / 4) ** -0.2), rel=1e-11)


def test_values_outside_the_unit_interval_are_clipped() -> None:
    p = torch.tensor([0.1, 0.5, 0.9, 0.3], dtype=torch.float64)
    s = torch.tensor([-0.2, 0.4, 1.3, 0.8], dtype=torch.float64)
    assert gdp_penalty(p, s) == gdp_penalty(p, s.clamp(0, 1))
