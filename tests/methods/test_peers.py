"""HSIC, distance covariance, kernel HGR and linear correlation against their definitions."""

import numpy as np
import pytest
import torch
from fairlearn.preprocessing import CorrelationRemover
from maxcorr import hgr
from scipy.spatial.distance import cdist
from sklearn.cross_decomposition import CCA
from sklearn.linear_model import LinearRegression
from torch import Tensor

from frem_core.methods import Batch, get_method
from frem_core.methods.dcov import distance_covariance
from frem_core.methods.hsic import hsic
from frem_core.methods.kernel_hgr import kernel_hgr
from frem_core.methods.linear_correlation import squared_correlations

MEMBERS, ROWS, SIZE = 3, 60, 4
PENALTIES = {
    "hsic": lambda z, s: hsic(z, s),
    "hsic-scales": lambda z, s: hsic(z, s, sigma=2.5, sensitive_sigma=0.05),
    "dcov": lambda z, s: distance_covariance(z, s),
    "dcor": lambda z, s: distance_covariance(z, s, correlation=True),
    "kernel_hgr": lambda z, s: kernel_hgr(z[..., 0], s, degree=3, sensitive_degree=4),
    "gedi": lambda z, s: kernel_hgr(z[..., 0], s, degree=1, sensitive_degree=3),
    "linear_correlation": squared_correlations,
}
ODD_SAMPLES = ("constant z", "constant s", "equal rows", "three rows", "two values")
every_penalty = pytest.mark.parametrize("name", PENALTIES)


def sample(rows: int = ROWS, follows: float = 2.0, seed: int = 0) -> tuple[Tensor, Tensor]:
    generator = np.random.default_rng(seed)
    s = generator.uniform(size=(MEMBERS, rows))
    z = generator.normal(size=(MEMBERS, rows, SIZE))
    z[..., 0] += follows * (s + np.sin(3 * s))
    return torch.from_numpy(z), torch.from_numpy(s)


def centring(rows: int) -> np.ndarray:
    return np.eye(rows) - 1 / rows


@pytest.mark.parametrize(("sigma", "sensitive_sigma"), [(1.0, 0.2), (2.5, 0.05)])
def test_hsic_is_the_trace_of_its_definition(sigma: float, sensitive_sigma: float) -> None:
    z, s = sample()
    h = centring(ROWS)
    for b, value in enumerate(hsic(z, s, sigma=sigma, sensitive_sigma=sensitive_sigma)):
        x, t = z[b].numpy(), s[b].numpy()[:, None]
        k = np.exp(-cdist(x, x, "sqeuclidean") / (2 * sigma**2))
        other = np.exp(-cdist(t, t, "sqeuclidean") / (2 * sensitive_sigma**2))
        assert float(value) == pytest.approx(np.trace(k @ h @ other @ h) / ROWS**2, rel=1e-10)


def test_distance_covariance_is_the_mean_product_of_centred_distances() -> None:
    z, s = sample()
    h = centring(ROWS)
    covariances, correlations = distance_covariance(z, s), PENALTIES["dcor"](z, s)
    for b in range(MEMBERS):
        x, t = z[b].numpy(), s[b].numpy()[:, None]
        mine, other = h @ cdist(x, x) @ h, h @ cdist(t, t) @ h
        covariance = np.mean(mine * other)
        scale = np.sqrt(np.mean(mine**2) * np.mean(other**2))
        assert float(covariances[b]) == pytest.approx(covariance, rel=1e-10)
        assert float(correlations[b]) == pytest.approx(covariance / scale, rel=1e-10)


def test_distance_correlation_is_one_for_a_line_and_forgets_scales() -> None:
    z, s = sample()
    line = torch.stack([4 - 3 * s, 1 + 4 * s], dim=-1)
    torch.testing.assert_close(PENALTIES["dcor"](line, s), torch.ones(MEMBERS).double())
    torch.testing.assert_close(PENALTIES["dcor"](100 * z, s), PENALTIES["dcor"](z, s))
    torch.testing.assert_close(distance_covariance(100 * z, s), 100 * distance_covariance(z, s))


@pytest.mark.parametrize(("degree", "sensitive_degree"), [(2, 2), (3, 3), (1, 3), (3, 1)])
def test_kernel_hgr_is_that_of_maxcorr(degree: int, sensitive_degree: int) -> None:
    z, s = sample()
    found = kernel_hgr(z[..., 0], s, degree=degree, sensitive_degree=sensitive_degree)
    for b in range(MEMBERS):
        reference = hgr(algorithm="dk", kernel_a=degree, kernel_b=sensitive_degree)
        expected = float(reference.compute(z[b, :, 0].numpy(), s[b].numpy()))
        # Theirs comes from an optimiser: it may stop a little early, never beyond the maximum.
        assert float(found[b]) ** 0.5 == pytest.approx(expected, abs=1e-4)
        assert float(found[b]) ** 0.5 >= expected - 1e-7


def test_kernel_hgr_is_the_first_canonical_correlation() -> None:
    z, s = sample()
    found = kernel_hgr(z[..., 0], s, degree=2, sensitive_degree=3)
    for b in range(MEMBERS):
        p, t = z[b, :, 0].numpy(), s[b].numpy()
        x, y = np.column_stack([p, p**2]), np.column_stack([t, t**2, t**3])
        u, v = CCA(n_components=1, tol=1e-12, max_iter=20_000).fit_transform(x, y)
        assert float(found[b]) == pytest.approx(np.corrcoef(u[:, 0], v[:, 0])[0, 1] ** 2, abs=1e-6)


