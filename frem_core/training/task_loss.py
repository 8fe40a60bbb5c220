"""How far predictions are from the targets."""

from torch import Tensor
from torch.nn import functional

from frem_core.types import Task


def task_loss(task: Task, logits: Tensor, p: Tensor, y: Tensor) -> Tensor:
    """Binary cross-entropy for classification, mean squared error for regression.

    Args:
        task: which of the two.
        logits: (B, n) outputs of the head.
        p: (B, n), the sigmoid of ``logits``.
        y: (B, n) targets in [0, 1].

    Returns:
        (B,), the mean over the rows of each member.
    """
    if task == "classification":
        return functional.binary_cross_entropy_with_logits(logits, y, reduction="none").mean(dim=1)
    return (p - y).square().mean(dim=1)
