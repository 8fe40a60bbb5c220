"""A stack of representations gives the numbers of separate calls."""

import pytest
import torch

from frem_core.eipm import eipm
from frem_core.kernels import available_kernels


def stack(size, n, m, kind, dtype=torch.float64):
    generator = torch.Generator().manual_seed(0)
    s = torch.rand(size, n, generator=generator, dtype=torch.float64)
    if kind == "ties":
        s = (s * 12).round() / 12
    z = torch.randn(size, n, m, generator=generator, dtype=torch.float64) + s[..., None]
    return z.to(dtype).requires_grad_(), s


@pytest.mark.parametrize("sensitive_kernel", available_kernels())
@pytest.mark.parametrize("representation_kernel", available_kernels())
@pytest.mark.parametrize("kind", ["ties", "continuous"])
@pytest.mark.parametrize("s_of", [(0, 1, 2, 3, 4), (0, 0, 1, 1, 0), (0, 0, 0, 0, 0)])
def test_equals_separate_calls(sensitive_kernel, representation_kernel, kind, s_of):
    z, s = stack(5, 40, 3, kind)
    s = s[list(s_of)]
    settings = {
        "gamma": 0.1,
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    together = eipm(z, s, **settings)
    alone = torch.stack([eipm(z[b], s[b], **settings) for b in range(5)])
    assert together.shape == (5,)
    torch.testing.assert_close(together, alone, rtol=0, atol=1e-12)
    outer = torch.arange(1.0, 6.0, dtype=torch.float64)
    (gradient,) = torch.autograd.grad(together @ outer, z)
    (expected,) = torch.autograd.grad(alone @ outer, z)
    torch.testing.assert_close(gradient, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", ["exact", "linear"])
@pytest.mark.parametrize("sensitive_kernel", available_kernels())
def test_many_values_of_s_in_a_stack_that_shares_them(method, sensitive_kernel):
    z, s = stack(3, 2_100, 2, "continuous")  # so many that rows are sorted
    s = s[[0, 0, 1]]
    settings = {
        "gamma": 0.03,
        "sigma": "median",
        "sensitive_kernel": sensitive_kernel,
        "method": method,
    }
    together = eipm(z, s, **settings)
    alone = torch.stack([eipm(z[b], s[b], **settings) for b in range(3)])
    torch.testing.assert_close(together, alone, rtol=1e-10, atol=1e-12)
    (gradient,) = torch.autograd.grad(together.sum(), z)
    (expected,) = torch.autograd.grad(alone.sum(), z)
    torch.testing.assert_close(gradient, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("method", ["exact", "linear"])
@pytest.mark.parametrize("different", [20, 3])
def test_a_stack_too_large_for_one_part(method, different):
    z, s = stack(40, 200, 4, "ties", torch.float32)
    z, s = z[:20], s[torch.arange(20) * different // 20]
    together = eipm(z, s, gamma=0.05, method=method)
    alone = torch.stack([eipm(z[b], s[b], gamma=0.05, method=method) for b in range(20)])
    torch.testing.assert_close(together, alone, rtol=1e-5, atol=0)


def test_members_do_not_share_values_of_s():
    """Each member has groups the others lack."""
    z, s = stack(3, 30, 2, "ties")
    s = s + torch.tensor([[0.0], [0.013], [0.027]])
    alone = torch.stack([eipm(z[b], s[b], gamma=0.05) for b in range(3)])
    torch.testing.assert_close(eipm(z, s, gamma=0.05), alone, rtol=0, atol=1e-12)


def test_median_scale_is_taken_for_each_member():
    z, s = stack(3, 30, 2, "ties")
    stretched = z * torch.tensor([1.0, 10.0, 100.0])[:, None, None]
    torch.testing.assert_close(
        eipm(stretched, s, gamma=0.1, sigma="median"), eipm(z, s, gamma=0.1, sigma="median")
    )


def test_equal_opportunity_with_ragged_positives():
    z, s = stack(4, 30, 2, "ties")
    labels = torch.arange(30) < torch.tensor([[30], [12], [3], [1]])
    together = eipm(z, s, gamma=0.1, labels=labels)
    alone = torch.stack([eipm(z[b, labels[b]], s[b, labels[b]], gamma=0.1) for b in range(4)])
    torch.testing.assert_close(together, alone)
    assert together[3].item() == 0.0
    together.sum().backward()
    assert torch.isfinite(z.grad).all()


def test_a_stack_of_one_is_the_plain_call():
    z, s = stack(1, 50, 3, "continuous")
    torch.testing.assert_close(eipm(z, s, gamma=0.1)[0], eipm(z[0], s[0], gamma=0.1))


def test_an_empty_stack_is_empty():
    assert eipm(torch.zeros(0, 10, 2), torch.zeros(0, 10), gamma=0.1).shape == (0,)
