"""χ² and HGR penalties against their oracle and a cell-by-cell computation."""

import numpy as np
import pytest
import torch
from scipy import linalg

from frem_core.metrics.penalties import chi_squared_penalty, hgr_penalty


def normalised_joint(p: np.ndarray, s: np.ndarray) -> np.ndarray:
    """J / sqrt(rows ⊗ columns), one cell at a time."""
    n = len(p)
    p, s = ((x - x.mean()) / x.std(ddof=1) for x in (p, s))
    h = n ** (-1 / 6)
    centres = np.linspace(-2.5, 2.5, int(min(50, 5 / h)))
    joint = np.empty((len(centres), len(centres)))
    for a, along_p in enumerate(centres):
        for b, along_s in enumerate(centres):
            distances = (p - along_p) ** 2 + (s - along_s) ** 2
            joint[a, b] = np.exp(-distances / (2 * h * h)).mean() / np.sqrt(2 * np.pi) / h + 1e-10
    joint /= joint.sum()
    return joint / np.sqrt(np.outer(joint.sum(axis=1), joint.sum(axis=0)))


def test_oracle() -> None:
    i = torch.arange(200, dtype=torch.float64)
    x, y = torch.sin(i), torch.sin(i) + torch.cos(3 * i)
    assert chi_squared_penalty(x, y).item() == pytest.approx(0.439054, abs=5e-7)
    assert hgr_penalty(x, y).item() == pytest.approx(0.610463, abs=5e-7)


@pytest.mark.parametrize("n", [3, 10, 200, 1024])
def test_equal_to_a_cell_by_cell_computation(n: int) -> None:
    random = np.random.default_rng(n)
    s = random.random(n)
    p = 1 / (1 + np.exp(-2 * s - random.normal(size=n)))
    q = normalised_joint(p, s)
    p_tensor, s_tensor = torch.from_numpy(p), torch.from_numpy(s)
    assert chi_squared_penalty(p_tensor, s_tensor).item() == pytest.approx(
        (q**2).sum() - 1, rel=1e-10
    )
    assert hgr_penalty(p_tensor, s_tensor).item() == pytest.approx(linalg.svdvals(q)[1], rel=1e-10)


def test_chi_squared_bounds_the_square_of_hgr() -> None:
    generator = torch.Generator().manual_seed(0)
    p, s = torch.rand(2, 30, 100, generator=generator, dtype=torch.float64)
    assert (chi_squared_penalty(p, s) >= hgr_penalty(p, s) ** 2).all()


@pytest.mark.parametrize("penalty", [chi_squared_penalty, hgr_penalty])
def test_shift_and_scale_do_not_matter(penalty) -> None:
    generator = torch.Generator().manual_seed(1)
    p, s = torch.rand(2, 100, generator=generator, dtype=torch.float64)
    torch.testing.assert_close(penalty(7 * p - 3, 0.1 * s + 5), penalty(p, s))
