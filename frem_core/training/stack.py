"""Everything that changes while a stack of trainings runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from frem_core.datasets import Part
from frem_core.errors import ConfigError
from frem_core.methods.adversary import AdversarySetup
from frem_core.methods.method import Method
from frem_core.networks import ENCODERS, StackedLinear
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member
from frem_core.training.seeds import generators
from frem_core.training.tensors import Tensors
from frem_core.types import Task


@dataclass(frozen=True)
class EpochRecord:
    """What one epoch gave.

    Attributes:
        epoch: 1 for the first.
        phase: "joint", or "head" when only the head was trained.
        values: (B,) by name: task_loss, penalty and, with validation rows, validation scores.
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
    """

    def __init__(
        self,
        part: Part,
        *,
        task: Task,
        method: Method,
        config: TrainingConfig,
        members: Sequence[Member],
    ) -> None:
        if not members:
            raise ConfigError("No training was asked for; give at least one member.")
        method.check_task(task)
        self.task, self.method, self.config, self.members = task, method, config, tuple(members)
        self.fairness_weights = torch.tensor([one.fairness_weight for one in members])
        self.epochs_done = 0
        self.history: list[EpochRecord] = []
        first = generators(members, "networks")
        self.encoder = ENCODERS.get(config.encoder)(
            part.x.shape[1], hidden=config.hidden, activation=config.activation, generators=first
        )
        self.head = StackedLinear(self.encoder.representation_size, 1, first)
        self.data = Tensors.of(part, method, self.encoder.read(part.x))
        self.planner = method.planner(self.data.s)
        self._build_optimisers()
        self.batch_streams = generators(members, "batches")

    @property
    def total_epochs(self) -> int:
        """Joint epochs and the head-only epochs some methods add."""
        return self.config.epochs + self.method.head_plan.epochs

    def _build_optimisers(self) -> None:
        self.adversary = self.method.adversary(self._adversary_setup())
        trained = nn.ModuleDict({"encoder": self.encoder, "head": self.head})
        decay = self.config.weight_decay
        self.optimiser = adam(trained.parameters(), self.config.learning_rate, decay)
        self.head_optimiser = adam(self.head.parameters(), self.config.learning_rate, decay)
        self.adversary_optimiser = (
            None
            if self.adversary is None
            # Decay would outweigh the small gradients of an adversary and hold it near 0.
            else adam(self.adversary.parameters(), self.method.adversary_plan.learning_rate, 0.0)
        )

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

    def optimisers(self) -> dict[str, torch.optim.Adam]:
        """The optimisers by name."""
        parts = {
            "model": self.optimiser,
            "head": self.head_optimiser,
            "adversary": self.adversary_optimiser,
        }
        return {name: optimiser for name, optimiser in parts.items() if optimiser is not None}

    def encode(self, rows: Tensor) -> Tensor:
        """Returns the representations (B, n, m) of training rows (B, n)."""
        return self.encoder(self.data.inputs, rows)

    def predict(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Returns logits and predictions in [0, 1], both (B, n), from representations."""
        logits = self.head(z).squeeze(-1)
        return logits, torch.sigmoid(logits)


def adam(parameters: Iterable[nn.Parameter], rate: float, decay: float) -> torch.optim.Adam:
    """Adam whose weight decay is part of the gradient (coupled), unlike AdamW's."""
    return torch.optim.Adam(parameters, lr=rate, weight_decay=decay, fused=True)
