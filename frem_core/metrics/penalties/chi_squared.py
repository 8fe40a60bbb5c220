"""The χ² dependence between predictions and sensitive values as a training penalty."""

from torch import Tensor

from frem_core.metrics.penalties.joint_density import density_penalty


def chi_squared_penalty(p: Tensor, s: Tensor) -> Tensor:
    r"""χ² divergence of the joint density of (p, s) from the product of its marginals.

    .. math:: \chi^2 = \sum_{ab} \frac{J_{ab}^2}{J_{a\cdot} J_{\cdot b}} - 1

    It is the sum of all squared maximal correlations, hence an upper bound of HGR², and smoother
    to train on than HGR itself.

    Args:
        p: predictions, (n,) or (models, n).
        s: sensitive values, (n,) or (models, n). No gradient flows into them.

    Returns:
        The penalty, () or (models,); 0 for fewer than three rows and for constant p or s.

    References:
        Mary et al., Fairness-Aware Learning for Continuous Attributes and Treatments, ICML 2019.

    Example:
        >>> import torch
        >>> i = torch.arange(200, dtype=torch.float64)
        >>> round(chi_squared_penalty(i.sin(), i.sin() + (3 * i).cos()).item(), 6)
        0.439054
    """
    return density_penalty(
        p, s, lambda joint, independent: (joint.square() / independent).sum(dim=(-1, -2)) - 1
    )
