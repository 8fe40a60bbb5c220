import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.eipm.nadaraya_watson import eipm_nadaraya_watson, importance_gram, smoothed_gram
from frem_core.errors import ConfigError, DataError


def sample(n, dimension, seed=0):
    rng = np.random.default_rng(seed)
    s = rng.normal(size=n)
    return (rng.normal(size=(n, dimension)) + 0.7 * s[:, None]) / np.sqrt(dimension), s


def weights_without(i, s, gamma):
    weights = np.exp(-((s - s[i]) ** 2) / (2 * gamma**2))
    weights[i] = 0.0
    return weights / weights.sum()


def by_numerical_integration(z, s, gamma, sigma, bandwidth):
    """The paper's double integral over the estimated densities, on a fine grid (m = 1)."""
    grid = np.linspace(-12, 12, 1201)
    step = grid[1] - grid[0]
    bumps = np.exp(-((grid - z) ** 2) / (2 * bandwidth**2)) / np.sqrt(2 * np.pi * bandwidth**2)
    kernel = np.exp(-((grid[:, None] - grid) ** 2) / (2 * sigma**2))
    total = 0.0
    for i in range(len(s)):
        marginal = np.delete(bumps, i, axis=0).mean(axis=0)
        conditional = weights_without(i, s, gamma) @ bumps
        squared = (
            marginal @ kernel @ marginal
            + conditional @ kernel @ conditional
            - 2 * marginal @ kernel @ conditional
        )
        total += np.sqrt(squared * step**2)
    return total / len(s)


@pytest.mark.parametrize(("sigma", "bandwidth"), [(1.0, 1.0), (0.6, 0.4), (2.0, 1.5)])
@pytest.mark.parametrize("gamma", [0.3, 0.7])
def test_closed_form_solves_the_integral_over_the_estimated_densities(sigma, bandwidth, gamma):
    z, s = sample(12, 1)
    expected = by_numerical_integration(z, s, gamma, sigma, bandwidth)
    ours = eipm_nadaraya_watson(z, s, gamma=gamma, sigma=sigma, bandwidth_z=bandwidth)
    assert ours == pytest.approx(expected, abs=1e-9)


def test_closed_form_equals_loops_in_several_dimensions():
    z, s = sample(15, 3)
    total = 0.0
    for i in range(15):
        w = weights_without(i, s, 0.4)
        u = np.where(np.arange(15) == i, 0.0, 1 / 14)
        squared = sum(
            (w[j] - u[j]) * (w[k] - u[k]) * 3**-1.5 * np.exp(-((z[j] - z[k]) ** 2).sum() / 6)
            for j in range(15)
            for k in range(15)
        )
        total += np.sqrt(squared)
    assert eipm_nadaraya_watson(z, s, gamma=0.4) == pytest.approx(total / 15, abs=1e-12)


@pytest.mark.parametrize("dimension", [1, 5])
def test_vanishing_bandwidth_in_z_gives_the_proposed_estimator(dimension):
    z, s = sample(40, dimension)
    ours = eipm_nadaraya_watson(z, s, gamma=0.5, bandwidth_z=1e-5)
    assert ours == pytest.approx(eipm(z, s, gamma=0.5), abs=1e-8)


@pytest.mark.parametrize(("dimension", "sigma", "bandwidth"), [(1, 1.0, 1.0), (2, 0.8, 0.7)])
def test_importance_samples_estimate_the_closed_form_without_bias(dimension, sigma, bandwidth):
    z = torch.from_numpy(sample(8, dimension)[0])
    settings = {"sigma": sigma, "bandwidth_z": bandwidth}
    rng = np.random.default_rng(5)
    runs = torch.stack([importance_gram(z, draws=400, rng=rng, **settings) for _ in range(200)])
    error = (runs.mean(0) - smoothed_gram(z, **settings)) / (runs.std(0) / 200**0.5)
    assert error.abs().max() < 4.5


def test_importance_sampling_approaches_the_closed_form():
    z, s = sample(60, 1)
    exact = eipm_nadaraya_watson(z, s, gamma=0.5)
    sampled = [
        eipm_nadaraya_watson(
            z, s, gamma=0.5, integration="importance", draws=1500, random_state=seed
        )
        for seed in range(10)
    ]
    standard_error = np.std(sampled, ddof=1) / np.sqrt(10)
    assert abs(np.mean(sampled) - exact) < 4 * standard_error
    assert standard_error < 0.02 * exact


def test_the_same_seed_gives_the_same_importance_sample():
    z, s = sample(20, 2)
    settings = {"gamma": 0.5, "integration": "importance", "draws": 50}
    first = eipm_nadaraya_watson(z, s, random_state=7, **settings)
    assert eipm_nadaraya_watson(z, s, random_state=7, **settings) == first
    assert eipm_nadaraya_watson(z, s, random_state=8, **settings) != first


def test_an_anchor_far_from_all_others_keeps_the_result_finite():
    z, s = sample(20, 2)
    s[0] = 1e4  # every kernel weight of this anchor underflows
    assert 0 < eipm_nadaraya_watson(z, s, gamma=0.01) < 1


@pytest.mark.parametrize("n", [1, 2])
def test_two_rows_or_fewer_give_zero(n):
    assert eipm_nadaraya_watson(np.arange(n), np.arange(n), gamma=0.5) == 0.0


def test_equal_s_or_constant_z_gives_zero():
    z, s = sample(30, 2)
    assert eipm_nadaraya_watson(z, np.ones(30), gamma=0.5) == pytest.approx(0.0, abs=1e-7)
    assert eipm_nadaraya_watson(np.ones((30, 2)), s, gamma=0.5) == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("name", ["gamma", "sigma", "bandwidth_z", "draws"])
def test_settings_must_be_positive(name):
    z, s = sample(10, 1)
    with pytest.raises(ConfigError, match=name):
        eipm_nadaraya_watson(z, s, **{"gamma": 0.5, name: 0})


def test_bad_input_is_named():
    z, s = sample(10, 1)
    with pytest.raises(ConfigError, match="'closed_form' or 'importance'"):
        eipm_nadaraya_watson(z, s, gamma=0.5, integration="monte carlo")  # type: ignore[arg-type]
    with pytest.raises(DataError):
        eipm_nadaraya_watson(z, s[1:], gamma=0.5)
