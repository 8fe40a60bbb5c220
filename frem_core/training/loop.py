"""The training loop that every method shares; read it from top to bottom.

Shapes: B members side by side, n rows in a batch, m columns of the representation.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

import torch
from torch import Tensor, nn

from frem_core.methods.batch import Batch
from frem_core.methods.method import FEWEST_ROWS
from frem_core.training.adam import Adam
from frem_core.training.callback import Callback
from frem_core.training.cancellation import StopCheck
from frem_core.training.divergence import TrainingDivergedError
from frem_core.training.seeds import generators
from frem_core.training.stack import EpochRecord, TrainingStack
from frem_core.training.tensors import Tensors
from frem_core.training.validation import Validation


def run(
    stack: TrainingStack,
    *,
    validation: Validation | None = None,
    callbacks: Sequence[Callback] = (),
    stop_check: StopCheck | None = None,
) -> None:
    """Trains from ``stack.epochs_done`` to the end, or until the stop check raises."""
    check = stop_check or StopCheck(None)
    for callback in callbacks:
        callback.on_training_start(stack)
    while stack.epochs_done < stack.total_epochs:
        check.at_epoch_start()
        record = run_epoch(stack, check.between_batches)
        if validation is not None:
            record.values.update(validation.scores(stack))
        if stack.controller is not None:
            record.values.update(stack.controller.steer(stack))
        stack.history.append(record)
        stack.epochs_done += 1
        for callback in callbacks:
            callback.on_epoch_end(stack, record)
    for callback in callbacks:
        callback.on_training_end(stack)


def run_epoch(stack: TrainingStack, between_batches: Callable[[], None]) -> EpochRecord:
    """Shows every row to every member once and returns the average losses."""
    head_only = stack.epochs_done >= stack.joint_epochs
    if stack.epochs_done == stack.joint_epochs and stack.method.head_plan.fresh:
        stack.head.draw(generators(stack.members, "fresh head"))
    order = batches(stack)
    plans = stack.planner(order)
    losses = penalties = torch.zeros(len(stack.members))
    rows_seen = 0
    for rows, plan in zip(order, plans, strict=True):
        between_batches()
        loss, penalty = head_step(stack, rows) if head_only else joint_step(stack, rows, plan)
        losses, penalties = losses + loss * rows.shape[1], penalties + penalty * rows.shape[1]
        rows_seen += rows.shape[1]
    return EpochRecord(
        epoch=stack.epochs_done + 1,
        phase="head" if head_only else "joint",
        values={
            "task_loss": (losses / rows_seen).double().numpy(),
            "penalty": (penalties / rows_seen).double().numpy(),
        },
    )


def batches(stack: TrainingStack) -> list[Tensor]:
    """Row numbers (B, n) of an epoch, every member in its own order; a tiny tail is dropped."""
    members = zip(stack.shown, stack.batch_streams, strict=True)
    order = torch.stack([in_random_order(own, len(stack.data), stream) for own, stream in members])
    split = torch.split(order, stack.config.batch_size, dim=1)
    return [rows for rows in split if rows.shape[1] >= FEWEST_ROWS]


def in_random_order(own: Tensor, count: int, stream: torch.Generator) -> Tensor:
    """Returns ``count`` of a member's rows; one that is shown fewer sees some of them again.

    So all members of a stack take the same steps, however many rows they learn from.
    """
    order = torch.randperm(len(own), generator=stream)
    while len(order) < count:
        order = torch.cat([order, torch.randperm(len(own), generator=stream)])
    return own[order[:count]]


def joint_step(stack: TrainingStack, rows: Tensor, plan: object) -> tuple[Tensor, Tensor]:
    """One step of encoder and head on L + λ · penalty; the adversary, if any, moves first."""
    z = stack.encode(rows)  # (B, n, m)
    logits, p = stack.predict(z)
    check_finite(stack, logits)
    batch = make_batch(stack.data, rows, z, p, plan)
    adversary = stack.adversary
    if adversary is None:
        penalty = stack.penalty(batch)
    else:
        adversary_steps(stack, replace(batch, z=z.detach()))
        penalty = -adversary(batch)
    loss = stack.task_loss(logits, p, rows, y=batch.y)
    total = loss + stack.fairness_weights * penalty
    descend(stack.optimiser, total)
    return loss.detach(), penalty.detach()


def adversary_steps(stack: TrainingStack, batch: Batch) -> None:
    """Lets the adversary improve on a fixed representation."""
    assert stack.adversary is not None
    assert stack.adversary_optimiser is not None
    plan = stack.method.adversary_plan
    for _ in range(plan.steps):
        descend(stack.adversary_optimiser, stack.adversary(batch), plan.gradient_clip)


def head_step(stack: TrainingStack, rows: Tensor) -> tuple[Tensor, Tensor]:
    """One step of the head alone, on L; the representation stays."""
    with torch.no_grad():
        z = stack.encode(rows)
    logits, p = stack.predict(z)
    loss = stack.task_loss(logits, p, rows)
    descend(stack.head_optimiser, loss)
    return loss.detach(), torch.full_like(loss, torch.nan)


def check_finite(stack: TrainingStack, logits: Tensor) -> None:
    """Raises TrainingDivergedError as soon as a member's predictions are no numbers any more."""
    if isfinite(logits.detach().sum().item()):
        return
    lost = (~torch.isfinite(logits).flatten(1).all(dim=1)).nonzero().flatten().tolist()
    names = ", ".join(
        f"λ = {stack.members[b].fairness_weight:g}, seed {stack.members[b].seed}" for b in lost
    )
    raise TrainingDivergedError(
        f"{stack.method.title} diverged in epoch {stack.epochs_done + 1} ({names}): predictions "
        "are no longer finite. Use a smaller learning rate, or scale the features to [0, 1]."
    )


def make_batch(data: Tensors, rows: Tensor, z: Tensor, p: Tensor, plan: object = None) -> Batch:
    """Collects what a method may look at."""
    return Batch(
        z=z,
        p=p,
        y=data.y[rows],
        s=data.s[rows],
        group=None if data.group is None else data.group[rows],
        judged=None if data.judged is None else data.judged[rows],
        plan=plan,
        places=None if data.places is None else data.places[rows],
        levels=data.levels,
    )


def descend(optimiser: Adam, losses: Tensor, clip: float | None = None) -> None:
    """One optimiser step on the sum of the members' losses, which share no parameter."""
    optimiser.zero_grad()
    # Only these: what else the loss depends on (the adversary, the encoder) must not move.
    torch.autograd.backward(losses, torch.ones_like(losses), inputs=optimiser.moved)
    if clip is not None:
        clip_per_member(optimiser.moved, clip)
    optimiser.step()


def clip_per_member(parameters: Sequence[nn.Parameter], longest: float) -> None:
    """Shortens each member's gradient to ``longest``, as if the member were alone."""
    gradients = [one.grad for one in parameters if one.grad is not None]
    squares = sum(gradient.square().flatten(1).sum(dim=1) for gradient in gradients)
    factor = (longest / (torch.as_tensor(squares).sqrt() + 1e-6)).clamp(max=1.0)  # (B,)
    for gradient in gradients:
        gradient.mul_(factor.view(-1, *[1] * (gradient.ndim - 1)))
