"""What is refused, and how it is said."""

import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.eipm import eipm, eipm_profile, eipm_test
from frem_core.errors import ConfigError, DataError

Z = np.random.default_rng(0).standard_normal((10, 2))
S = np.linspace(0, 1, 10)


@pytest.fixture(params=[eipm, eipm_profile, eipm_test])
def function(request):
    return request.param


@pytest.mark.parametrize("gamma", [0, -1, float("nan"), float("inf"), "wide", None])
def test_gamma_must_be_positive(function, gamma):
    with pytest.raises(ConfigError, match=r"gamma.*positive number"):
        function(Z, S, gamma=gamma)


@pytest.mark.parametrize("sigma", [0, -1, float("nan"), "mean"])
def test_sigma_must_be_positive_or_median(function, sigma):
    with pytest.raises(ConfigError, match=r"sigma.*'median'"):
        function(Z, S, gamma=0.1, sigma=sigma)


@pytest.mark.parametrize("role", ["sensitive_kernel", "representation_kernel"])
def test_kernels_are_looked_up(function, role):
    with pytest.raises(ConfigError, match="Did you mean 'epanechnikov'"):
        function(Z, S, gamma=0.1, **{role: "epanechnikof"})


def test_methods_are_looked_up(function):
    with pytest.raises(ConfigError, match="Did you mean 'linear'"):
        function(Z, S, gamma=0.1, method="linaer")


def test_features_must_be_positive():
    with pytest.raises(ConfigError, match="features is 0"):
        eipm(Z, S, gamma=0.1, method="linear", features=0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_missing_values_are_refused(function, bad):
    z, s = Z.copy(), S.copy()
    z[3, 1] = bad
    with pytest.raises(DataError, match="z contains NaN"):
        function(z, S, gamma=0.1)
    s[3] = bad
    with pytest.raises(DataError, match="s contains NaN"):
        function(Z, s, gamma=0.1)


def test_huge_but_finite_values_are_accepted():
    assert np.isfinite(eipm(Z * 1e300, S, gamma=0.1, sigma=1e300))


def test_lengths_must_agree(function):
    with pytest.raises(DataError, match="one sensitive value for each row"):
        function(Z, S[:-1], gamma=0.1)
    with pytest.raises(DataError, match="labels has 9 entries"):
        function(Z, S, gamma=0.1, labels=np.ones(9))


def test_dimensions_are_checked():
    with pytest.raises(DataError, match="3 dimensions"):
        eipm(np.zeros((2, 5, 2)), np.zeros((2, 5)), gamma=0.1)
    with pytest.raises(DataError, match="4 dimensions"):
        eipm(torch.zeros(1, 2, 5, 2), torch.zeros(1), gamma=0.1)
    with pytest.raises(DataError, match=r"S has shape \(1, 2, 5\)"):
        eipm(torch.zeros(1, 2, 5, 2), torch.zeros(1, 2, 5), gamma=0.1)
    with pytest.raises(DataError, match="no columns"):
        eipm(np.zeros((5, 0)), np.zeros(5), gamma=0.1)


def test_text_is_refused():
    with pytest.raises(DataError, match="z must be numbers"):
        eipm([["a"], ["b"]], [0, 1], gamma=0.1)
    with pytest.raises(DataError, match="labels must be numbers"):
        eipm(Z, S, gamma=0.1, labels=["yes", "no"] * 5)


def test_tables_series_and_lists_are_accepted():
    expected = eipm(Z, S, gamma=0.1)
    assert eipm(pd.DataFrame(Z), pd.Series(S), gamma=0.1) == expected
    assert eipm(Z.tolist(), S.tolist(), gamma=0.1) == expected
    assert float(eipm(torch.from_numpy(Z), S, gamma=0.1)) == expected


def test_arguments_are_left_unchanged():
    z, s = Z.copy(), S.copy()
    tensor = torch.from_numpy(Z.copy())
    eipm(z, s, gamma=0.1)
    eipm(tensor, torch.from_numpy(s), gamma=0.1)
    np.testing.assert_array_equal(z, Z)
    np.testing.assert_array_equal(s, S)
    np.testing.assert_array_equal(tensor.numpy(), Z)


def test_whole_numbers_become_floats():
    z = torch.arange(20).view(10, 2)
    assert eipm(z, torch.arange(10), gamma=2.0).dtype == torch.get_default_dtype()