def test_kernel_hgr_of_degree_one_is_the_r_squared_of_a_polynomial_fit() -> None:
    z, s = sample()
    found = PENALTIES["gedi"](z, s)
    for b in range(MEMBERS):
        p, powers = z[b, :, 0].numpy(), s[b].numpy()[:, None] ** np.arange(1, 4)
        fit = LinearRegression().fit(powers, p)
        assert float(found[b]) == pytest.approx(fit.score(powers, p), rel=1e-6)


def test_linear_correlation_is_that_of_numpy() -> None:
    z, s = sample()
    for b, value in enumerate(squared_correlations(z, s)):
        each = [np.corrcoef(z[b, :, k], s[b])[0, 1] ** 2 for k in range(SIZE)]
        assert float(value) == pytest.approx(np.mean(each), rel=1e-10)


def test_what_a_correlation_remover_leaves_has_no_linear_correlation() -> None:
    z, s = sample()
    joined = np.column_stack([s[0].numpy(), z[0].numpy()])
    left = torch.from_numpy(CorrelationRemover(sensitive_feature_ids=[0]).fit_transform(joined))
    assert float(squared_correlations(z[:1], s[:1])) > 0.05
    assert float(squared_correlations(left[None], s[:1])) == pytest.approx(0, abs=1e-20)


@every_penalty
def test_its_gradient_is_that_of_finite_differences(name: str) -> None:
    z, s = sample(rows=12)
    assert torch.autograd.gradcheck(lambda x: PENALTIES[name](x, s), z.requires_grad_())


@every_penalty
def test_single_precision_agrees_with_double(name: str) -> None:
    z, s = sample()
    values, slopes = [], []
    for dtype in (torch.float64, torch.float32):
        x = z.detach().to(dtype).clone().requires_grad_()
        value = PENALTIES[name](x, s.to(dtype))
        value.sum().backward()
        assert value.dtype == dtype
        values.append(value.detach().double())
        slopes.append(x.grad.double())
    torch.testing.assert_close(values[1], values[0], rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(slopes[1], slopes[0], rtol=1e-3, atol=1e-6)


@every_penalty
def test_it_sees_dependence_and_falls_with_rows_without_it(name: str) -> None:
    dependent = PENALTIES[name](*sample(400))
    few, many = (PENALTIES[name](*sample(rows, follows=0.0)) for rows in (100, 1600))
    assert (dependent > 5 * many).all()
    assert float(many.mean()) < float(few.mean()) / 4


@pytest.mark.parametrize("name", ["hsic", "dcov"])
def test_without_dependence_its_mean_is_that_over_all_orders_of_s(name: str) -> None:
    """Over all orders of S the mean of n⁻² tr(AB) is tr A · tr B / (n² (n − 1)); A, B centred."""
    rows, orders = 40, 2_000
    (z, *_), (s, *_) = sample(rows)
    generator = torch.Generator().manual_seed(1)
    shuffled = torch.stack([s[torch.randperm(rows, generator=generator)] for _ in range(orders)])
    values = PENALTIES[name](z.expand(orders, -1, -1), shuffled)
    x, t, h = z.numpy(), s.numpy()[:, None], centring(rows)
    if name == "dcov":
        mine, other = cdist(x, x), cdist(t, t)
    else:
        mine = np.exp(-cdist(x, x, "sqeuclidean") / 2)
        other = np.exp(-cdist(t, t, "sqeuclidean") / (2 * 0.2**2))
    expected = np.trace(h @ mine @ h) * np.trace(h @ other @ h) / rows**2 / (rows - 1)
    error = float(values.std()) / orders**0.5
    assert float(values.mean()) == pytest.approx(expected, abs=3 * error)
    assert error < expected / 50
    assert float(PENALTIES[name](z[None], s[None])) > 1.3 * expected


@every_penalty
@pytest.mark.parametrize("odd", ODD_SAMPLES)
def test_odd_samples_give_finite_values_and_gradients(name: str, odd: str) -> None:
    z, s = sample(rows=3 if odd == "three rows" else ROWS)
    if odd == "constant z":
        z = torch.ones_like(z)
    elif odd == "constant s":
        s = torch.full_like(s, 0.3)
    elif odd == "equal rows":
        z, s = z[:, :1].expand(z.shape).clone(), s
        z[:, -1] += 1
    elif odd == "two values":
        s = s.round()
    for dtype in (torch.float64, torch.float32):
        x = z.detach().to(dtype).clone().requires_grad_()
        value = PENALTIES[name](x, s.to(dtype))
        value.sum().backward()
        assert torch.isfinite(value).all()
        assert torch.isfinite(x.grad).all()
        if odd.startswith("constant"):
            torch.testing.assert_close(value, torch.zeros_like(value), rtol=0, atol=1e-6)


def test_the_methods_use_these_penalties_with_their_settings() -> None:
    z, s = sample()
    p = torch.sigmoid(z[..., 0])
    batch = Batch(z=z, p=p, y=p.round(), s=s)
    expected = {
        get_method("hsic")(sigma=2.5, sensitive_sigma=0.05): PENALTIES["hsic-scales"](z, s),
        get_method("dcov")(): distance_covariance(z, s),
        get_method("dcov")(form="correlation"): PENALTIES["dcor"](z, s),
        get_method("kernel_hgr")(degree=2, sensitive_degree=5): kernel_hgr(
            p, s, degree=2, sensitive_degree=5
        ),
        get_method("linear_correlation")(): squared_correlations(z, s),
    }
    for method, values in expected.items():
        torch.testing.assert_close(method.penalty(batch), values)
