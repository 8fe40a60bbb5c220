"""Weights of batches that pick their rows from one factor."""

import numpy as np
import pytest
import torch

from frem_core.eipm.plan import BatchPlanner
from frem_core.eipm.settings import check_settings
from frem_core.eipm.stacked import stacked_eipm
from frem_core.eipm.weights import Precision
from frem_core.kernels import get_kernel
from tests.eipm.reference import weights as reference_weights

GAMMA, ROWS = 0.05, 700


def settings_of(form):
    return check_settings(
        gamma=GAMMA,
        sigma=1.0,
        sensitive_kernel="rbf",
        representation_kernel="rbf",
        method="exact",
        features=1,
        random_state=0,
        form=form,
    )


def planned(s, form="root"):
    """Weights of the first rows of a column, and these rows."""
    rows = torch.arange(ROWS)
    ((_, weights),) = next(BatchPlanner(s, settings_of(form))([rows[None]]))
    return weights, s[rows].double().numpy()


def dense(weights):
    """``B Lᵀ - diag(c)`` in float64, from factors in float32."""
    loading, anchor = (factor.double() for factor in weights._factors(slice(0, ROWS)))
    return (anchor @ loading.T - torch.diag(weights.own[0])).numpy()


def column(power, far=()):
    values = torch.rand(3_000, generator=torch.Generator().manual_seed(0)) ** power
    values[: len(far)] = torch.tensor(far)
    return values


@pytest.mark.parametrize("form", ["root", "square"])
@pytest.mark.parametrize("far", [(), (1.6,), (1.6, 2.3, 2.31)])
@pytest.mark.parametrize("power", [1, 8])
def test_rows_keep_their_bound(power, far, form):
    weights, s = planned(column(power, far), form)
    expected, _ = reference_weights(s, GAMMA)
    errors = np.abs(dense(weights) - expected).sum(1)
    assert errors.max() <= Precision.of(torch.float32, ROWS).row


@pytest.mark.parametrize("form", ["root", "square"])
def test_a_crowd_keeps_its_digits(form):
    """Nearly all rows weigh nearly the same, and only the differences count."""
    s = column(power=12)
    weights, _ = planned(s, form)
    generator = torch.Generator().manual_seed(1)
    z = 0.1 * torch.randn(1, ROWS, 20, generator=generator) + 0.1 * s[:ROWS, None]
    settings = settings_of(form)
    gradients = []
    for rows, plan in ((z, weights), (z.double(), None)):
        rows.requires_grad_()
        value = stacked_eipm(rows, s[None, :ROWS], settings, plan)
        gradients.append(torch.autograd.grad(value, rows)[0].double())
    found, expected = gradients
    assert (found - expected).norm() < 1e-6 * expected.norm()


def test_the_factor_is_shorter_than_an_interpolation():
    weights, _ = planned(column(power=1))
    nodes = get_kernel("rbf").interpolation_rank(1 / GAMMA, Precision.of(torch.float32, ROWS).node)
    assert weights.rank < 0.8 * nodes
