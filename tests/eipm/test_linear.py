"""The linear-time estimator."""

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.errors import ConfigError


def sample(n, kind="ties", m=10):
    rng = np.random.default_rng(0)
    s = rng.random(n)
    if kind == "ties":
        s = np.round(s * 40) / 40
    return rng.standard_normal((n, m)) * 0.5 + s[:, None], s


@pytest.mark.parametrize("sensitive_kernel", ["rbf", "triangular", "epanechnikov"])
@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_close_to_exact(sensitive_kernel, kind):
    z, s = sample(2000, kind)
    settings = {"gamma": 0.05, "sensitive_kernel": sensitive_kernel}
    exact = eipm(z, s, **settings)
    assert eipm(z, s, method="linear", **settings) == pytest.approx(exact, rel=0.02)


def test_error_falls_with_the_number_of_features():
    z, s = sample(400)
    exact = eipm(z, s, gamma=0.05)

    def spread(features):
        errors = [
            eipm(z, s, gamma=0.05, method="linear", features=features, random_state=seed) - exact
            for seed in range(8)
        ]
        return np.sqrt(np.mean(np.square(errors)))

    assert spread(1024) < spread(16) / 3


def test_snapping_continuous_s_changes_next_to_nothing():
    """Mean matching has exact features, so only the grid on S makes a difference."""
    z, s = sample(1500, "continuous")
    for kernel in ("triangular", "epanechnikov"):
        settings = {
            "gamma": 0.05,
            "sensitive_kernel": kernel,
            "representation_kernel": "epanechnikov",
        }
        exact = eipm(z, s, **settings)
        assert eipm(z, s, method="linear", **settings) == pytest.approx(exact, rel=1e-3)


def test_the_same_seed_gives_the_same_number():
    z, s = sample(300)
    settings = {"gamma": 0.05, "method": "linear", "features": 32}
    assert eipm(z, s, **settings) == eipm(z, s, **settings)
    assert eipm(z, s, **settings) != eipm(z, s, random_state=1, **settings)


def test_auto_switches_with_the_number_of_rows(monkeypatch):
    z, s = sample(300)
    linear = eipm(z, s, gamma=0.05, method="linear")
    monkeypatch.setattr("frem_core.eipm.settings.LARGEST_EXACT", 299)
    assert eipm(z, s, gamma=0.05, method="auto") == linear
    energy = {"gamma": 0.05, "representation_kernel": "triangular"}
    assert eipm(z, s, method="auto", **energy) == eipm(z, s, **energy)


def test_a_kernel_without_features_is_refused():
    z, s = sample(20)
    with pytest.raises(ConfigError, match=r"'triangular' has none.*'epanechnikov' or 'rbf'"):
        eipm(z, s, gamma=0.1, representation_kernel="triangular", method="linear")


def test_many_rows_far_from_the_origin():
    z, s = sample(5000)
    near = eipm(z, s, gamma=0.05, method="linear")
    assert eipm(z + 1e4, s, gamma=0.05, method="linear") == pytest.approx(near, rel=1e-4)


def test_tensors_keep_their_dtype():
    z, s = sample(100)
    for dtype in (torch.float32, torch.float64):
        value = eipm(torch.tensor(z, dtype=dtype), torch.tensor(s), gamma=0.05, method="linear")
        assert value.dtype == dtype
