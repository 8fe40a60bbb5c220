"""Ends a training when rows that it does not see no longer gain from it."""

from copy import deepcopy
from typing import Any

import torch

from frem_core.datasets import Part
from frem_core.errors import ConfigError
from frem_core.training.callback import Callback
from frem_core.training.loop import make_batch
from frem_core.training.stack import EpochRecord, TrainingStack
from frem_core.training.tensors import Tensors


class EarlyStopping(Callback):
    """Watches the objective L + λ · penalty on held-out rows and goes back to its best epoch.

    The head-only epochs of some methods follow as usual. For a stack of one: members of a larger
    one would end at different times.

    Args:
        part: the held-out rows.
        patience: epochs without a new best after which the training ends.
        tolerance: by how much an epoch must be better to count.
    """

    def __init__(self, part: Part, *, patience: int = 10, tolerance: float = 1e-4) -> None:
        self._part = part
        self._patience = patience
        self._tolerance = tolerance
        self._best = float("inf")
        self._best_epoch = 0
        self._best_networks: dict[str, Any] = {}

    def on_training_start(self, stack: TrainingStack) -> None:
        """Refuses a stack of several, whose members would have to end at different times."""
        if len(stack.members) > 1:
            raise ConfigError("Early stopping is for one model at a time; use stack_size=1.")
        inputs = stack.encoder.read(self._part.x)
        self._data = Tensors.of(self._part, stack.method, inputs, trained=stack.part)

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        """Keeps the best networks and, when patience is over, ends the joint epochs with them."""
        if record.phase != "joint":
            return
        objective = self._objective(stack)
        if objective < self._best - self._tolerance:
            self._best, self._best_epoch = objective, record.epoch
            self._best_networks = {
                name: deepcopy(network.state_dict()) for name, network in stack.networks().items()
            }
        if record.epoch - self._best_epoch >= self._patience or record.epoch == stack.joint_epochs:
            stack.joint_epochs = record.epoch
            for name, network in stack.networks().items():
                network.load_state_dict(self._best_networks[name])

    @torch.no_grad()
    def _objective(self, stack: TrainingStack) -> float:
        rows = torch.arange(len(self._data)).unsqueeze(0)
        with stack.evaluating():
            z = stack.represent(self._data.inputs, rows)
            logits, p = stack.predict(z)
            batch = make_batch(self._data, rows, z, p)
            adversary = stack.adversary
            penalty = stack.penalty(batch) if adversary is None else -adversary(batch)
            loss = stack.task_loss(logits, p, rows, of=self._data)
        return float(loss + stack.fairness_weights * penalty)
