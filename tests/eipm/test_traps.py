"""Inputs that break careless arithmetic: value and gradient must stay finite and right."""

import numpy as np
import pytest
import torch

from frem_core.eipm import DroppedAnchorsWarning, eipm
from frem_core.kernels import available_kernels, get_kernel
from tests.eipm.reference import brute_force

KERNELS = available_kernels()
METHODS = ("exact", "linear")
# Every way to compute every kernel on Z that has that way.
WAYS = [
    (name, method)
    for name in KERNELS
    for method in METHODS
    if method == "exact" or get_kernel(name).features != "none"
]


def value_and_gradient(z, s, **settings):
    z = z.clone().requires_grad_()
    value = eipm(z, s, **settings)
    value.sum().backward()
    assert torch.isfinite(value).all()
    assert torch.isfinite(z.grad).all()
    return value.detach(), z.grad


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize(("representation_kernel", "method"), WAYS)
def test_all_equal_s(dtype, sensitive_kernel, representation_kernel, method):
    settings = {"representation_kernel": representation_kernel, "method": method}
    z = torch.randn(30, 4, dtype=dtype, generator=torch.Generator().manual_seed(0))
    value, gradient = value_and_gradient(
        z, torch.full((30,), 0.3), gamma=0.1, sensitive_kernel=sensitive_kernel, **settings
    )
    assert float(value) == pytest.approx(0.0, abs=1e-6)
    assert gradient.abs().max() < 1e-3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("continuous", [False, True])
@pytest.mark.parametrize(("representation_kernel", "method"), WAYS)
def test_constant_z(dtype, continuous, representation_kernel, method):
    settings = {"representation_kernel": representation_kernel, "method": method}
    n = 900 if continuous else 30
    s = torch.rand(n, generator=torch.Generator().manual_seed(0))
    z = torch.full((n, 4), 0.7, dtype=dtype)
    value, _ = value_and_gradient(z, s, gamma=0.1, **settings)
    assert float(value) == pytest.approx(0.0, abs=2e-3 if dtype == torch.float32 else 1e-6)


@pytest.mark.parametrize("sigma", [1.0, "median"])
def test_constant_z_with_compact_weights(sigma):
    s = torch.rand(900, generator=torch.Generator().manual_seed(0))
    z = torch.full((900, 2), -3.0)
    settings = {"gamma": 0.2, "sigma": sigma, "sensitive_kernel": "epanechnikov"}
    value, _ = value_and_gradient(z, s, **settings)
    assert float(value) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("method", METHODS)
def test_tiny_bandwidth_does_not_underflow(dtype, method):
    """Neighbours hundreds of bandwidths away: all weight goes to the nearest."""
    s = np.array([0.0, 0.1, 0.25, 0.45, 0.7, 1.0])
    z = np.random.default_rng(0).standard_normal((6, 2))
    nearest = [1, 0, 1, 2, 3, 4]
    roots = []
    for i, j in enumerate(nearest):
        a = np.full(6, -1 / 5)
        a[j] += 1
        a[i] = 0.0
        roots.append(np.sqrt(a @ np.exp(-((z[:, None] - z) ** 2).sum(2) / 2) @ a))
    value, _ = value_and_gradient(
        torch.tensor(z, dtype=dtype), torch.tensor(s), gamma=1e-4, method=method, features=4096
    )
    assert float(value) == pytest.approx(np.mean(roots), rel=1e-5 if method == "exact" else 0.05)


def test_isolated_rows_beside_a_crowd_do_not_underflow():
    """Interpolated weights: a few anchors are far from everybody."""
    rng = np.random.default_rng(0)
    s = np.concatenate([rng.random(900) * 0.1, [0.4, 0.7, 1.0]])
    z = rng.standard_normal((903, 3)) + s[:, None]
    # In float64 the nearest neighbour of the last one is 30 bandwidths away.
    expected = brute_force(z, s, 0.01)
    assert eipm(z, s, gamma=0.01) == pytest.approx(expected, abs=1e-9)
    value, _ = value_and_gradient(torch.tensor(z).float(), torch.tensor(s), gamma=0.01)
    assert float(value) == pytest.approx(expected, rel=1e-5)
    value_and_gradient(torch.tensor(z).float(), torch.tensor(s), gamma=1e-4)


