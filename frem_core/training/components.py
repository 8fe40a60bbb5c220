"""What a caller may bring to a training as an object: a network, a loss, a device."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from frem_core.errors import ConfigError, did_you_mean
from frem_core.networks import ENCODERS, Encoder
from frem_core.networks.own import MakeNetwork, OwnEncoder
from frem_core.training.config import TrainingConfig

Loss = Callable[[Tensor, Tensor], Tensor]
"""From predictions in [0, 1] and targets, (n,) or with classes (n, classes) and (n,), to (n,)."""

_DEVICES = ("cpu", "cuda", "mps")


@dataclass(frozen=True, eq=False)
class Components:
    """Parts of a training that are objects and not settings.

    Attributes:
        encoder: gets the number of inputs and returns the network to train instead of the one
            that the settings name.
        loss: of every row, instead of cross-entropy or squared error.
        classes: how many there are; 2 when None. With more, the head gives one probability each.
        device: where the encoder computes, e.g. "cuda"; "auto" takes the fastest there is. Head,
            penalty and adversary are small, need double precision in places and stay on the CPU.
    """

    encoder: MakeNetwork | None = None
    loss: Loss | None = None
    classes: int | None = None
    device: str = "cpu"

    @property
    def outputs(self) -> int:
        """Columns of the head: one, or one for each of more than two classes."""
        return self.classes if self.classes is not None and self.classes > 2 else 1

    def build_encoder(
        self, config: TrainingConfig, inputs: int, generators: Sequence[torch.Generator]
    ) -> Encoder:
        """Returns the caller's encoder, or the one of the settings."""
        if self.encoder is not None:
            return OwnEncoder(self.encoder, inputs, generators=generators)
        return ENCODERS.get(config.encoder)(
            inputs, hidden=config.hidden, activation=config.activation, generators=generators
        )

    def find_device(self) -> torch.device:
        """Returns the device, or says which ones this machine has."""
        usable = {
            "cpu": True,
            "cuda": torch.cuda.is_available(),
            "mps": torch.backends.mps.is_available(),
        }
        if self.device == "auto":
            return torch.device(next(name for name in ("cuda", "mps", "cpu") if usable[name]))
        kind = self.device.partition(":")[0]
        if not usable.get(kind, False):
            there = [f"'{name}'" for name in ("auto", *_DEVICES) if usable.get(name, True)]
            raise ConfigError(
                f"device = {self.device!r} is not available here; choose {' or '.join(there)}."
                + did_you_mean(self.device, ("auto", *_DEVICES))
            )
        return torch.device(self.device)


STANDARD = Components()
"""Nothing brought: the network of the settings, the loss of the task, on the CPU."""
