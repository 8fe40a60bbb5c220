"""Writes a running stack to a file and takes it up again, to the bit."""

import json
import logging
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from frem_core.errors import ConfigError, DataError
from frem_core.training.callback import Callback
from frem_core.training.stack import EpochRecord, TrainingStack

_log = logging.getLogger(__name__)


class Checkpointing(Callback):
    """Saves the stack every few epochs and at the end.

    A disk that is full or read-only costs the checkpoint, never the training: it goes on, and the
    next checkpoint is tried when its time comes.

    Args:
        path: the file; it is replaced in one step, so a crash leaves the last whole one.
        every: epochs between two checkpoints.
    """

    def __init__(self, path: Path, every: int = 10) -> None:
        self._path = path
        self._every = every

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        """Saves after every ``every``-th epoch."""
        if record.epoch % self._every == 0 or record.epoch == stack.total_epochs:
            try:
                save_checkpoint(stack, self._path)
            except (OSError, SafetensorError) as error:
                _log.warning("The training goes on without a checkpoint: %s", error)


def save_checkpoint(stack: TrainingStack, path: Path) -> None:
    """Writes networks, optimisers, random streams and history (safetensors, no pickle)."""
    description = {
        "identity": _identity(stack),
        "epochs_done": stack.epochs_done,
        "history": [(one.epoch, one.phase, list(one.values)) for one in stack.history],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        save_file(_with_history(stack), temporary, metadata={"frem": json.dumps(description)})
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def restore_checkpoint(stack: TrainingStack, path: Path) -> None:
    """Brings a newly built stack to the state in the file.

    Raises:
        ConfigError: the file belongs to another data, method, config or members.
        DataError: the file cannot be read.
    """
    try:
        with safe_open(path, framework="pt") as file:
            description: dict[str, Any] = json.loads(file.metadata()["frem"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"The checkpoint {path} cannot be read ({error}); delete it to start anew."
        ) from error
    if description["identity"] != _identity(stack):
        raise ConfigError(
            f"The checkpoint {path} belongs to another training (other data, method, settings, "
            "fairness weights or seeds); delete it or choose another place."
        )
    _load(stack, description, tensors)
    _log.info("Resumed %s after epoch %d", path, stack.epochs_done)


def state_of(stack: TrainingStack) -> dict[str, Tensor]:
    """Everything that training changes: networks, optimisers, random streams."""
    tensors = {
        f"network/{name}/{key}": value
        for name, network in stack.networks().items()
        for key, value in network.state_dict().items()
    }
    for name, optimiser in stack.optimisers().items():
        tensors |= {f"optimiser/{name}/{key}": one for key, one in optimiser.state().items()}
    for member, stream in enumerate(stack.batch_streams):
        tensors[f"stream/{member}"] = stream.get_state()
    if stack.controller is not None:
        tensors["fairness_weights"] = stack.fairness_weights
        kept = stack.controller.state()
        tensors |= {f"controller/{name}": value for name, value in kept.items()}
    return tensors


def _with_history(stack: TrainingStack) -> dict[str, Tensor]:
    tensors = state_of(stack)
    for number, record in enumerate(stack.history):
        for name, values in record.values.items():
            tensors[f"history/{number}/{name}"] = torch.from_numpy(np.array(values))
    return tensors


def load_state(stack: TrainingStack, tensors: dict[str, Tensor]) -> None:
    """Brings a stack to what `state_of` gave; what is not among it stays as it is."""
    for name, network in stack.networks().items():
        if own := _below(tensors, f"network/{name}/"):
            network.load_state_dict(own)
    for name, optimiser in stack.optimisers().items():
        if remembered := _below(tensors, f"optimiser/{name}/"):
            optimiser.restore(remembered)
    for member, stream in enumerate(stack.batch_streams):
        if f"stream/{member}" in tensors:
            stream.set_state(tensors[f"stream/{member}"])
    if stack.controller is not None:
        stack.fairness_weights = tensors["fairness_weights"]
        stack.controller.restore(_below(tensors, "controller/"))


def _load(stack: TrainingStack, description: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    stack.epochs_done = description["epochs_done"]
    load_state(stack, tensors)
    stack.history = [
        EpochRecord(
            epoch, phase, {name: tensors[f"history/{number}/{name}"].numpy() for name in names}
        )
        for number, (epoch, phase, names) in enumerate(description["history"])
    ]


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }


def _identity(stack: TrainingStack) -> dict[str, Any]:
    """What determines a training; two stacks with the same identity do the same."""
    identity = {
        "data": stack.data.digest,
        "task": stack.task,
        "method": stack.method.to_dict(),
        "config": stack.config.to_dict(),
        "members": [member.to_dict() for member in stack.members],
    }
    if stack.controller is not None:
        identity["controller"] = stack.controller.to_dict()
    return identity
