"""Smoothing weights on S when its values repeat: one row of weights for each distinct value."""

from dataclasses import dataclass

import torch
from torch import Tensor

from frem_core.kernels import Kernel


@dataclass(frozen=True)
class GroupedWeights:
    """Centred leave-one-out weights ``A``, which depend on a row only through its group.

    ``A_ij = beta[v_i, v_j]`` for ``j != i`` and 0 for ``j = i``, where v is the group of a row and
    ``beta[u, v] = K(u, v) / R_u - 1/(n-1)`` with ``R_u = Σ_{j≠i} K(u, s_j)``.

    Attributes:
        group: ``(B, n)`` group of each row.
        beta: ``(B, U, U)`` in float64; rows of dropped groups are 0.
        anchors: ``(B, n)`` True for the rows that have a neighbour in reach.
    """

    group: Tensor
    beta: Tensor
    anchors: Tensor


def group_weights(s: Tensor, kernel: Kernel, gamma: float) -> GroupedWeights:
    """Groups equal values of ``s`` (shape ``(B, n)``) and weighs every group for every other."""
    stack, n = s.shape
    values, group = torch.unique(s, return_inverse=True)  # (U,), (B, n)
    size = values.numel()
    counts = torch.zeros(stack, size, dtype=s.dtype, device=s.device)
    counts.scatter_add_(1, group, torch.ones_like(s))
    # A single row is no neighbour of itself: others = rows of group v that an anchor of u can see.
    others = counts.unsqueeze(1) - torch.eye(size, dtype=s.dtype, device=s.device)  # (B, U, U)
    logits = kernel.log_sensitive((values.unsqueeze(0) - values.unsqueeze(1)) / gamma)
    logits = logits.masked_fill(others <= 0, float("-inf"))  # (B, U, U)
    nearest = logits.amax(-1, keepdim=True)  # (B, U, 1)
    reachable = nearest > float("-inf")
    # Relative to the nearest neighbour nothing underflows, however far away that one is.
    weight = (logits - nearest.masked_fill(~reachable, 0.0)).exp_()
    mass = (weight * others.clamp(min=0.0)).sum(-1, keepdim=True)
    beta = (weight / mass.clamp(min=1.0) - 1.0 / (n - 1)).mul_(reachable)
    return GroupedWeights(group, beta, reachable.squeeze(-1).gather(1, group))
