"""Weights of single anchors, computed directly; safe however far the neighbours are."""

import torch
from torch import Tensor

from frem_core.kernels import Kernel


def exact_rows(s: Tensor, anchors: Tensor, kernel: Kernel) -> tuple[Tensor, Tensor]:
    """Centred leave-one-out weights of a few anchors.

    Args:
        s: all values in units of γ, ``(n,)``.
        anchors: which rows to weigh for, ``(k,)``.
        kernel: on S.

    Returns:
        ``(k, n)`` weights, each row summing to 0 with 0 at the anchor, and ``(k,)`` True where
        there is a neighbour in reach; the row is 0 where there is none.
    """
    logits = kernel.log_sensitive(s[anchors].unsqueeze(1) - s)  # (k, n)
    position = anchors.unsqueeze(1)
    logits.scatter_(1, position, float("-inf"))
    reachable = logits.amax(1) > float("-inf")
    # A softmax is relative to the nearest neighbour, so nothing underflows.
    weights = torch.softmax(logits.masked_fill_(~reachable.unsqueeze(1), 0.0), dim=1)
    weights -= 1.0 / (s.numel() - 1)
    weights.scatter_(1, position, 0.0)
    return weights.mul_(reachable.unsqueeze(1)), reachable
