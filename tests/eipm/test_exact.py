"""The exact estimator against its definition."""

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.eipm.plan import plan_weights
from frem_core.eipm.weights import GroupedWeights, InterpolatedWeights, PrefixWeights
from frem_core.kernels import available_kernels, get_kernel
from tests.eipm.reference import brute_force, dense, weights

KERNELS = available_kernels()


def sample(n, kind, seed=0, m=5):
    rng = np.random.default_rng(seed)
    s = rng.random(n)
    if kind == "ties":
        s = np.round(s * 20) / 20
    if kind == "skewed":
        s = s**6
    return rng.standard_normal((n, m)) * 0.5 + s[:, None], s


@pytest.mark.parametrize(("gamma", "expected"), [(0.1, 0.603983), (0.05, 0.676726)])
def test_published_values(gamma, expected):
    i = np.arange(200)
    z = np.column_stack([np.sin(i), np.cos(2 * i)])
    assert eipm(z, (np.sin(i) + 1) / 2, gamma=gamma) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
@pytest.mark.parametrize("kind", ["ties", "continuous", "skewed"])
@pytest.mark.filterwarnings("ignore::frem_core.eipm.DroppedAnchorsWarning")
def test_equals_brute_force(sensitive_kernel, representation_kernel, kind):
    z, s = sample(70, kind)
    for gamma in (0.02, 0.2, 1.5):
        settings = {
            "gamma": gamma,
            "sigma": 1.3,
            "sensitive_kernel": sensitive_kernel,
            "representation_kernel": representation_kernel,
        }
        assert eipm(z, s, **settings) == pytest.approx(brute_force(z, s, **settings), abs=1e-9)


@pytest.mark.parametrize(
    ("sensitive_kernel", "form"),
    [("rbf", InterpolatedWeights), ("triangular", PrefixWeights), ("epanechnikov", PrefixWeights)],
)
@pytest.mark.parametrize("representation_kernel", KERNELS)
@pytest.mark.filterwarnings("ignore::frem_core.eipm.DroppedAnchorsWarning")
def test_continuous_forms_equal_the_dense_form(sensitive_kernel, form, representation_kernel):
    for kind in ("continuous", "skewed"):
        z, s = sample(900, kind)
        for gamma in (0.02, 0.1, 1.2):
            ordered = torch.from_numpy(np.sort(s))[None]
            plan = plan_weights(ordered, get_kernel(sensitive_kernel), gamma, torch.float64)
            assert isinstance(plan, form)
            settings = {
                "gamma": gamma,
                "sensitive_kernel": sensitive_kernel,
                "representation_kernel": representation_kernel,
            }
            assert eipm(z, s, **settings) == pytest.approx(dense(z, s, **settings), abs=1e-9)


@pytest.mark.parametrize("kind", ["ties", "continuous"])
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_square_tiles_equal_the_dense_form(kind, representation_kernel):
    z, s = sample(2300, kind)
    settings = {"gamma": 0.1, "representation_kernel": representation_kernel}
    assert eipm(z, s, **settings) == pytest.approx(dense(z, s, **settings), abs=1e-9)


def test_order_of_rows_does_not_matter():
    z, s = sample(2300, "ties")
    order = np.random.default_rng(1).permutation(len(s))
    assert eipm(z[order], s[order], gamma=0.1) == pytest.approx(eipm(z, s, gamma=0.1), abs=1e-12)


def test_ties_are_grouped():
    _, s = sample(900, "ties")
    plan = plan_weights(torch.from_numpy(s)[None], get_kernel("rbf"), 0.05, torch.float64)
    assert isinstance(plan, GroupedWeights)
    assert plan.rank == len(np.unique(s))


