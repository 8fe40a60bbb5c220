"""EIPM as a mean of squares, and with the noise of the rows removed."""

from itertools import product

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.errors import ConfigError
from frem_core.kernels import available_kernels, get_kernel
from tests.eipm.reference import REPRESENTATION, distances, weights

KERNELS = available_kernels()
FORMS = [("square", "kept"), ("square", "removed"), ("root", "removed")]


def sample(n, kind, m=3, seed=0):
    generator = np.random.default_rng(seed)
    s = generator.random(n)
    if kind == "ties":
        s = np.round(s * 6) / 6
    return 0.6 * generator.standard_normal((n, m)) + s[:, None], s


def brute_force(
    z, s, gamma, form, noise, sensitive_kernel="rbf", representation_kernel="rbf", sigma=1.0
):
    """``mean_i [q_i - Σ_j A_ij² (κ_jj - κ̄)]``."""
    a, kept = weights(s, gamma, sensitive_kernel)
    kappa = REPRESENTATION[representation_kernel](distances(z) / sigma)
    others = ~np.eye(len(s), dtype=bool)
    average = kappa[others].mean()
    squares = ((a @ kappa) * a).sum(1)
    if noise == "removed":
        squares -= (a**2 * (np.diag(kappa) - average)).sum(1)
    mean = squares[kept].mean()
    return mean if form == "square" else np.sign(mean) * np.sqrt(abs(mean))


