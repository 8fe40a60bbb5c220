"""The median heuristic for the scale on Z."""

import torch
from torch import Tensor

from frem_core.kernels import squared_distances

_LARGEST_SAMPLE = 512


def median_scale(z: Tensor) -> Tensor:
    """σ of each stacked representation: the median distance between two of its rows.

    Multiplying Z by a number multiplies σ by the same number, so that EIPM cannot be lowered by
    merely shrinking Z. Taken over at most 512 evenly spaced rows. Where more than half of the
    distances are 0 their mean is used instead, and 1 where all rows coincide.

    Args:
        z: ``(B, n, m)`` with n >= 2.

    Returns:
        Shape ``(B, 1, 1)``, float64, detached.

    >>> median_scale(torch.tensor([[[0.0], [1.0], [3.0]]]))
    tensor([[[2.]]], dtype=torch.float64)
    """
    sample = z.detach().double()
    n = sample.shape[1]
    if n > _LARGEST_SAMPLE:
        chosen = torch.linspace(0, n - 1, _LARGEST_SAMPLE, device=z.device).round().long()
        sample = sample[:, chosen]
    sample = sample - sample.mean(1, keepdim=True)
    first, second = torch.triu_indices(*2 * (sample.shape[1],), offset=1, device=z.device)
    distances = squared_distances(sample)[:, first, second].sqrt()  # (B, pairs)
    median = distances.median(1).values
    scale = torch.where(median > 0, median, distances.mean(1))
    return torch.where(scale > 0, scale, 1.0).view(-1, 1, 1)