@pytest.mark.parametrize("kind", ["ties", "continuous", "skewed"])
@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_float32_keeps_five_digits(kind, sensitive_kernel, representation_kernel):
    z, s = sample(900, kind, m=20)
    settings = {
        "gamma": 0.1,
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    single = eipm(torch.from_numpy(z).float(), torch.from_numpy(s), **settings)
    assert single.dtype == torch.float32
    assert float(single) == pytest.approx(dense(z, s, **settings), rel=1e-5)


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
def test_equal_opportunity_is_the_masked_form(sensitive_kernel):
    z, s = sample(60, "continuous")
    labels = (np.random.default_rng(3).random(60) < 0.6).astype(int)
    positive = labels == 1
    n1 = positive.sum()
    # Proposition C: weights over all rows, restricted to Y = 1 by indicators.
    k = np.zeros((60, 60))
    for i in np.flatnonzero(positive):
        _, kept = weights(s[positive], 0.3, sensitive_kernel)
        assert kept.all()
        raw = _raw(s, i, 0.3, sensitive_kernel) * positive
        raw[i] = 0.0
        k[i] = (raw / raw.sum() - 1 / (n1 - 1)) * positive
        k[i, i] = 0.0
    kappa = np.exp(-((z[:, None] - z) ** 2).sum(2) / 2)  # the default on Z
    masked = sum(np.sqrt(k[i] @ kappa @ k[i]) for i in np.flatnonzero(positive)) / n1
    ours = eipm(z, s, gamma=0.3, sensitive_kernel=sensitive_kernel, labels=labels)
    assert ours == pytest.approx(masked, abs=1e-12)
    subset = eipm(z[positive], s[positive], gamma=0.3, sensitive_kernel=sensitive_kernel)
    assert ours == pytest.approx(subset, abs=1e-15)


def _raw(s, i, gamma, kernel):
    return get_kernel(kernel).sensitive(torch.from_numpy((s[i] - s) / gamma)).numpy()


def test_positive_label_can_be_anything_comparable():
    z, s = sample(60, "ties")
    labels = np.where(np.arange(60) % 3 == 0, 7, -1)
    expected = eipm(z[labels == 7], s[labels == 7], gamma=0.1)
    assert eipm(z, s, gamma=0.1, labels=labels, positive_label=7) == expected
    assert eipm(z, s, gamma=0.1, labels=labels == 7, positive_label=True) == expected


def test_scale_is_a_unit_of_length():
    z, s = sample(100, "ties")
    assert eipm(z * 3, s, gamma=0.1, sigma=3.0) == pytest.approx(eipm(z, s, gamma=0.1), abs=1e-12)


def test_median_scale_makes_it_free_of_scale():
    z, s = sample(700, "ties")
    median = eipm(z, s, gamma=0.1, sigma="median")
    assert eipm(z * 100, s, gamma=0.1, sigma="median") == pytest.approx(median, abs=1e-12)


def test_median_scale_is_the_median_distance():
    z, s = sample(60, "ties")
    first, second = np.triu_indices(60, 1)
    distances = np.sort(np.linalg.norm(z[first] - z[second], axis=1))
    sigma = float(distances[(len(distances) - 1) // 2])
    expected = eipm(z, s, gamma=0.1, sigma=sigma)
    assert eipm(z, s, gamma=0.1, sigma="median") == pytest.approx(expected, abs=1e-12)


def test_independent_representation_is_nearly_fair_and_dependent_is_not():
    rng = np.random.default_rng(0)
    s = rng.random(1000)
    noise = rng.standard_normal((1000, 2))
    fair = eipm(noise, s, gamma=0.1)
    unfair = eipm(noise + 2 * s[:, None], s, gamma=0.1)
    assert fair < 0.1 < 0.18 < unfair


def test_one_dimensional_representation_may_be_flat():
    z, s = sample(50, "ties", m=1)
    assert eipm(z[:, 0], s, gamma=0.1) == eipm(z, s[:, None], gamma=0.1)


def test_auto_is_exact_for_moderate_n():
    z, s = sample(200, "ties")
    assert eipm(z, s, gamma=0.1, method="auto") == eipm(z, s, gamma=0.1)
