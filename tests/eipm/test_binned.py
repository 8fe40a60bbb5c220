import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.eipm import binned
from frem_core.eipm.binned import bin_contrasts, eipm_binned
from frem_core.errors import ConfigError, DataError

KERNELS = {
    "rbf": lambda d, sigma: np.exp(-(d**2) / (2 * sigma**2)),
    "triangular": lambda d, sigma: 1 - d / sigma,
    "epanechnikov": lambda d, sigma: 0.75 * (1 - d**2 / sigma**2),
}


def brute_force(z, labels, kernel, sigma):
    """Σ_b (n_b/n)·MMD with every mean written as a loop over pairs."""
    n = len(z)

    def mean_kernel(first, second):
        values = [kernel(np.linalg.norm(z[j] - z[k]), sigma) for j in first for k in second]
        return np.mean(values)

    everyone = range(n)
    total = 0.0
    for label in set(labels):
        members = [j for j in everyone if labels[j] == label]
        squared = (
            mean_kernel(members, members)
            + mean_kernel(everyone, everyone)
            - 2 * mean_kernel(members, everyone)
        )
        total += len(members) / n * np.sqrt(max(squared, 0.0))
    return total


def sample(n, dimension, seed=0):
    rng = np.random.default_rng(seed)
    s = rng.normal(size=n)
    return rng.normal(size=(n, dimension)) + 0.7 * s[:, None], s


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dimension", [1, 4])
@pytest.mark.parametrize("bins", [2, 3, 4, 7])
def test_equals_loops_over_pairs_with_pandas_quantile_bins(kernel, dimension, bins):
    z, s = sample(41, dimension)
    labels = list(pd.qcut(s, bins, labels=False))
    expected = brute_force(z, labels, KERNELS[kernel], 1.3)
    ours = eipm_binned(z, s, bins=bins, sigma=1.3, representation_kernel=kernel)
    assert ours == pytest.approx(expected, abs=1e-12)


def test_ties_merge_equal_edges_and_keep_equal_values_together():
    z, _ = sample(40, 2)
    s = np.array([0.0] * 25 + [1.0] * 10 + [2.0] * 5)  # the first two quartile edges are both 0
    merged = list(np.where(s <= 0, 0, np.where(s <= 1, 1, 2)))
    expected = brute_force(z, merged, KERNELS["rbf"], 1.0)
    assert eipm_binned(z, s, bins=4) == pytest.approx(expected, abs=1e-12)


def test_empty_bins_have_no_weight_and_no_contrast():
    contrasts, shares = bin_contrasts(np.array([0.0, 0.0, 0.0, 5.0]), 4)
    assert shares.tolist() == [0.75, 0.0, 0.0, 0.25]
    assert contrasts[1].abs().sum() == contrasts[2].abs().sum() == 0


@pytest.mark.parametrize("bins", [1, 5, 100])
def test_one_value_of_s_is_one_bin_and_gives_zero(bins):
    z, _ = sample(20, 3)
    assert eipm_binned(z, np.full(20, 3.5), bins=bins) == pytest.approx(0.0, abs=1e-7)


def test_constant_representation_gives_zero():
    _, s = sample(20, 1)
    assert eipm_binned(np.full((20, 3), 7.0), s, bins=3) == pytest.approx(0.0, abs=1e-7)


def test_more_bins_than_rows_puts_every_row_in_its_own_bin():
    z, s = sample(6, 2)
    expected = brute_force(z, list(range(6)), KERNELS["rbf"], 1.0)
    assert eipm_binned(z, s, bins=50) == pytest.approx(expected, abs=1e-12)


def test_contrasts_of_a_stack_equal_those_of_each_sample():
    stack = np.random.default_rng(3).normal(size=(5, 30))
    contrasts, shares = bin_contrasts(stack, 4)
    for one, contrast, share in zip(stack, contrasts, shares, strict=True):
        alone = bin_contrasts(one, 4)
        assert torch.equal(contrast, alone[0])
        assert torch.equal(share, alone[1])


def test_walking_in_small_blocks_changes_nothing(monkeypatch):
    z, s = sample(57, 3)
    whole = eipm_binned(z, s, bins=3)
    monkeypatch.setattr(binned, "_BLOCK_ENTRIES", 57 * 4)
    assert eipm_binned(z, s, bins=3) == pytest.approx(whole, abs=1e-14)


def test_a_far_away_origin_does_not_cost_precision():
    z, s = sample(50, 2)
    assert eipm_binned(z + 1e5, s, bins=3) == pytest.approx(eipm_binned(z, s, bins=3), abs=1e-8)


def test_one_dimensional_z_tensors_and_lists_are_accepted():
    z, s = sample(30, 1)
    expected = eipm_binned(z, s, bins=2)
    assert eipm_binned(z[:, 0], s, bins=2) == expected
    assert eipm_binned(z.tolist(), s.tolist(), bins=2) == expected
    single = eipm_binned(torch.tensor(z, dtype=torch.float32), torch.tensor(s), bins=2)
    assert single == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("bins", [0, -1, 2.5])
def test_bins_must_be_a_positive_whole_number(bins):
    z, s = sample(10, 1)
    with pytest.raises(ConfigError, match="bins must be a whole number"):
        eipm_binned(z, s, bins=bins)


def test_bad_input_is_named():
    z, s = sample(10, 1)
    with pytest.raises(ConfigError, match="sigma"):
        eipm_binned(z, s, bins=2, sigma=0.0)
    with pytest.raises(ConfigError, match="Did you mean 'triangular'"):
        eipm_binned(z, s, bins=2, representation_kernel="trianguler")
    with pytest.raises(DataError):
        eipm_binned(z, s[:-1], bins=2)
    with pytest.raises(DataError):
        eipm_binned(np.where(z > 0, np.nan, z), s, bins=2)
    with pytest.raises(DataError, match="at least one row"):
        eipm_binned(np.empty((0, 2)), np.empty(0), bins=2)
