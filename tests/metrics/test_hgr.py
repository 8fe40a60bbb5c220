import numpy as np
import pytest
import torch
from maxcorr.indicators import DensityIndicator
from scipy import stats

from frem_core.metrics import get_metric, hgr, noise_floor
from frem_core.metrics.penalties import hgr_penalty


def _dependent(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    s = random.random(n)
    return 1 / (1 + np.exp(-3 * np.sin(4 * s) - random.normal(size=n))), s


def test_oracle() -> None:
    i = np.arange(200)
    value = hgr(None, np.sin(i), sensitive_features=np.sin(i) + np.cos(3 * i))
    assert value == pytest.approx(0.610463, abs=5e-7)


@pytest.mark.parametrize("n", [10, 200, 1500])
def test_agrees_with_an_independent_package(n: int) -> None:
    p, s = _dependent(n)
    package = DensityIndicator(backend="torch", damping=1e-10)
    theirs = package.compute(torch.from_numpy(p), torch.from_numpy(s))
    assert hgr(None, p, sensitive_features=s) == pytest.approx(float(theirs), rel=1e-5)


@pytest.mark.parametrize("n", [3, 50, 600])
def test_equal_to_the_eigenvalues_of_a_density_from_scipy(n: int) -> None:
    p, s = _dependent(n, seed=n)
    h = n ** (-1 / 6)
    centres = np.linspace(-2.5, 2.5, int(min(50, 5 / h)))
    joint = np.zeros((len(centres), len(centres)))
    for x, y in zip(stats.zscore(p, ddof=1), stats.zscore(s, ddof=1), strict=True):
        joint += np.outer(stats.norm.pdf(centres, x, h), stats.norm.pdf(centres, y, h))
    joint = joint * np.sqrt(2 * np.pi) * h / n + 1e-10
    joint /= joint.sum()
    # HGR² is the second eigenvalue of the two-step conditional expectation, a Markov matrix.
    there = joint / joint.sum(axis=1, keepdims=True)
    back = joint.T / joint.sum(axis=0)[:, None]
    eigenvalues = np.sort(np.linalg.eigvals(there @ back).real)
    assert hgr(None, p, sensitive_features=s) == pytest.approx(np.sqrt(eigenvalues[-2]), rel=1e-7)


def test_equal_to_the_training_penalty() -> None:
    p, s = _dependent(400)
    penalty = hgr_penalty(torch.from_numpy(p), torch.from_numpy(s)).item()
    assert hgr(None, p, sensitive_features=s) == pytest.approx(penalty, rel=1e-11)


def test_approaches_the_correlation_of_a_bivariate_normal() -> None:
    random = np.random.default_rng(0)
    x, noise = random.normal(size=(2, 20_000))
    value = hgr(None, 0.6 * x + 0.8 * noise, sensitive_features=x)
    assert value == pytest.approx(0.6, abs=0.05)


def test_sees_dependence_without_correlation() -> None:
    s = np.linspace(-1, 1, 2000)
    assert abs(np.corrcoef(s**2, s)[0, 1]) < 1e-10
    assert hgr(None, s**2, sensitive_features=s) > 0.8


def test_shift_and_scale_do_not_matter() -> None:
    p, s = _dependent(300)
    assert hgr(None, 5 * p - 2, sensitive_features=17 + 73 * s) == pytest.approx(
        hgr(None, p, sensitive_features=s), rel=1e-10
    )


@pytest.mark.parametrize("value", [0.3, 0.1 + 0.2, 0.0, 1e9])
def test_constant_predictions_or_sensitive_values_give_zero(value: float) -> None:
    varying = np.linspace(0, 1, 50)
    constant = np.full(50, value)
    assert hgr(None, constant, sensitive_features=varying) == 0
    assert hgr(None, varying, sensitive_features=constant) == 0


@pytest.mark.parametrize("draw", ["random", "standard_normal"])
@pytest.mark.parametrize("n", [200, 1024, 9045])
def test_the_typical_floor_is_near_the_measured_one(n: int, draw: str) -> None:
    p, s = getattr(np.random.default_rng(0), draw)((2, n))
    measured = noise_floor("hgr", None, p, sensitive_features=s, n_permutations=30)
    typical = get_metric("hgr").typical_floor
    assert typical is not None
    assert measured.mean == pytest.approx(typical(n), rel=0.25)
