"""The joint density of predictions and sensitive values that χ² and HGR are read from."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from frem_core.metrics.penalties.batches import FEWEST_ROWS, check_batch
from frem_core.reproducible import stacked_product

# Added to every cell so that no marginal is 0 where the grid reaches beyond the data.
DAMPING = 1e-10


def density_penalty(p: Tensor, s: Tensor, measure: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """Measures how far the joint density of (p, s) is from the product of its marginals.

    Args:
        p: predictions, (n,) or (models, n).
        s: sensitive values, (n,) or (models, n). No gradient flows into them.
        measure: of J and of J's marginals multiplied, both (…, centres, centres), as (…).

    Returns:
        The penalty, () or (models,); 0 for fewer than three rows and for constant p or s.
    """
    check_batch(p, s)
    if p.shape[-1] < FEWEST_ROWS:
        return p.sum(dim=-1) * 0.0
    joint, constant = joint_density(p, s)
    independent = joint.sum(dim=-1, keepdim=True) * joint.sum(dim=-2, keepdim=True)
    return torch.where(constant, 0.0, measure(joint, independent))


def joint_density(p: Tensor, s: Tensor) -> tuple[Tensor, Tensor]:
    """Gaussian kernel density of standardised (p, s) on a square grid, as cell probabilities.

    The bandwidth is h = n^(-1/6) and the grid has min(50, 5/h) centres on [-2.5, 2.5] per axis.
    The kernel is a product, so the density is one product of two (n, centres) matrices.

    Args:
        p: predictions, (…, n).
        s: sensitive values, (…, n).

    Returns:
        Probabilities, (…, centres, centres), and whether p or s is constant, (…); for these
        the density holds no information.
    """
    n = p.shape[-1]
    bandwidth = n ** (-1 / 6)
    centres = torch.linspace(-2.5, 2.5, int(min(50, 5 / bandwidth)), dtype=p.dtype, device=p.device)
    p, p_is_constant = _standardise(p)
    s, s_is_constant = _standardise(s.detach().to(p))
    along_p = torch.exp(-0.5 * ((p[..., None] - centres) / bandwidth) ** 2)  # (…, n, centres)
    along_s = torch.exp(-0.5 * ((s[..., None] - centres) / bandwidth) ** 2)
    scale = n * math.sqrt(2 * math.pi) * bandwidth
    size = along_p.shape[-2:]
    density = stacked_product(along_p.reshape(-1, *size).mT, along_s.reshape(-1, *size))
    density = density.reshape(*p.shape[:-1], *density.shape[1:]) / scale + DAMPING
    return density / density.sum(dim=(-1, -2), keepdim=True), p_is_constant | s_is_constant


def _standardise(x: Tensor) -> tuple[Tensor, Tensor]:
    """Zero mean and unit variance (n - 1) along the last dimension, and where x is constant."""
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().sum(dim=-1, keepdim=True) / (x.shape[-1] - 1)
    # Equal values leave a variance of rounding errors; dividing by it would amplify noise.
    rounding = 8 * torch.finfo(x.dtype).eps * x.detach().abs().amax(dim=-1, keepdim=True)
    constant = variance.detach() <= rounding.square()
    return centred * torch.where(constant, 1.0, variance).rsqrt(), constant.squeeze(-1)