@pytest.mark.parametrize("sensitive_kernel", ["triangular", "epanechnikov"])
@pytest.mark.parametrize("method", METHODS)
def test_anchors_without_neighbours_are_dropped(sensitive_kernel, method):
    rng = np.random.default_rng(0)
    s = np.concatenate([rng.random(30) * 0.2, [0.6, 1.0]])
    z = rng.standard_normal((32, 2))
    settings = {"gamma": 0.15, "sensitive_kernel": sensitive_kernel}
    with pytest.warns(DroppedAnchorsWarning, match="2 of 32 rows"):
        value = eipm(z, s, method=method, **settings)
    expected = brute_force(z, s, **settings)
    assert value == pytest.approx(expected, abs=1e-9 if method == "exact" else 0.02)
    # No warning in a training step, where it would come with every batch.
    value_and_gradient(torch.tensor(z), torch.tensor(s), method=method, **settings)


@pytest.mark.parametrize("sensitive_kernel", ["triangular", "epanechnikov"])
def test_running_sums_drop_anchors_too(sensitive_kernel):
    rng = np.random.default_rng(0)
    s = np.concatenate([rng.random(900) * 0.2, [0.6, 0.6009, 1.0]])
    z = rng.standard_normal((903, 2)) + s[:, None]
    settings = {"gamma": 0.05, "sensitive_kernel": sensitive_kernel}
    with pytest.warns(DroppedAnchorsWarning, match="1 of 903 rows"):
        value = eipm(z, s, **settings)
    assert value == pytest.approx(brute_force(z, s, **settings), abs=1e-9)


@pytest.mark.parametrize("sensitive_kernel", ["triangular", "epanechnikov"])
def test_all_anchors_dropped_gives_zero(sensitive_kernel):
    s, z = torch.linspace(0, 1, 10), torch.randn(10, 2)
    settings = {"gamma": 0.01, "sensitive_kernel": sensitive_kernel}
    value, gradient = value_and_gradient(z, s, **settings)
    assert float(value) == 0.0
    assert (gradient == 0).all()
    with pytest.warns(DroppedAnchorsWarning, match="10 of 10"):
        assert eipm(z.numpy(), s.numpy(), **settings) == 0.0


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("method", METHODS)
def test_too_few_rows_give_zero(n, method):
    z, s = torch.randn(n, 3), torch.rand(n)
    value, gradient = value_and_gradient(z, s, gamma=0.1, method=method)
    assert float(value) == 0.0
    assert (gradient == 0).all()
    assert eipm(z.numpy(), s.numpy(), gamma=0.1, method=method) == 0.0


@pytest.mark.parametrize("positives", [0, 1, 2, 3])
def test_equal_opportunity_with_few_positives(positives):
    z, s = torch.randn(20, 3), torch.rand(20)
    labels = torch.arange(20) < positives
    value, _ = value_and_gradient(z, s, gamma=0.1, labels=labels)
    assert (float(value) > 0) == (positives >= 3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_duplicates_far_from_the_origin(dtype, representation_kernel):
    """Inner products of size 1e10 cancel in the distance; coincident rows must count as such."""
    rng = np.random.default_rng(0)
    z = np.round(rng.standard_normal((60, 3)) * 4) / 4 + 1e5
    z[30:] = z[:30]
    s = np.round(rng.random(60) * 10) / 10
    expected = brute_force(z, s, 0.1, representation_kernel=representation_kernel)
    value, _ = value_and_gradient(
        torch.tensor(z, dtype=dtype),
        torch.tensor(s),
        gamma=0.1,
        representation_kernel=representation_kernel,
    )
    assert float(value) == pytest.approx(expected, rel=1e-4 if dtype == torch.float32 else 1e-9)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_two_far_clusters(dtype):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((80, 3)) * 0.5
    z[40:] += 500.0
    z = z.astype(np.float32).astype(np.float64)
    s = np.round(rng.random(80) * 8) / 8
    value, _ = value_and_gradient(torch.tensor(z, dtype=dtype), torch.tensor(s), gamma=0.1)
    assert float(value) == pytest.approx(brute_force(z, s, 0.1), rel=1e-5)


@pytest.mark.parametrize("representation_kernel", ["triangular", "epanechnikov"])
def test_energy_and_means_do_not_go_flat_far_away(representation_kernel):
    """Unlike the Gaussian, and unlike the clipped kernels, they still pull distant rows."""
    z = torch.randn(40, 50, generator=torch.Generator().manual_seed(0)) * 5
    s = torch.linspace(0, 1, 40)
    _, gradient = value_and_gradient(z, s, gamma=0.2, representation_kernel=representation_kernel)
    assert gradient.abs().max() > 1e-4
    _, flat = value_and_gradient(z, s, gamma=0.2)
    assert flat.abs().max() < 1e-4


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_single(dtype):
    z, s = torch.randn(50, 3).to(dtype), torch.rand(50)
    value, gradient = value_and_gradient(z, s, gamma=0.1)
    assert value.dtype == gradient.dtype == dtype
    assert float(value) == pytest.approx(float(eipm(z.float(), s, gamma=0.1)), rel=0.01)
