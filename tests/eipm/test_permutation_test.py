"""Whether an EIPM is more than noise."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from frem_core.eipm import eipm, eipm_test
from frem_core.errors import ConfigError
from frem_core.kernels import available_kernels


def sample(n, kind, effect, seed=0):
    rng = np.random.default_rng(seed)
    s = rng.random(n)
    if kind == "ties":
        s = np.round(s * 10) / 10
    return rng.standard_normal((n, 3)) + effect * s[:, None], s


@pytest.mark.parametrize("sensitive_kernel", available_kernels())
@pytest.mark.parametrize("representation_kernel", available_kernels())
def test_null_is_eipm_of_shuffled_s(sensitive_kernel, representation_kernel):
    z, s = sample(80, "ties", 1.0)
    settings = {
        "gamma": 0.1,
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    result = eipm_test(z, s, permutations=7, random_state=3, method="exact", **settings)
    rng = np.random.default_rng(3)
    null = [eipm(z, s[rng.permutation(80)], **settings) for _ in range(7)]
    assert result.statistic == pytest.approx(eipm(z, s, **settings), rel=1e-6)
    np.testing.assert_allclose(result.null, null, rtol=1e-6)
    assert result.floor == pytest.approx(np.mean(null), rel=1e-6)
    assert result.floor_upper == pytest.approx(np.quantile(null, 0.95), rel=1e-6)
    assert result.p_value == (1 + (result.null >= result.statistic).sum()) / 8


@pytest.mark.parametrize("method", ["exact", "linear"])
@pytest.mark.parametrize("form", ["root", "square"])
def test_null_without_noise_is_that_of_shuffled_s(form, method):
    z, s = sample(80, "ties", 1.0)
    settings = {"gamma": 0.1, "form": form, "noise": "removed", "units": "standardised"}
    result = eipm_test(z, s, permutations=7, random_state=3, method=method, **settings)
    rng = np.random.default_rng(3)
    settings |= {"method": method, "features": 512}
    null = [eipm(z, s[rng.permutation(80)], **settings) for _ in range(7)]
    assert result.statistic == pytest.approx(eipm(z, s, **settings), rel=1e-4)
    np.testing.assert_allclose(result.null, null, atol=1e-5)


def test_floor_without_noise_is_about_zero():
    z, s = sample(120, "continuous", 0.0)
    settings = {"gamma": 0.1, "form": "square", "permutations": 199}
    kept = eipm_test(z, s, **settings)
    removed = eipm_test(z, s, noise="removed", **settings)
    assert abs(removed.floor) < 3 * removed.null.std() / np.sqrt(199)
    assert removed.p_value == kept.p_value
    assert kept.floor > 5 * abs(removed.floor)


def test_interpolated_weights_are_shuffled_too():
    z, s = sample(600, "continuous", 1.0)
    s[:2] = [3.0, 4.0]  # far from everybody
    result = eipm_test(z, s, gamma=0.1, permutations=3, method="exact")
    rng = np.random.default_rng(0)
    null = [eipm(z, s[rng.permutation(600)], gamma=0.1) for _ in range(3)]
    assert result.statistic == pytest.approx(eipm(z, s, gamma=0.1), abs=1e-9)
    np.testing.assert_allclose(result.null, null, atol=1e-9)


@pytest.mark.parametrize("method", ["exact", "linear", "auto"])
def test_finds_dependence(method):
    z, s = sample(300, "continuous", 2.0)
    result = eipm_test(z, s, gamma=0.1, permutations=59, method=method)
    assert result.p_value == pytest.approx(1 / 60)
    assert result.statistic > result.floor_upper > result.floor
    assert result.permutations == 59


@pytest.mark.parametrize("method", ["exact", "linear"])
def test_keeps_its_level_under_independence(method):
    p_values = [
        eipm_test(*sample(60, "ties", 0.0, seed), gamma=0.1, permutations=19, method=method).p_value
        for seed in range(60)
    ]
    # 3 of 60 expected at 5 %; 10 or more would happen less than once in a thousand times.
    assert sum(p <= 0.05 for p in p_values) < 10
    assert 0.35 < np.mean(p_values) < 0.7


def test_dropped_anchors_are_reported():
    z, s = sample(40, "ties", 0.0)
    s[0] = 9.0
    result = eipm_test(z, s, gamma=0.15, sensitive_kernel="triangular", permutations=5)
    assert result.dropped == 1


def test_too_few_rows():
    result = eipm_test(np.ones((2, 1)), [0.0, 1.0], gamma=0.1, permutations=5)
    assert (result.statistic, result.p_value) == (0.0, 1.0)


def test_equal_opportunity_uses_the_positive_rows():
    z, s = sample(90, "ties", 1.0)
    labels = np.arange(90) % 2
    settings = {"gamma": 0.1, "permutations": 5}
    ours = eipm_test(z, s, labels=labels, **settings)
    assert ours == eipm_test(z[labels == 1], s[labels == 1], **settings)


def test_result_is_frozen_and_repeatable():
    z, s = sample(50, "ties", 0.5)
    result = eipm_test(z, s, gamma=0.1, permutations=9)
    assert result == eipm_test(z, s, gamma=0.1, permutations=9)
    assert result != eipm_test(z, s, gamma=0.1, permutations=9, random_state=1)
    with pytest.raises(FrozenInstanceError):
        result.p_value = 0.0


def test_permutations_are_checked():
    with pytest.raises(ConfigError, match="permutations is 0"):
        eipm_test(np.ones((5, 1)), np.arange(5), gamma=0.1, permutations=0)
