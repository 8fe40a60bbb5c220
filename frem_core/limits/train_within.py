"""Trains models that keep limits; the fairness weight of each is found while it trains."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from frem_core.datasets import Part
from frem_core.eipm.tiles import keep_freed_memory
from frem_core.errors import ConfigError
from frem_core.limits.controller import FIRST_WEIGHT, LimitController
from frem_core.limits.limit import Limit
from frem_core.limits.shadows import HeldOut, Shadows
from frem_core.methods import Method, get_method
from frem_core.training import (
    Callback,
    Components,
    Controller,
    Member,
    TrainedModel,
    TrainingConfig,
    TrainingStack,
    torch_threads,
)
from frem_core.training.cancellation import StopCheck
from frem_core.training.checkpoint import Checkpointing, restore_checkpoint
from frem_core.training.loop import run
from frem_core.training.stack_size import nodes_of, stacks, step_rows
from frem_core.training.tensors import check_part
from frem_core.training.validation import Validation
from frem_core.training.weight_range import balance
from frem_core.types import Task

_SCALE_FREE: Final = ("hgr", "mutual_information")


@dataclass(frozen=True, eq=False)
class WithinLimit:
    """A model that was trained to keep a limit.

    Attributes:
        limit: what was asked for.
        model: the model; ``model.member.fairness_weight`` is the λ that was found, and its
            history says how (fairness_weight, held_out_score).
        unfair: the model without fairness on the same rows, that shares are relative to.
        held_out: what the model's shadows say about rows they have not seen, as model 0.
        held_out_unfair: the same of the unfair model.
    """

    limit: Limit
    model: TrainedModel
    unfair: TrainedModel
    held_out: HeldOut
    held_out_unfair: HeldOut


def train_within(
    part: Part,
    *,
    task: Task,
    method: Method,
    limits: Sequence[Limit],
    config: TrainingConfig | None = None,
    seed: int = 0,
    validation: Part | None = None,
    callbacks: Sequence[Callback] = (),
    callbacks_of_unfair: Sequence[Callback] = (),
    should_stop: Callable[[], bool] | None = None,
    checkpoints: Path | None = None,
    checkpoint_every: int = 10,
    stack_size: int | None = None,
    threads: int = 1,
) -> list[WithinLimit]:
    """Trains one model per limit, side by side, and beside each its shadows.

    First the unfair model is trained: shares are shares of its score. A short probe then says
    which fairness weights matter on these rows, and the models are trained, each with the weight
    that its own `LimitController` moves. What a limit gives does not depend on which others are
    trained with it, up to float rounding.

    Args:
        part: training rows, as for `frem_core.training.train`.
        task: "classification" or "regression".
        method: any method with a fairness weight.
        limits: what to keep; each gives one model.
        config: what all methods share.
        seed: of networks, batches and held-out rows.
        validation: held-out rows to score after every epoch.
        callbacks: watch the training of the models: they are the first members of each stack.
        callbacks_of_unfair: watch the training of the unfair model before.
        should_stop: as for `train`.
        checkpoints: folder; a training found there goes on where it stopped, to the bit.
        checkpoint_every: epochs between two checkpoints.
        stack_size: most models side by side; chosen by batch size when None.
        threads: torch threads.

    Returns:
        One result per limit, in their order.

    Example:
        >>> from frem_core.datasets import load_dataset, prepare, split_dataset
        >>> crime = load_dataset("crime")
        >>> data = prepare(crime, split_dataset(crime, seed=0))
        >>> config = TrainingConfig(epochs=2, batch_size=800, hidden=(8,))
        >>> half, = train_within(data.train, task=data.task, method=get_method("reg_gdp")(),
        ...                      limits=[Limit(score="gdp", keep=0.5)], config=config)
        >>> half.model.member.fairness_weight > 0
        True
    """
    if not method.uses_fairness_weight:
        raise ConfigError(
            f"{method.title} has no fairness weight, so it cannot be held to a limit; take another "
            "method, as frem."
        )
    classes = part.classes if task == "classification" else 2
    several = part.attributes
    for limit in limits:
        limit.check_task(task, classes)
        if several is not None:
            limit.check_attributes(several)
    check_part(part, task, "training", classes)
    config = config or TrainingConfig()
    shadows = Shadows.of(len(part), seed, several)
    work = _Work(
        part,
        task,
        config,
        seed,
        shadows,
        None if validation is None else Validation(validation),
        should_stop,
        checkpoint_every,
    )
    keep_freed_memory()
    with torch_threads(threads):
        unfair_stack = work.trained(
            get_method("unfair")(), 0.0, 1, None, callbacks_of_unfair, _below(checkpoints, "unfair")
        )
        unfair = TrainedModel.of_member(unfair_stack, 0)
        reference = shadows.predictions(unfair_stack, 1)
        even = balance(part, task=task, method=method, config=config, seed=seed).weight
        found: list[WithinLimit] = []
        rows = step_rows(config, len(part), nodes_of(part)) * (len(shadows) + 1)
        for number, together in enumerate(stacks(limits, rows, stack_size)):
            targets = [[_target(one, reference) for one in limit.every] for limit in together]
            controller = LimitController(together, targets, balance=even, shadows=shadows)
            stack = work.trained(
                method,
                FIRST_WEIGHT * even,
                len(together),
                controller,
                callbacks,
                _below(checkpoints, f"limits-{number}"),
            )
            held_out = shadows.predictions(stack, len(together))
            for place, limit in enumerate(together):
                weight = float(stack.fairness_weights[place])
                model = TrainedModel.of_member(stack, place)
                model = replace(model, member=replace(model.member, fairness_weight=weight))
                found.append(WithinLimit(limit, model, unfair, held_out.of(place), reference))
    return found


@dataclass(frozen=True, eq=False)
class _Work:
    """What the training of the unfair model and that of the others have in common."""

    part: Part
    task: Task
    config: TrainingConfig
    seed: int
    shadows: Shadows
    validation: Validation | None
    should_stop: Callable[[], bool] | None
    checkpoint_every: int

    def trained(
        self,
        method: Method,
        first_weight: float,
        models: int,
        controller: Controller | None,
        callbacks: Sequence[Callback],
        checkpoint: Path | None,
    ) -> TrainingStack:
        """Trains ``models`` models and their shadows in one stack."""
        shown = [rows for rows in self.shadows.shown for _ in range(models)]
        member = Member(fairness_weight=first_weight, seed=self.seed)
        stack = TrainingStack(
            self.part,
            task=self.task,
            method=method,
            config=self.config,
            members=[member] * len(shown),
            shown=shown,
            controller=controller,
            components=Components(classes=self.part.classes),
        )
        watching = list(callbacks)
        if checkpoint is not None:
            if checkpoint.exists():
                restore_checkpoint(stack, checkpoint)
            watching.append(Checkpointing(checkpoint, self.checkpoint_every))
        run(
            stack,
            validation=self.validation,
            callbacks=watching,
            stop_check=StopCheck(self.should_stop),
        )
        return stack


def _target(limit: Limit, unfair: HeldOut) -> float:
    """What is aimed at on the held-out rows: no less than chance gives there.

    Weight beyond that costs prediction and nothing could show what it brings. Only scores that do
    not change with the scale of predictions have such a level whatever the model does; the
    others can always be lowered by predictions that differ less.
    """
    value = limit.value(unfair.score(limit, 0))
    return max(value, unfair.chance(limit, 0)) if limit.score in _SCALE_FREE else value


def _below(folder: Path | None, name: str) -> Path | None:
    return None if folder is None else folder / f"{name}.safetensors"
