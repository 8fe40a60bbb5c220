"""How far predictions are from the targets."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from frem_core.errors import ConfigError
from frem_core.types import Task


def row_losses(task: Task, logits: Tensor, p: Tensor, y: Tensor) -> Tensor:
    """Cross-entropy for classification, squared error for regression, row by row.

    Args:
        task: which of the two.
        logits: (B, n) outputs of the head, or (B, n, C) with more than two classes.
        p: their sigmoid or, with more than two classes, softmax.
        y: (B, n) targets in [0, 1], or class numbers.

    Returns:
        (B, n).
    """
    if logits.ndim == 3:
        return functional.cross_entropy(logits.transpose(1, 2), y.long(), reduction="none")
    if task == "classification":
        # Written out, since the gradient of torch's own form rounds differently at a tensor's end
        # (see frem_core.reproducible).
        return (1 - y) * logits - functional.logsigmoid(logits)
    return (p - y).square()


def task_loss(
    task: Task,
    logits: Tensor,
    p: Tensor,
    y: Tensor,
    weight: Tensor | None = None,
    own: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> Tensor:
    """The mean of the rows' losses, (B,).

    Args:
        task: as for `row_losses`, like the next three.
        logits: see there.
        p: see there.
        y: see there.
        weight: (B, n) how much a row counts, or None.
        own: loss of a member's rows from predictions and targets, instead of `row_losses`.
    """
    if own is None:
        losses = row_losses(task, logits, p, y)
    else:
        losses = torch.stack([_own_losses(own, *member) for member in zip(p, y, strict=True)])
    return losses.mean(dim=1) if weight is None else (losses * weight).mean(dim=1)


def _own_losses(own: Callable[[Tensor, Tensor], Tensor], p: Tensor, y: Tensor) -> Tensor:
    losses = own(p, y)
    if not isinstance(losses, Tensor) or losses.shape != y.shape:
        found = tuple(losses.shape) if isinstance(losses, Tensor) else type(losses).__name__
        raise ConfigError(
            f"loss(predictions, targets) returned {found} for {len(y)} rows; it must return one "
            "number per row, as with reduction='none'."
        )
    return losses
