"""The stated error bound of interpolated weights."""

import numpy as np
import pytest
import torch

from frem_core.eipm.plan import plan_weights
from frem_core.eipm.weights import InterpolatedWeights, Precision
from frem_core.kernels import get_kernel
from tests.eipm.reference import weights as reference_weights


def dense(plan, n):
    """``B Lᵀ - diag(c)``."""
    loading, anchor = plan._factors(slice(0, n))
    return (anchor @ loading.T - torch.diag(plan.own[0])).numpy()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("gamma", [0.02, 0.1, 1.0])
@pytest.mark.parametrize("power", [1, 8])
def test_rows_keep_their_bound(dtype, gamma, power):
    n = 1200
    s = np.random.default_rng(0).random(n) ** power
    plan = plan_weights(torch.from_numpy(s)[None], get_kernel("rbf"), gamma, dtype)
    assert isinstance(plan, InterpolatedWeights)
    expected, _ = reference_weights(s, gamma)
    row_errors = np.abs(dense(plan, n) - expected).sum(1)
    assert row_errors.max() <= Precision.of(dtype, n).row


def test_rows_sum_to_zero_and_leave_the_anchor_out():
    s = torch.rand(1, 900, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    weights = dense(plan_weights(s, get_kernel("rbf"), 0.05, torch.float64), 900)
    np.testing.assert_allclose(weights.sum(1), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.diag(weights), 0.0, atol=1e-12)


def test_lonely_anchors_are_not_interpolated():
    s = torch.cat(
        [torch.rand(900, generator=torch.Generator().manual_seed(0)), torch.tensor([2.0])]
    )
    plan = plan_weights(s.double()[None], get_kernel("rbf"), 0.05, torch.float64)
    assert plan._isolated.tolist() == [900]
    assert float(plan.own[0, 900]) == 0.0


@pytest.mark.parametrize("n", [100, 10_000, 1_000_000])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_bound_follows_from_its_parts(n, dtype):
    precision = Precision.of(dtype, n)
    assert n * precision.node / precision.smallest_mass == pytest.approx(precision.row)
