"""Weights planned ahead for many batches give what each batch gives by itself."""

import numpy as np
import pytest
import torch

from frem_core.eipm.plan import BatchPlanner
from frem_core.eipm.settings import EipmSettings, check_settings
from frem_core.eipm.stacked import stacked_eipm
from frem_core.eipm.weights import BatchWeights
from frem_core.kernels import available_kernels
from frem_core.methods import get_method
from tests.eipm.reference import brute_force

AGES = 40


def settings(**changes: object) -> EipmSettings:
    usual = {
        "gamma": 0.1,
        "sigma": 1.0,
        "sensitive_kernel": "rbf",
        "representation_kernel": "rbf",
        "method": "exact",
        "features": 64,
        "random_state": 0,
    }
    return check_settings(**(usual | changes))


def column_and_batches() -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Ages of which some are rare, in batches that each lack a few, with a shorter tail."""
    rows, size = 230, 50
    generator = torch.Generator().manual_seed(0)
    s = (torch.rand(rows, generator=generator).square() * AGES).round() / AGES
    order = torch.randperm(rows, generator=generator)
    return s, list(torch.split(order, size))


def planned(s, batches, chosen) -> list:
    return [runs[0][1] for runs in BatchPlanner(s, chosen)([rows[None] for rows in batches])]


@pytest.mark.parametrize("sensitive_kernel", available_kernels())
@pytest.mark.parametrize("representation_kernel", available_kernels())
@pytest.mark.parametrize("gamma", [0.2, 0.005])  # the second leaves rows of rare ages alone
def test_each_batch_has_the_eipm_of_its_definition(sensitive_kernel, representation_kernel, gamma):
    s, batches = column_and_batches()
    kernels = {
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    chosen = settings(gamma=gamma, **kernels)
    plans = planned(s, batches, chosen)
    assert len(plans) == len(batches) == 5
    for rows, plan in zip(batches, plans, strict=True):
        assert plan is not None
        z = torch.randn(1, len(rows), 3, dtype=torch.float64) + s[rows, None]
        found = stacked_eipm(z, s[None, rows], chosen, plan)
        expected = brute_force(z[0].numpy(), s[rows].double().numpy(), gamma, **kernels)
        np.testing.assert_allclose(found.numpy(), [expected], atol=1e-9)


@pytest.mark.parametrize("method", ["exact", "linear"])
@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("sigma", [0.7, "median"])
def test_value_and_gradient_are_those_without_a_plan(method, members, sigma):
    s, batches = column_and_batches()
    chosen = settings(method=method, sigma=sigma)
    for rows, plan in zip(batches, planned(s, batches, chosen), strict=True):
        z = torch.randn(members, len(rows), 4, dtype=torch.float64, requires_grad=True)
        theirs = s[rows].expand(members, -1)
        outer = torch.arange(1.0, members + 1, dtype=torch.float64)
        found, expected = (stacked_eipm(z, theirs, chosen, one) for one in (plan, None))
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-10)
        gradients = (torch.autograd.grad(value @ outer, z)[0] for value in (found, expected))
        torch.testing.assert_close(*gradients, rtol=0, atol=1e-10)


def test_more_batches_than_are_planned_together():
    ages = torch.linspace(0, 1, 20_000).mul(400).round() / 400
    batches = list(torch.split(torch.randperm(len(ages)), 2_000))
    chosen = settings(gamma=0.001)
    plans = planned(ages, batches, chosen)
    for rows, plan in zip(batches, plans, strict=True):
        assert plan is not None
        z, s = torch.randn(1, len(rows), 2), ages[None, rows]
        found, expected = (stacked_eipm(z, s, chosen, one) for one in (plan, None))
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=0)


@pytest.mark.parametrize("sensitive_kernel", ["triangular", "epanechnikov"])
def test_a_continuous_column_is_left_to_the_estimator_where_it_is_not_smooth(sensitive_kernel):
    s = torch.rand(4_000)
    batches = list(torch.split(torch.arange(4_000), 1_000))
    chosen = settings(sensitive_kernel=sensitive_kernel)
    assert planned(s, batches, chosen) == [None] * 4


def test_a_column_too_long_to_keep_is_left_to_the_estimator(monkeypatch):
    monkeypatch.setattr("frem_core.eipm.plan._COLUMN_ENTRIES", 10_000)
    assert planned(torch.rand(1_000), [torch.arange(500)], settings()) == [None]


@pytest.mark.parametrize("m", [1, 20])
@pytest.mark.parametrize("form", ["root", "square"])
@pytest.mark.parametrize("noise", ["kept", "removed"])
def test_a_continuous_column_is_factored_once_for_all_batches(form, noise, m):
    """In batches of 800, 800 and 300 rows, with a value that is far from all others."""
    generator = torch.Generator().manual_seed(0)
    s = torch.rand(1_900, generator=generator)
    s[5] = 1.6
    batches = list(torch.split(torch.randperm(1_900, generator=generator), 800))
    chosen = settings(form=form, noise=noise, gamma=0.05)
    for rows, plan in zip(batches, planned(s, batches, chosen), strict=True):
        assert isinstance(plan, BatchWeights)
        z = torch.randn(1, len(rows), m, generator=generator) + s[rows, None]
        z.requires_grad_()
        theirs = s[None, rows]
        found, expected = (
            stacked_eipm(one, theirs, chosen, given)
            for one, given in ((z, plan), (z.double(), None))
        )
        assert found.item() == pytest.approx(expected.item(), rel=1e-4, abs=1e-6)
        gradient, wanted = (torch.autograd.grad(value, z)[0] for value in (found, expected))
        assert (gradient - wanted).abs().max() < 1e-4 * wanted.abs().max()


def test_members_share_weights_where_they_see_the_same_rows():
    s, batches = column_and_batches()
    frem = get_method("frem")
    stacked = [rows.expand(2, -1) for rows in batches]
    for ((run, weights),) in frem().planner(s)(stacked):
        assert run == slice(0, 2)
        assert weights is not None
    different = [torch.stack([rows, rows.flip(0)]) for rows in batches]
    for first, second in frem().planner(s)(different):
        assert (first[0], second[0]) == (slice(0, 1), slice(1, 2))
        assert torch.equal(first[1].group, second[1].group.flip(1))
    assert list(frem(fairness="eo").planner(s)(stacked)) == [None] * 5
