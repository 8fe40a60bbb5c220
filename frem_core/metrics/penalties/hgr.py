"""The Hirschfeld–Gebelein–Rényi maximal correlation as a training penalty."""

import torch
from torch import Tensor

from frem_core.metrics.penalties.joint_density import density_penalty


def hgr_penalty(p: Tensor, s: Tensor) -> Tensor:
    r"""Second singular value of :math:`J_{ab} / \sqrt{J_{a\cdot} J_{\cdot b}}`.

    It equals :func:`frem_core.metrics.hgr` on the same rows. Its gradient follows one pair of
    functions only and jumps where two singular values cross;
    :func:`~frem_core.metrics.penalties.chi_squared_penalty` is the smoother choice for training.

    Arguments and result are those of ``chi_squared_penalty``.

    References:
        Mary et al., Fairness-Aware Learning for Continuous Attributes and Treatments, ICML 2019.

    Example:
        >>> i = torch.arange(200, dtype=torch.float64)
        >>> round(hgr_penalty(i.sin(), i.sin() + (3 * i).cos()).item(), 6)
        0.610463
    """
    return density_penalty(p, s, _second_singular_value)


def _second_singular_value(joint: Tensor, independent: Tensor) -> Tensor:
    correlations: Tensor = torch.linalg.svdvals(joint / independent.sqrt())
    return correlations[..., 1]
