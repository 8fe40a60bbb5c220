"""The Hirschfeld–Gebelein–Rényi maximal correlation as a training penalty."""

import torch
from torch import Tensor

from frem_core.metrics.penalties.batches import FEWEST_ROWS, check_batch
from frem_core.metrics.penalties.joint_density import joint_density


def hgr_penalty(p: Tensor, s: Tensor) -> Tensor:
    r"""Second singular value of :math:`J_{ab} / \sqrt{J_{a\cdot} J_{\cdot b}}`.

    It equals :func:`frem_core.metrics.hgr` on the same rows. Its gradient follows one pair of
    functions only and jumps where two singular values cross;
    :func:`~frem_core.metrics.penalties.chi_squared_penalty` is the smoother choice for training.

    Args:
        p: predictions, (n,) or (models, n).
        s: sensitive values, (n,) or (models, n). No gradient flows into them.

    Returns:
        The penalty, () or (models,); 0 for fewer than three rows and for constant p or s.

    References:
        Mary et al., Fairness-Aware Learning for Continuous Attributes and Treatments, ICML 2019.

    Example:
        >>> i = torch.arange(200, dtype=torch.float64)
        >>> round(hgr_penalty(i.sin(), i.sin() + (3 * i).cos()).item(), 6)
        0.610463
    """
    check_batch(p, s)
    if p.shape[-1] < FEWEST_ROWS:
        return p.sum(dim=-1) * 0.0
    joint, constant = joint_density(p, s)
    rows = joint.sum(dim=-1, keepdim=True)
    columns = joint.sum(dim=-2, keepdim=True)
    correlations = torch.linalg.svdvals(joint / (rows * columns).sqrt())
    return torch.where(constant, 0.0, correlations[..., 1])