@pytest.mark.filterwarnings("ignore::frem_core.eipm.DroppedAnchorsWarning")
@pytest.mark.parametrize(("form", "noise"), FORMS)
@pytest.mark.parametrize("kind", ["ties", "continuous"])
@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
@pytest.mark.parametrize("gamma", [0.3, 0.02])  # the second leaves anchors without neighbours
def test_few_rows_equal_the_definition(
    form, noise, kind, sensitive_kernel, representation_kernel, gamma
):
    z, s = sample(40, kind)
    kernels = {
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    found = eipm(z, s, gamma=gamma, form=form, noise=noise, sigma=1.3, **kernels)
    expected = brute_force(z, s, gamma, form, noise, sigma=1.3, **kernels)
    assert found == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_interpolation_and_running_sums_equal_the_definition(
    sensitive_kernel, representation_kernel
):
    z, s = sample(850, "continuous")
    s[0] = 3.0  # far from all others
    kernels = {
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    gamma = 0.2 if sensitive_kernel == "rbf" else 2.5  # reaches it
    for noise in ("kept", "removed"):
        found = eipm(z, s, gamma=gamma, form="square", noise=noise, **kernels)
        expected = brute_force(z, s, gamma, "square", noise, **kernels)
        assert found == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("n", [60, 850])  # the second in half of the matrix
@pytest.mark.parametrize("kind", ["ties", "continuous"])
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_one_column_equals_the_definition(n, kind, representation_kernel):
    z, s = sample(n, kind, m=1)
    z = torch.from_numpy(z).requires_grad_()
    settings = {"form": "square", "noise": "removed"}
    value = eipm(z, s, gamma=0.2, representation_kernel=representation_kernel, **settings)
    kernels = {"representation_kernel": representation_kernel}
    expected = brute_force(z.detach().numpy(), s, 0.2, "square", "removed", **kernels)
    assert value.item() == pytest.approx(expected, abs=1e-10)
    (gradient,) = torch.autograd.grad(value, z)
    wanted = dense_gradient(z, torch.from_numpy(s), 0.2, "rbf", representation_kernel)
    torch.testing.assert_close(gradient, wanted, rtol=1e-6, atol=1e-8 * float(wanted.max()))


@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_square_tiles_equal_the_definition(kind):
    z, s = sample(2100, kind, m=2)
    found = eipm(z, s, gamma=0.1, form="square", noise="removed")
    expected = brute_force(z, s, 0.1, "square", "removed")
    assert found == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("form", "noise"), FORMS)
@pytest.mark.parametrize("kind", ["ties", "continuous"])
@pytest.mark.parametrize("sensitive_kernel", KERNELS)
@pytest.mark.parametrize("representation_kernel", KERNELS)
def test_gradcheck(form, noise, kind, sensitive_kernel, representation_kernel):
    z, s = map(torch.from_numpy, sample(9, kind))
    settings = {
        "gamma": 0.4,
        "sigma": 1.4,
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
        "form": form,
        "noise": noise,
    }
    assert torch.autograd.gradcheck(lambda x: eipm(x, s, **settings), z.requires_grad_())


@pytest.mark.parametrize(("form", "noise"), FORMS)
@pytest.mark.parametrize("sensitive_kernel", KERNELS)
def test_gradcheck_of_the_linear_form(form, noise, sensitive_kernel):
    z, s = map(torch.from_numpy, sample(9, "ties"))
    settings = {"gamma": 0.4, "sensitive_kernel": sensitive_kernel, "method": "linear"}
    settings |= {"form": form, "noise": noise, "features": 7}
    assert torch.autograd.gradcheck(lambda x: eipm(x, s, **settings), z.requires_grad_())


def test_gradcheck_of_equal_opportunity_and_of_a_stack():
    z, s = map(torch.from_numpy, sample(24, "ties"))
    labels = torch.arange(24) % 3 > 0
    settings = {"gamma": 0.3, "form": "square", "noise": "removed"}
    z.requires_grad_()
    assert torch.autograd.gradcheck(lambda x: eipm(x, s, labels=labels, **settings), z)
    alike = s[:12].repeat(2, 1)
    different = s.view(2, 12)
    for members in (alike, different):
        assert torch.autograd.gradcheck(
            lambda x, theirs=members: eipm(x.view(2, 12, 3), theirs, **settings), z
        )


def dense_gradient(z, s, gamma, sensitive_kernel, representation_kernel):
    """Of the noise-free square, left to automatic differentiation."""
    n = len(z)
    a = torch.from_numpy(weights(s.numpy(), gamma, sensitive_kernel)[0])
    kappa = get_kernel(representation_kernel).representation((z[:, None] - z).square().sum(-1))
    average = (kappa.sum() - kappa.trace()) / (n * (n - 1))
    noise = (a**2 * (kappa.diagonal() - average)).sum(1)
    return torch.autograd.grad((((a @ kappa) * a).sum(1) - noise).mean(), z)[0]


@pytest.mark.parametrize(
    ("n", "sensitive_kernel", "representation_kernel"),
    [*product([850], KERNELS, KERNELS), (2100, "rbf", "rbf")],  # the last in square tiles
)
def test_continuous_forms_match_automatic_differentiation(
    n, sensitive_kernel, representation_kernel
):
    z, s = map(torch.from_numpy, sample(n, "continuous", m=2))
    z.requires_grad_()
    kernels = {
        "sensitive_kernel": sensitive_kernel,
        "representation_kernel": representation_kernel,
    }
    expected = dense_gradient(z, s, 0.2, **kernels)
    value = eipm(z, s, gamma=0.2, form="square", noise="removed", **kernels)
    (gradient,) = torch.autograd.grad(value, z)
    torch.testing.assert_close(gradient, expected, rtol=1e-6, atol=1e-8 * float(expected.max()))


@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_float32_keeps_four_digits(kind):
    z, s = map(torch.from_numpy, sample(900, kind, m=20))
    settings = {"gamma": 0.05, "form": "square", "noise": "removed"}
    gradients = []
    for dtype in (torch.float64, torch.float32):
        rows = z.to(dtype).requires_grad_()
        value = eipm(rows, s, **settings)
        gradients.append(torch.autograd.grad(value, rows)[0].double())
    wide, narrow = gradients
    assert (narrow - wide).abs().max() < 1e-4 * wide.abs().max()
    assert value.item() == pytest.approx(eipm(z, s, **settings).item(), abs=1e-6)


def test_linear_blocks_match_one_block(monkeypatch):
    z, s = map(torch.from_numpy, sample(300, "ties"))
    z.requires_grad_()
    settings = {"gamma": 0.1, "method": "linear", "features": 40}
    settings |= {"form": "square", "noise": "removed"}
    value = eipm(z, s, **settings)
    (expected,) = torch.autograd.grad(value, z)
    monkeypatch.setattr("frem_core.eipm.features._BLOCK_ENTRIES", 80 * 37)
    blocked = eipm(z, s, **settings)
    (gradient,) = torch.autograd.grad(blocked, z)
    torch.testing.assert_close(blocked, value)
    torch.testing.assert_close(gradient, expected)


def test_random_features_are_near_the_exact_form():
    z, s = sample(500, "continuous")
    settings = {"gamma": 0.1, "form": "square", "noise": "removed"}
    exact = eipm(z, s, **settings)
    linear = eipm(z, s, method="linear", features=20_000, **settings)
    assert linear == pytest.approx(exact, rel=0.03)


@pytest.mark.filterwarnings("ignore::frem_core.eipm.DroppedAnchorsWarning")
@pytest.mark.parametrize("sensitive_kernel", ["rbf", "epanechnikov"])
@pytest.mark.parametrize("representation_kernel", KERNELS)
@pytest.mark.parametrize("kind", ["ties", "continuous"])
def test_independence_gives_zero_on_average(kind, sensitive_kernel, representation_kernel):
    """Twelve settings with a skewed Z and few rows, where the paper's form is far from 0."""
    generator = np.random.default_rng(0)
    values = []
    for _ in range(400):
        s = generator.random(60) ** 2
        if kind == "ties":
            s = np.round(s * 9) / 9
        z = generator.exponential(size=(60, 2))
        values.append(
            eipm(
                z,
                s,
                gamma=0.15,
                form="square",
                noise="removed",
                sensitive_kernel=sensitive_kernel,
                representation_kernel=representation_kernel,
            )
        )
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values)) < 2 * error


def test_dependence_does_not_disappear():
    generator = np.random.default_rng(0)
    s = generator.random(400)
    z = s[:, None] + 0.3 * generator.standard_normal((400, 2))
    kept, removed = (eipm(z, s, gamma=0.1, form="square", noise=one) for one in ("kept", "removed"))
    assert 0.7 * kept < removed < kept


def test_fewer_than_three_rows_give_zero():
    assert eipm([1.0, 2.0], [0.0, 1.0], gamma=0.1, form="square", noise="removed") == 0.0


@pytest.mark.parametrize("what", ["form", "noise", "units"])
def test_an_unknown_word_is_refused(what):
    with pytest.raises(ConfigError, match=f"{what} is 'rot'; choose one of"):
        eipm([1.0, 2.0, 3.0], [0.0, 0.5, 1.0], gamma=0.1, **{what: "rot"})
