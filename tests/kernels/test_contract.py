"""What every registered kernel must fulfil; a new kernel is collected by itself."""

import numpy as np
import pytest
import torch

from frem_core.errors import ConfigError
from frem_core.kernels import available_kernels, get_kernel, squared_distances

REFERENCE_SENSITIVE = {
    "rbf": lambda x: np.exp(-(x**2) / 2),
    "triangular": lambda x: np.maximum(0.0, 1 - np.abs(x)),
    "epanechnikov": lambda x: 0.75 * np.maximum(0.0, 1 - x**2),
}
REFERENCE_REPRESENTATION = {
    "rbf": lambda d: np.exp(-(d**2) / 2),
    "triangular": lambda d: 1 - d,
    "epanechnikov": lambda d: 0.75 * (1 - d**2),
}


@pytest.fixture(params=available_kernels())
def kernel(request):
    return get_kernel(request.param)


@pytest.fixture
def gaps():
    return torch.linspace(-3, 3, 601, dtype=torch.float64)


@pytest.fixture
def rows():
    return torch.randn(40, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def test_the_three_kernels_of_the_paper_are_registered():
    assert {"rbf", "triangular", "epanechnikov"} <= set(available_kernels())


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(ConfigError, match="Did you mean 'triangular'"):
        get_kernel("triangle")


def test_it_describes_itself(kernel):
    assert get_kernel(kernel.name) is kernel
    assert kernel.label
    assert "γ" in kernel.sensitive_formula
    assert "σ" in kernel.representation_formula
    assert len(kernel.colour) == 7
    assert kernel.colour.startswith("#")
    assert int(kernel.colour[1:], 16) >= 0


def test_kernels_can_be_told_apart_in_a_figure():
    kernels = [get_kernel(name) for name in available_kernels()]
    for attribute in ("label", "colour", "symbol"):
        assert len({getattr(kernel, attribute) for kernel in kernels}) == len(kernels)


def test_sensitive_weight_is_symmetric_and_never_negative(kernel, gaps):
    weight = kernel.sensitive(gaps)
    assert (weight >= 0).all()
    torch.testing.assert_close(weight, kernel.sensitive(-gaps), rtol=0, atol=0)
    assert weight.max() <= kernel.sensitive(torch.zeros(1, dtype=torch.float64))


def test_sensitive_weight_vanishes_at_the_stated_reach(kernel, gaps):
    beyond = gaps.abs() >= kernel.reach
    assert (kernel.sensitive(gaps)[beyond] == 0).all()
    assert (kernel.sensitive(gaps)[~beyond] > 0).all()


def test_log_weight_is_the_logarithm(kernel, gaps):
    torch.testing.assert_close(kernel.log_sensitive(gaps).exp(), kernel.sensitive(gaps))


def test_polynomial_is_the_weight_within_the_reach(kernel, gaps):
    if kernel.polynomial is None:
        pytest.skip("not a polynomial")
    inside = gaps[gaps.abs() < kernel.reach]
    powers = sum(c * inside.abs() ** p for p, c in enumerate(kernel.polynomial))
    torch.testing.assert_close(kernel.sensitive(inside), powers)


def interpolation_error(kernel, width, rank):
    index = np.arange(rank)
    angle = (2 * index + 1) * np.pi / (2 * rank)
    nodes = torch.from_numpy(width / 2 * np.cos(angle))
    x = torch.linspace(-width / 2, width / 2, 400, dtype=torch.float64)
    share = torch.from_numpy(np.sin(angle) * (-1.0) ** index) / (x[:, None] - nodes)
    loadings = share / share.sum(1, keepdim=True)
    interpolated = loadings @ kernel.sensitive(nodes[:, None] - x)
    return (interpolated - kernel.sensitive(x[:, None] - x)).abs().max()


def test_interpolation_keeps_its_bound(kernel):
    if kernel.interpolation_rank(1.0, 0.1) is None:
        pytest.skip("not smooth")
    for width in (0.3, 4.0, 20.0, 90.0, 600.0):
        for tolerance in (1e-4, 1e-8, 1e-12):
            rank = kernel.interpolation_rank(width, tolerance)
            assert interpolation_error(kernel, width, rank) <= tolerance


def test_what_is_interpolated_has_a_root(kernel):
    if kernel.interpolation_rank(1.0, 0.1) is None:
        pytest.skip("not smooth")
    s = torch.linspace(0.0, 20.0, 300, dtype=torch.float64)
    assert torch.linalg.eigvalsh(kernel.sensitive(s.unsqueeze(1) - s)).min() > -1e-12


def test_similarity_is_symmetric(kernel, rows):
    similarity = kernel.representation(squared_distances(rows))
    torch.testing.assert_close(similarity, similarity.T)


def test_similarity_is_positive_semi_definite_for_weights_that_sum_to_zero(kernel, rows):
    n = len(rows)
    centring = torch.eye(n, dtype=torch.float64) - 1.0 / n
    similarity = kernel.representation(squared_distances(rows))
    assert torch.linalg.eigvalsh(centring @ similarity @ centring).min() > -1e-10


def test_similarity_in_place_and_from_closeness_agree(kernel, rows):
    distances = squared_distances(rows)
    expected = kernel.representation(distances)
    torch.testing.assert_close(
        kernel.from_closeness_(distances * (-0.5 * kernel.closeness_scale)), expected
    )
    torch.testing.assert_close(kernel.representation_(distances), expected)
    assert kernel.representation(torch.zeros(1)) == kernel.at_zero


def test_slope_is_the_derivative(kernel):
    squared = torch.linspace(0.1, 9.0, 50, dtype=torch.float64, requires_grad=True)
    similarity = kernel.representation(squared)
    (derivative,) = torch.autograd.grad(similarity.sum(), squared)
    slope = kernel.times_slope_(torch.ones_like(squared.detach()), similarity.detach())
    torch.testing.assert_close(slope, -2 * derivative)


def test_gradient_is_finite_where_points_coincide(kernel):
    z = torch.ones(4, 3, dtype=torch.float64, requires_grad=True)
    kernel.representation(squared_distances(z)).sum().backward()
    assert torch.isfinite(z.grad).all()
    at_zero = torch.full((3,), kernel.at_zero, dtype=torch.float64)
    assert torch.isfinite(kernel.times_slope_(torch.ones_like(at_zero), at_zero)).all()


def test_features_reproduce_the_kernel(kernel, rows):
    if kernel.features == "none":
        with pytest.raises(ConfigError, match="has no feature map"):
            kernel.feature_map(rows.shape[1], 100, 0)
        return
    features = kernel.feature_map(rows.shape[1], 20_000, 0)
    mapped = features(rows)
    assert mapped.shape == (len(rows), features.width)
    n = len(rows)
    centring = torch.eye(n, dtype=torch.float64) - 1.0 / n
    gram = centring @ (features.weight * mapped @ mapped.T) @ centring
    expected = centring @ kernel.representation(squared_distances(rows)) @ centring
    tolerance = 1e-12 if kernel.features == "exact" else 0.03
    torch.testing.assert_close(gram, expected, rtol=0, atol=tolerance)


def test_features_carry_gradients_back(kernel, rows):
    if kernel.features == "none":
        pytest.skip("no feature map")
    features = kernel.feature_map(rows.shape[1], 5, 0)
    z = rows.clone().requires_grad_()
    outer = torch.randn(len(rows), features.width, dtype=torch.float64)
    mapped = features(z.detach())
    step = 1e-6
    pulled = features.pull(mapped, outer)
    shifted = rows.clone()
    shifted[3, 2] += step
    numerical = ((features(shifted) - mapped) * outer).sum() / step
    assert float(pulled[3, 2]) == pytest.approx(float(numerical), abs=1e-5)


@pytest.mark.parametrize("name", sorted(REFERENCE_SENSITIVE))
def test_values_match_the_formulas(name, gaps):
    kernel = get_kernel(name)
    expected = torch.from_numpy(REFERENCE_SENSITIVE[name](gaps.numpy()))
    torch.testing.assert_close(kernel.sensitive(gaps), expected)
    distance = torch.linspace(0, 4, 50, dtype=torch.float64)
    reference = torch.from_numpy(REFERENCE_REPRESENTATION[name](distance.numpy()))
    similarity = kernel.representation(distance**2)
    constant = reference[0] - similarity[0]  # may be left out
    torch.testing.assert_close(similarity + constant, reference)


def test_distances_of_duplicates_are_not_negative():
    z = torch.randn(50, 9) * 100
    z[25:] = z[:25]
    distances = squared_distances(z)
    assert (distances >= 0).all()
    exact = torch.cdist(z.double(), z.double()) ** 2
    torch.testing.assert_close(distances.double(), exact, rtol=1e-4, atol=0.2)


def test_a_slope_that_is_said_to_be_the_similarity_is(kernel):
    similarity = kernel.representation(torch.linspace(0.1, 9, 50, dtype=torch.float64))
    slope = kernel.times_slope_(torch.ones_like(similarity), similarity)
    assert torch.equal(slope, similarity) == kernel.slope_is_similarity
