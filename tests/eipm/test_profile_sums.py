"""Profiles from sums by value of S equal the profiles from all rows."""

import numpy as np
import pytest

from frem_core.eipm import eipm_profile, profile_sums
from frem_core.kernels import available_kernels

RNG = np.random.default_rng(0)
AGES = RNG.integers(0, 12, 150) / 11
Z = (RNG.normal(size=(150, 3)) + AGES[:, None]).astype(np.float32)


@pytest.mark.parametrize("gamma", [0.01, 0.05, 0.5])
@pytest.mark.parametrize("sigma", [0.3, 1.0, "median"])
def test_equals_the_profile_for_any_bandwidth_and_scale(gamma: float, sigma: float | str) -> None:
    found = profile_sums(Z, AGES, sigma=sigma).profile(gamma=gamma)
    expected = eipm_profile(Z, AGES, gamma=gamma, sigma=sigma)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("on_s", available_kernels())
@pytest.mark.parametrize("on_z", available_kernels())
def test_equals_the_profile_for_every_kernel(on_s: str, on_z: str) -> None:
    kernels = {"sensitive_kernel": on_s, "representation_kernel": on_z}
    found = profile_sums(Z, AGES, **kernels).profile(gamma=0.2)
    expected = eipm_profile(Z, AGES, gamma=0.2, **kernels)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_equals_the_profile_of_positive_rows_for_equal_opportunity() -> None:
    labels = RNG.integers(0, 2, 150)
    found = profile_sums(Z, AGES, labels=labels).profile(gamma=0.1)
    expected = eipm_profile(Z, AGES, gamma=0.1, labels=labels)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_more_rows_than_one_tile_holds() -> None:
    s = RNG.integers(0, 74, 2_500) / 73
    z = RNG.normal(size=(2_500, 2)) + s[:, None]
    found = profile_sums(z, s).profile(gamma=0.05)
    np.testing.assert_allclose(found, eipm_profile(z, s, gamma=0.05), rtol=1e-4, atol=1e-6)


def test_a_truly_continuous_attribute_is_rounded_without_a_visible_change() -> None:
    s = RNG.random(1_500)
    z = np.column_stack([np.sin(6 * s), RNG.normal(size=1_500)])
    found = profile_sums(z, s).profile(gamma=0.02)
    expected = eipm_profile(z, s, gamma=0.02, at=found["s"])
    assert len(found) > 90
    np.testing.assert_allclose(found["ipm"], expected["ipm"], rtol=0.02)


def test_fewer_than_three_rows_have_no_profile() -> None:
    profile = profile_sums(Z[:2], AGES[:2]).profile(gamma=0.1)
    assert profile["ipm"].isna().all()
    assert (profile["effective_n"] == 0).all()


def test_values_out_of_reach_of_a_compact_kernel_are_missing() -> None:
    s = np.array([0.0, 0.0, 0.0, 1.0])
    profile = profile_sums(Z[:4], s, sensitive_kernel="triangular").profile(gamma=0.1)
    assert profile["effective_n"].tolist() == pytest.approx([3.0, 1.0])
