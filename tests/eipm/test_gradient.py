"""Gradients against finite differences and against automatic differentiation."""

import pytest
import torch

from frem_core.eipm import eipm
from frem_core.kernels import available_kernels, get_kernel

KERNELS = available_kernels()


def sample(n, kind, m=3, dtype=torch.float64, seed=0):
    generator = torch.Generator().manual_seed(seed)
    s = torch.rand(n, generator=generator, dtype=torch.float64)
    if kind == "ties":
        s = (s * 6).round() / 6
    z = torch.randn(n, m, generator=generator, dtype=torch.float64) * 0.6 + s[:, None]
    return z.to(dtype).requires_grad_(), s


def dense(z, s, gamma, sensitive_kernel="rbf", representation_kernel="rbf"):
    """The definition with the kernels' plain formulas, left to automatic differentiation."""
    n = len(z)
    gaps = (s[:, None] - s) / gamma
    raw = get_kernel(sensitive_kernel).sensitive(gaps).to(z.dtype)
    raw = raw * (1 - torch.eye(n, dtype=z.dtype))
    a = (raw / raw.sum(1, keepdim=True) - 1 / (n - 1)) * (1 - torch.eye(n, dtype=z.dtype))
    squared = (z[:, None] - z).square().sum(-1)
    kappa = get_kernel(representation_kernel).representation(squared)
    return ((a @ kappa) * a).sum(1).sqrt().mean()


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_gradcheck(sensitive_kernel, representation_kernel, kind):
    z, s = sample(9, kind)
    settings = {
        "gamma": 0.4,
        "sigma": 1.4,
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    assert torch.autograd.gradcheck(lambda x: eipm(x, s, **settings), z)


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_gradcheck_of_the_linear_form(sensitive_kernel, kind):
    z, s = sample(9, kind)
    settings = {"gamma": 0.4, "sensitive_kernel": sensitive_kernel, "method": "linear"}
    assert torch.autograd.gradcheck(lambda x: eipm(x, s, features=7, **settings), z)


def test_gradcheck_of_equal_opportunity():
    z, s = sample(12, "continuous")
    labels = torch.arange(12) % 3 > 0
    assert torch.autograd.gradcheck(lambda x: eipm(x, s, gamma=0.3, labels=labels), z)
    eipm(z, s, gamma=0.3, labels=labels).backward()
    assert (z.grad[~labels] == 0).all()
    assert (z.grad[labels] != 0).all()


def test_gradcheck_of_a_stack():
    z, s = sample(18, "ties")
    stacked = z.detach().view(2, 9, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: eipm(x, s.view(2, 9), gamma=0.3), stacked)


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_continuous_forms_match_automatic_differentiation(sensitive_kernel, representation_kernel):
    """Interpolation and running sums, which a finite-difference check would be too slow for."""
    z, s = sample(850, "continuous")
    settings = {
        "gamma": 0.2,
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    (expected,) = torch.autograd.grad(dense(z, s, **settings), z)
    (gradient,) = torch.autograd.grad(eipm(z, s, **settings), z)
    torch.testing.assert_close(gradient, expected, rtol=1e-7, atol=1e-9 * float(expected.max()))


@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_square_tiles_match_automatic_differentiation(kind):
    z, s = sample(2100, kind, m=2)
    (expected,) = torch.autograd.grad(dense(z, s, 0.1), z)
    (gradient,) = torch.autograd.grad(eipm(z, s, gamma=0.1), z)
    torch.testing.assert_close(gradient, expected, rtol=1e-7, atol=1e-9 * float(expected.max()))


@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_float32_gradient_keeps_five_digits(kind):
    z, s = sample(900, kind, m=20)
    (expected,) = torch.autograd.grad(dense(z, s, 0.05), z)
    single = z.detach().float().requires_grad_()
    (gradient,) = torch.autograd.grad(eipm(single, s, gamma=0.05), single)
    assert gradient.dtype == torch.float32
    assert (gradient - expected).abs().max() < 1e-5 * expected.abs().max()


def test_linear_blocks_match_one_block(monkeypatch):
    z, s = sample(300, "ties")
    settings = {"gamma": 0.1, "method": "linear", "features": 40}
    value = eipm(z, s, **settings)
    (expected,) = torch.autograd.grad(value, z)
    monkeypatch.setattr("frem_core.eipm.features._BLOCK_ENTRIES", 80 * 37)
    blocked = eipm(z, s, **settings)
    (gradient,) = torch.autograd.grad(blocked, z)
    torch.testing.assert_close(blocked, value)
    torch.testing.assert_close(gradient, expected)


def test_outer_gradient_is_applied():
    z, s = sample(20, "ties")
    (plain,) = torch.autograd.grad(eipm(z, s, gamma=0.1), z)
    (scaled,) = torch.autograd.grad(-3 * eipm(z, s, gamma=0.1), z)
    torch.testing.assert_close(scaled, -3 * plain)


def test_median_scale_counts_as_a_constant():
    z, s = sample(30, "ties")
    distances = torch.pdist(z.detach()).median()
    (expected,) = torch.autograd.grad(eipm(z, s, gamma=0.1, sigma=float(distances)), z)
    (gradient,) = torch.autograd.grad(eipm(z, s, gamma=0.1, sigma="median"), z)
    torch.testing.assert_close(gradient, expected)


def test_no_gradient_is_computed_when_none_is_wanted():
    z, s = sample(20, "ties")
    with torch.no_grad():
        assert not eipm(z, s, gamma=0.1).requires_grad
    assert not eipm(z.detach(), s, gamma=0.1).requires_grad


def test_a_step_downhill_lowers_it():
    z, s = sample(200, "continuous")
    before = eipm(z, s, gamma=0.1)
    before.backward()
    after = eipm(z.detach() - 0.5 * z.grad, s, gamma=0.1)
    assert after < before
