"""Generalised demographic parity as a training penalty."""

import torch
from torch import Tensor

from frem_core.metrics.penalties.batches import FEWEST_ROWS, check_batch
from frem_core.metrics.sensitive_grid import gaussian_series, gdp_bandwidth
from frem_core.reproducible import elementwise, stacked_product


def gdp_penalty(p: Tensor, s: Tensor, *, bandwidth: float | None = None) -> Tensor:
    r"""Kernel estimate of the gap between conditional and overall mean prediction.

    .. math:: \Delta GDP = \frac{\sum_g |\sum_i K_h(g - s_i)(p_i - \bar p)|}
              {\sum_g \sum_i K_h(g - s_i)}

    It equals :func:`frem_core.metrics.gdp` on the same rows and costs O(n · terms) per model,
    with a few dozen terms instead of 998 points g (see :mod:`frem_core.metrics.sensitive_grid`).

    Args:
        p: predictions, (n,) or (models, n).
        s: sensitive values in [0, 1] (values outside are clipped), (n,) or (models, n). No
            gradient flows into them.
        bandwidth: h; by default (3n/4)^(-1/5).

    Returns:
        The penalty, () or (models,); 0 for fewer than three rows.

    References:
        Jiang et al., Generalized Demographic Parity for Group Fairness, ICLR 2022.

    Example:
        >>> s = torch.linspace(0, 1, 101, dtype=torch.float64)
        >>> round(gdp_penalty(s, s).item(), 6)
        0.087946
    """
    check_batch(p, s)
    n = p.shape[-1]
    if n < FEWEST_ROWS:
        return p.sum(dim=-1) * 0.0
    series = torch.tensor(gaussian_series(gdp_bandwidth(n, bandwidth))).to(p)  # (998, terms)
    basis = _chebyshev_polynomials(s.detach().to(p), series.shape[1])  # (…, n, terms)
    centred = (p - p.mean(dim=-1, keepdim=True)).view(-1, 1, n)
    coefficients = stacked_product(centred, basis.view(-1, *basis.shape[-2:]))  # (B, 1, terms)
    gap = stacked_product(coefficients, series.T.unsqueeze(0))  # (B, 1, 998)
    mass = (basis.sum(dim=-2) * series.sum(dim=0)).sum(dim=-1)  # (…)
    return gap.abs().sum(dim=-1).view(p.shape[:-1]) / mass


def _chebyshev_polynomials(s: Tensor, terms: int) -> Tensor:
    """T_0 … T_{terms-1} at 2s - 1, shape (…, n, terms)."""
    angles = elementwise(torch.acos, (2 * s - 1).clamp(-1, 1))
    multiples = angles[..., None] * torch.arange(terms, dtype=s.dtype, device=s.device)
    return elementwise(torch.cos, multiples)
