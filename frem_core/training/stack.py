"""Everything that changes while a stack of trainings runs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from frem_core.datasets import Part
from frem_core.errors import ConfigError
from frem_core.methods.adversary import AdversarySetup
from frem_core.methods.batch import Batch
from frem_core.methods.method import Method
from frem_core.networks import Inputs, StackedLinear, sigmoid
from frem_core.training.adam import Adam
from frem_core.training.callback import Controller
from frem_core.training.components import STANDARD, Components
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member
from frem_core.training.seeds import generators
from frem_core.training.task_loss import task_loss
from frem_core.training.tensors import Tensors
from frem_core.types import Task


@dataclass(frozen=True)
class EpochRecord:
    """What one epoch gave.

    Attributes:
        epoch: 1 for the first.
        phase: "joint", or "head" when only the head was trained.
        values: (B,) by name: task_loss, penalty and, with validation rows, validation scores;
            with a controller also what it says.
    """

    epoch: int
    phase: str
    values: dict[str, NDArray[np.float64]] = field(default_factory=dict)


class TrainingStack:
    """Networks, optimisers and random streams of trainings that run side by side.

    Members share data, method and config, and differ in fairness weight and seed. Each loss
    depends on one member's parameters only and Adam works element by element, so every member
    ends where it would have ended alone. A single training is a stack of one.

    Args:
        part: the training rows.
        task: "classification" (targets 0 and 1) or "regression" (targets in [0, 1]).
        method: what makes the model fair.
        config: what all methods share.
        members: fairness weight and seed of each training.
        shown: the rows of ``part`` that each member learns from; all rows when None.
        controller: moves the fairness weights between epochs; None leaves them as they are.
        components: what the caller brings itself: a network, a loss, a device.
    """

    def __init__(
        self,
        part: Part,
        *,
        task: Task,
        method: Method,
        config: TrainingConfig,
        members: Sequence[Member],
        shown: Sequence[Tensor] | None = None,
        controller: Controller | None = None,
        components: Components = STANDARD,
    ) -> None:
        if not members:
            raise ConfigError("No training was asked for; give at least one member.")
        method.check_task(task)
        if part.attributes is not None:
            method.check_several(part.attributes.names)
        if components.outputs > 1 and method.fairness == "eo":
            raise ConfigError(
                "Equal opportunity (fairness = 'eo') compares the rows of the positive class, so "
                f"it needs two classes, not {components.classes}. Use fairness = 'dp'."
            )
        self.task, self.method, self.config, self.members = task, method, config, tuple(members)
        self.fairness_weights = torch.tensor([one.fairness_weight for one in members])
        self.components, self.device = components, components.find_device()
        self.epochs_done = 0
        self.joint_epochs = config.epochs
        self.history: list[EpochRecord] = []
        first = generators(members, "networks")
        self.encoder = components.build_encoder(config, part.x.shape[1], first)
        self.head = StackedLinear(self.encoder.representation_size, components.outputs, first)
        self.encoder.to(self.device)
        self.part = part
        self.data = Tensors.of(part, method, self.encoder.read(part.x))
        everyone = torch.arange(len(self.data))
        self.shown = tuple(shown) if shown is not None else (everyone,) * len(self.members)
        self.controller = controller
        self.planner = method.planner(self.data.s)
        self._build_optimisers()
        self.batch_streams = generators(members, "batches")

    @property
    def total_epochs(self) -> int:
        """Joint epochs and the head-only epochs some methods add."""
        return self.joint_epochs + self.method.head_plan.epochs

    def _build_optimisers(self) -> None:
        self.adversary = self.method.adversary(self._adversary_setup())
        trained = (*self.encoder.parameters(), *self.head.parameters())
        self.optimiser = Adam(trained, self.config.learning_rate, self.config.weight_decay)
        self.adversary_optimiser = (
            None
            if self.adversary is None
            # Decay would outweigh the small gradients of an adversary and hold it near 0.
            else Adam(self.adversary.parameters(), self.method.adversary_plan.learning_rate, 0.0)
        )

    @cached_property
    def head_optimiser(self) -> Adam:
        """Moves the head alone, once encoder and head have been trained together."""
        return Adam(self.head.parameters(), self.config.learning_rate, self.config.weight_decay)

    def _adversary_setup(self) -> AdversarySetup:
        group = self.data.group
        return AdversarySetup(
            representation_size=self.encoder.representation_size,
            generators=generators(self.members, "adversary"),
            group_shares=None if group is None else group.bincount(minlength=2) / len(group),
        )

    def networks(self) -> dict[str, nn.Module]:
        """The networks by name."""
        parts = {"encoder": self.encoder, "head": self.head, "adversary": self.adversary}
        return {name: network for name, network in parts.items() if network is not None}

    def optimisers(self) -> dict[str, Adam]:
        """The optimisers by name, as far as the training has got."""
        head_only = self.epochs_done >= self.config.epochs
        parts = {
            "model": self.optimiser,
            "head": self.head_optimiser if head_only else None,
            "adversary": self.adversary_optimiser,
        }
        return {name: optimiser for name, optimiser in parts.items() if optimiser is not None}

    def encode(self, rows: Tensor) -> Tensor:
        """Returns the representations (B, n, m) of training rows (B, n)."""
        return self.represent(self.data.inputs, rows)

    def represent(self, inputs: Inputs, rows: Tensor) -> Tensor:
        """Returns the representations (B, n, m) of rows (B, n) of what was read, on the CPU."""
        if self.device.type == "cpu":
            return self.encoder(inputs, rows)
        return self.encoder(inputs.to(self.device), rows.to(self.device)).cpu()

    def predict(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Returns logits and predictions in [0, 1] from representations.

        Both are (B, n) or, with more than two classes, (B, n, classes).
        """
        logits = self.head(z)
        if self.components.outputs > 1:
            return logits, torch.softmax(logits, dim=-1)
        return logits.squeeze(-1), sigmoid(logits.squeeze(-1))

    def task_loss(
        self,
        logits: Tensor,
        p: Tensor,
        rows: Tensor,
        of: Tensors | None = None,
        y: Tensor | None = None,
    ) -> Tensor:
        """Returns (B,), the prediction loss on training rows (B, n), or on rows of other data.

        ``y`` are the targets (B, n) of these rows, where they are at hand.
        """
        data = self.data if of is None else of
        weight = None if data.weight is None else data.weight[rows]
        y = data.y[rows] if y is None else y
        return task_loss(self.task, logits, p, y, weight, own=self.components.loss)

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the method's penalty (B,); with several classes the mean over one against all."""
        if batch.p.ndim == 2:
            return self.method.penalty(batch)
        # Where predictions do not count, the first class stands for all.
        looked_at = batch.p.shape[-1] if self.method.judges_prediction else 1
        penalties = []
        for number, p in enumerate(batch.p.unbind(dim=-1)[:looked_at]):
            spread = (batch.y == number).to(p).std(dim=1, correction=0)
            penalties.append(self.method.penalty(replace(batch, p=p, target_spread=spread)))
        return torch.stack(penalties).mean(dim=0)

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """Networks as they will be used, e.g. without dropout, while the block runs."""
        self.encoder.eval()
        try:
            yield
        finally:
            self.encoder.train()
