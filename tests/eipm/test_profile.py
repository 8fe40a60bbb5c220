"""Where along S a representation is unfair."""

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm_profile, profile_sums
from frem_core.errors import DataError
from frem_core.kernels import available_kernels
from tests.eipm.reference import REPRESENTATION, SENSITIVE, distances

KERNELS = available_kernels()


def sample(n, kind):
    rng = np.random.default_rng(0)
    s = rng.random(n)
    if kind == "ties":
        s = np.round(s * 10) / 10
    return rng.standard_normal((n, 3)) + s[:, None], s


def brute_force(z, s, at, gamma, sigma=1.0, sensitive_kernel="rbf", representation_kernel="rbf"):
    kappa = REPRESENTATION[representation_kernel](distances(z) / sigma)
    for point in at:
        raw = SENSITIVE[sensitive_kernel]((point - s) / gamma)
        w = raw / raw.sum()
        a = w - 1 / len(s)
        yield point, np.sqrt(a @ kappa @ a), 1 / (w**2).sum()


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_equals_brute_force(sensitive_kernel, representation_kernel):
    z, s = sample(150, "ties")
    settings = {
        "gamma": 0.15,
        "sigma": 1.2,
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    profile = eipm_profile(z, s, **settings)
    assert list(profile.columns) == ["s", "ipm", "effective_n"]
    expected = np.array(list(brute_force(z, s, np.unique(s), **settings)))
    np.testing.assert_allclose(profile.to_numpy(), expected, atol=1e-9)


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_noise_removed_equals_brute_force(sensitive_kernel, representation_kernel):
    z, s = sample(150, "ties")
    kernels = {
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    kappa = REPRESENTATION[representation_kernel](distances(z) / 1.2)
    average = (kappa.sum() - np.trace(kappa)) / (150 * 149)
    expected = []
    for point in np.unique(s):
        raw = SENSITIVE[sensitive_kernel]((point - s) / 0.15)
        a = raw / raw.sum() - 1 / 150
        square = a @ kappa @ a - (a**2 * (np.diag(kappa) - average)).sum()
        expected.append(np.sign(square) * np.sqrt(abs(square)))
    found = eipm_profile(z, s, gamma=0.15, sigma=1.2, noise="removed", **kernels)
    np.testing.assert_allclose(found["ipm"], expected, atol=1e-9)
    sums = profile_sums(z, s, sigma=1.2, **kernels).profile(gamma=0.15, noise="removed")
    np.testing.assert_allclose(sums["ipm"], expected, atol=1e-4)


def test_units_are_those_of_the_estimator():
    z, s = sample(150, "ties")
    settings = {"gamma": 0.15, "units": "standardised"}
    small = eipm_profile(1e-3 * z, s, **settings)
    np.testing.assert_allclose(small["ipm"], eipm_profile(z, s, **settings)["ipm"], rtol=1e-6)


def test_square_tiles_equal_brute_force():
    z, s = sample(2100, "continuous")
    profile = eipm_profile(z, s, gamma=0.1, at=[0.0, 0.4, 1.0])
    expected = np.array(list(brute_force(z, s, [0.0, 0.4, 1.0], 0.1)))
    np.testing.assert_allclose(profile.to_numpy(), expected, atol=1e-9)


def test_many_distinct_values_give_quantiles():
    z, s = sample(500, "continuous")
    profile = eipm_profile(z, s, gamma=0.1)
    np.testing.assert_allclose(profile["s"], np.quantile(s, np.linspace(0, 1, 101)))


def test_finds_where_it_is_unfair():
    rng = np.random.default_rng(0)
    s = np.linspace(0, 1, 600)
    z = rng.standard_normal((600, 2)) + 3.0 * (s > 0.8)[:, None]
    profile = eipm_profile(z, s, gamma=0.03).set_index("s")["ipm"]
    assert profile.loc[0.85:].min() > 2 * profile.loc[0.1:0.7].max()


def test_nothing_in_reach():
    z, s = sample(60, "ties")
    profile = eipm_profile(z, s, gamma=0.05, at=[0.5, 3.0], sensitive_kernel="triangular")
    assert np.isnan(profile["ipm"][1])
    assert profile["effective_n"].tolist()[1] == 0.0
    far = eipm_profile(z, s, gamma=0.001, at=[3.0])  # a Gaussian reaches everywhere
    assert np.isfinite(far["ipm"][0])
    assert far["effective_n"][0] == pytest.approx((s == s.max()).sum())


def test_too_few_rows():
    profile = eipm_profile(np.ones((2, 3)), [0.0, 1.0], gamma=0.1)
    assert profile["ipm"].isna().all()
    assert (profile["effective_n"] == 0).all()


def test_equal_opportunity_uses_the_positive_rows():
    z, s = sample(90, "ties")
    labels = np.arange(90) % 2
    positive = labels == 1
    at = np.unique(s)
    ours = eipm_profile(z, s, gamma=0.1, labels=labels, at=at)
    expected = eipm_profile(z[positive], s[positive], gamma=0.1, at=at)
    np.testing.assert_allclose(ours.to_numpy(), expected.to_numpy())


def test_linear_is_close():
    z, s = sample(800, "ties")
    exact = eipm_profile(z, s, gamma=0.1, method="exact")
    linear = eipm_profile(z, s, gamma=0.1, method="linear")
    np.testing.assert_allclose(linear["ipm"], exact["ipm"], rtol=0.05)


def test_tensors_are_welcome():
    z, s = sample(50, "ties")
    rows = torch.tensor(z, requires_grad=True)
    ours = eipm_profile(rows, torch.tensor(s), gamma=0.1)
    np.testing.assert_allclose(ours.to_numpy(), eipm_profile(z, s, gamma=0.1).to_numpy())


@pytest.mark.parametrize("at", [[], [np.nan], ["a"]])
def test_points_are_checked(at):
    z, s = sample(50, "ties")
    with pytest.raises(DataError, match="at must"):
        eipm_profile(z, s, gamma=0.1, at=at)
