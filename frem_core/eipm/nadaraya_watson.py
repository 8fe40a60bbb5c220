"""The Nadaraya–Watson plug-in estimator the paper compares with (Appendix D)."""

import math
from typing import Literal

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.eipm.inputs import check_positive, checked_sample
from frem_core.errors import ConfigError
from frem_core.kernels import squared_distances

Integration = Literal["closed_form", "importance"]


def eipm_nadaraya_watson(
    z: ArrayLike | Tensor,
    s: ArrayLike | Tensor,
    *,
    gamma: float,
    sigma: float = 1.0,
    bandwidth_z: float = 1.0,
    integration: Integration = "closed_form",
    draws: int = 1000,
    random_state: int | np.random.Generator | None = None,
) -> float:
    """EIPM with Nadaraya–Watson density estimates plugged in.

    With all rows but i, ``q(z) = Σ_j N(z; z_j, h²I)/(n−1)`` and
    ``q(z|s_i) = Σ_j W_ij N(z; z_j, h²I)``, where W are the kernel weights of EIPM. The estimate is
    ``mean_i √max(IPM²_i, 0)`` with

        IPM²_i = ∫∫ κ(z, z′) [q(z)q(z′) + q(z|s_i)q(z′|s_i) − 2q(z)q(z′|s_i)] dz dz′.

    The default solves the integral: two Gaussians and the RBF kernel give
    ``(1 + 2h²/σ²)^(−m/2) · exp(−‖z_j − z_k‖² / 2(σ² + 2h²))`` for each pair of rows. It is exact,
    repeatable and the cheaper of the two. ``integration="importance"`` is the paper's procedure:
    R draws of z and of z′ from ``N(0, 2/m·I)``, weighted by the inverse density. That proposal is
    made for the simulation's scale of Z. Once m > 3 it is so much narrower than the integrand that
    its weights have infinite variance: use it to follow the paper, not to measure.

    Reading: the paper gives one bandwidth γ and no root. Its table is met with the root per anchor
    and ``bandwidth_z = 1`` whatever γ is.

    Args:
        z: representation, shape (n, m) or (n,).
        s: sensitive attribute, shape (n,).
        gamma: γ, the bandwidth on S.
        sigma: σ, the scale of the RBF kernel κ on Z.
        bandwidth_z: h, the bandwidth of the density estimates in Z.
        integration: ``"closed_form"`` or ``"importance"``.
        draws: R, the size of each importance sample; unused by the closed form.
        random_state: seed or generator of the importance samples.

    Returns:
        The estimate; 0 for n ≤ 2, where no row has two others to compare.

    >>> rng = np.random.default_rng(0)
    >>> s = rng.normal(size=100)
    >>> z = 0.4 * s + rng.normal(size=100)
    >>> round(eipm_nadaraya_watson(z, s, gamma=0.5), 4)
    0.1067
    """
    rows, attribute = checked_sample(z, s)
    check_positive(gamma=gamma, sigma=sigma, bandwidth_z=bandwidth_z, draws=draws)
    if len(attribute) <= 2:
        return 0.0
    if integration == "closed_form":
        gram = smoothed_gram(rows, sigma=sigma, bandwidth_z=bandwidth_z)
    elif integration == "importance":
        rng = np.random.default_rng(random_state)
        gram = importance_gram(rows, sigma=sigma, bandwidth_z=bandwidth_z, draws=draws, rng=rng)
    else:
        raise ConfigError(f"integration is 'closed_form' or 'importance', not {integration!r}.")
    return float(plug_in_ipm(gram, leave_one_out_weights(attribute, gamma)).mean())


def leave_one_out_weights(s: Tensor, gamma: float) -> Tensor:
    """``W_ij = K_γ(s_i, s_j) / Σ_{l≠i} K_γ(s_i, s_l)``, ``W_ii = 0``, for the RBF kernel.

    A softmax of the exponents, so that an anchor far from all others keeps its nearest ones
    instead of dividing 0 by 0.

    Args:
        s: sensitive attribute, shape (…, n) with n ≥ 2.
        gamma: γ, the bandwidth.

    Returns:
        Weights of shape (…, n, n); each row sums to 1.
    """
    exponents = (s.unsqueeze(-1) - s.unsqueeze(-2)).square_().div_(-2.0 * gamma**2)
    exponents.diagonal(dim1=-2, dim2=-1).fill_(float("-inf"))
    return torch.softmax(exponents, dim=-1)


def smoothed_gram(z: Tensor, *, sigma: float, bandwidth_z: float) -> Tensor:
    """∫∫ κ(z, z′) N(z; z_j, h²I) N(z′; z_k, h²I) dz dz′ for all pairs; (…, n, m) → (…, n, n)."""
    widened = sigma**2 + 2.0 * bandwidth_z**2
    height = (sigma**2 / widened) ** (z.shape[-1] / 2)
    return squared_distances(z).div_(-2.0 * widened).exp_().mul_(height)


def importance_gram(
    z: Tensor, *, sigma: float, bandwidth_z: float, draws: int, rng: np.random.Generator
) -> Tensor:
    """The same integrals by importance sampling; (n, m) → (n, n), in the precision of ``z``.

    The sum over pairs of draws factors into ``Φ κ Φ′ᵀ`` with Φ of shape (n, R), so one kernel
    matrix between the two samples serves all pairs of rows. It is not symmetric, because z and z′
    are drawn independently.
    """
    dimension = z.shape[-1]
    spread = 2.0 / dimension  # the paper's proposal is N(0, 2/m·I)
    sample = rng.standard_normal((2, draws, dimension)) * math.sqrt(spread)
    first, second = torch.from_numpy(sample).to(z.dtype)  # (R, m) each
    kernel = squared_distances(first, second).div_(-2.0 * sigma**2).exp_()  # (R, R)
    left = _weighted_density(z, first, bandwidth_z, spread)  # (n, R)
    right = _weighted_density(z, second, bandwidth_z, spread)
    return (left @ kernel) @ right.T


def plug_in_ipm(gram: Tensor, weights: Tensor) -> Tensor:
    """√max(uᵀGu + wᵀGw − 2uᵀGw, 0) per anchor; (…, n, n) twice → (…, n).

    w is the anchor's row of weights, u puts 1/(n−1) on every other row. The terms are kept apart
    because an importance-sampled G is not symmetric. Those with u need sums of G only.
    """
    others = gram.shape[-1] - 1
    by_column = gram.sum(-2, keepdim=True) - gram  # (…, n, n): column sums without row i
    own = gram.diagonal(dim1=-2, dim2=-1)
    total = gram.sum((-2, -1)).unsqueeze(-1)
    marginal = (total - gram.sum(-1) - gram.sum(-2) + own) / others**2
    mixed = (by_column * weights).sum(-1) / others
    conditional = ((weights @ gram) * weights).sum(-1)
    return (marginal + conditional - 2.0 * mixed).clamp_(min=0.0).sqrt_()


def _weighted_density(z: Tensor, sample: Tensor, bandwidth: float, spread: float) -> Tensor:
    """N(z_r; z_j, h²I) / (R · N(z_r; 0, spread·I)), through logarithms; (n, R)."""
    log_ratio = squared_distances(z, sample).div_(-2.0 * bandwidth**2)
    log_ratio += sample.square().sum(-1) / (2.0 * spread)
    scale = 0.5 * z.shape[-1] * math.log(spread / bandwidth**2) - math.log(sample.shape[0])
    return log_ratio.add_(scale).exp_()
