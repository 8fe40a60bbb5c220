"""Units of Z: what they make of it, what EIPM then no longer sees, and their gradients."""

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.eipm.settings import UNITS
from frem_core.eipm.units import in_units

RELATIVE = [units for units in UNITS if units != "as_is"]


def sample(n=200, m=4, members=2):
    generator = torch.Generator().manual_seed(0)
    z = torch.randn(members, n, m, generator=generator, dtype=torch.float64)
    mixed = z @ torch.randn(m, m, generator=generator, dtype=torch.float64)
    return mixed + 5.0


def test_as_it_is_changes_nothing():
    z = sample()
    assert in_units(z, "as_is") is z


@pytest.mark.parametrize("units", RELATIVE)
def test_the_mean_square_distance_to_the_centre_is_one(units):
    found = in_units(sample(), units)
    torch.testing.assert_close(found.mean(1), torch.zeros(2, 4).double(), atol=1e-9, rtol=0)
    spread = found.square().sum(2).mean(1)
    torch.testing.assert_close(spread, torch.ones(2).double(), atol=2e-3, rtol=0)


def test_scale_keeps_shapes_and_standardising_equals_numpy():
    z = sample()
    one = z[0].numpy()
    centred = one - one.mean(0)
    scaled = centred / np.sqrt((centred**2).sum(1).mean())
    np.testing.assert_allclose(in_units(z, "scale")[0], scaled, rtol=1e-12)
    standardised = centred / one.std(0) / 2.0  # √m
    np.testing.assert_allclose(in_units(z, "standardised")[0], standardised, rtol=1e-12)


def test_whitened_distances_are_those_of_mahalanobis():
    z = sample()
    found = torch.cdist(in_units(z, "whitened")[0], in_units(z, "whitened")[0])
    precision = np.linalg.inv(np.cov(z[0].numpy().T, ddof=0)) / 4
    gaps = z[0].numpy()[:, None] - z[0].numpy()
    expected = np.sqrt(np.einsum("jkm,ml,jkl->jk", gaps, precision, gaps))
    np.testing.assert_allclose(found, expected, rtol=0.02, atol=1e-6)


@pytest.mark.parametrize("units", RELATIVE)
def test_shrinking_changes_nothing(units):
    z = sample(members=1)[0].numpy()
    s = z[:, 0]
    settings = {"gamma": 0.5, "units": units}
    whole = eipm(z, s, **settings)
    assert eipm(1e-3 * z, s, **settings) == pytest.approx(whole, rel=1e-6)
    assert eipm(1e-3 * z, s, gamma=0.5) < 0.05 * eipm(z, s, gamma=0.5)


@pytest.mark.parametrize(("units", "sees"), [("scale", False), ("standardised", True)])
def test_only_standardising_sees_a_small_dimension(units, sees):
    generator = np.random.default_rng(0)
    s = generator.random(300)
    z = np.column_stack([1e-3 * s, generator.standard_normal(300)])
    settings = {"gamma": 0.05, "units": units, "form": "square", "noise": "removed"}
    assert (eipm(z, s, **settings) > 0.02) == sees


def test_only_whitening_sees_a_small_direction_across_dimensions():
    generator = np.random.default_rng(0)
    s, loud = generator.random(300), 10 * generator.standard_normal(300)
    z = np.column_stack([loud + s, loud - s])
    settings = {"gamma": 0.05, "form": "square", "noise": "removed"}
    assert eipm(z, s, units="standardised", **settings) < 0.005
    assert eipm(z, s, units="whitened", **settings) > 0.02


@pytest.mark.parametrize("units", RELATIVE)
@pytest.mark.parametrize("method", ["exact", "linear"])
def test_gradcheck(units, method):
    z = sample(n=12, m=3, members=2)
    s = torch.linspace(0, 1, 12, dtype=torch.float64).mul(4).round().div(4).repeat(2, 1)
    settings = {"gamma": 0.3, "units": units, "method": method, "features": 5}
    assert torch.autograd.gradcheck(lambda x: eipm(x, s, **settings), z.requires_grad_())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("units", RELATIVE)
@pytest.mark.parametrize("level", [0.0, 0.7, 1e4])
def test_constant_dimensions_stay_at_zero_and_pull_nowhere(dtype, units, level):
    z = torch.randn(50, 3, generator=torch.Generator().manual_seed(0)).to(dtype)
    z[:, 1] = level
    s = z[:, 0].double()
    found = in_units(z[None], units)
    assert found[..., 1].abs().max() < 0.05
    z.requires_grad_()
    eipm(z, s, gamma=0.3, units=units).backward()
    assert torch.isfinite(z.grad).all()
    still = torch.full((50, 3), level, dtype=dtype, requires_grad=True)
    value = eipm(still, s, gamma=0.3, units=units)
    value.backward()
    assert abs(value.item()) < 0.05
    assert torch.isfinite(still.grad).all()


@pytest.mark.parametrize("units", RELATIVE)
def test_equal_opportunity_measures_with_the_rows_that_count(units):
    z = sample(members=1)[0]
    s = torch.rand(200, generator=torch.Generator().manual_seed(1))
    labels = torch.arange(200) % 2
    found = eipm(z, s, gamma=0.1, units=units, labels=labels)
    expected = eipm(z[labels == 1], s[labels == 1], gamma=0.1, units=units)
    torch.testing.assert_close(found, expected)
