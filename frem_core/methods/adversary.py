"""The opponent that some methods train against the encoder."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from frem_core.methods.batch import Batch


class Adversary(nn.Module, ABC):
    """Lowers its own loss in steps of its own; the encoder is rewarded for raising it.

    So the penalty of a method with an adversary is minus the adversary's loss.
    """

    @abstractmethod
    def forward(self, batch: Batch) -> Tensor:
        """Returns the loss (B,) of every member's adversary."""

    def __call__(self, batch: Batch) -> Tensor:
        """The same as `forward`, with its type."""
        return cast(Tensor, super().__call__(batch))


@dataclass(frozen=True)
class AdversarySetup:
    """What is known when an adversary is built.

    Attributes:
        representation_size: m, the columns of Z.
        generators: one per member, for its first weights.
        group_shares: share of the training rows in each group, or None without cuts.
    """

    representation_size: int
    generators: Sequence[torch.Generator]
    group_shares: Tensor | None = None


@dataclass(frozen=True)
class AdversaryPlan:
    """How an adversary is trained, with an optimiser of its own.

    Attributes:
        steps: adversary steps before each step of encoder and head.
        learning_rate: of the adversary's Adam.
        gradient_clip: largest norm of one member's gradient, or None.
    """

    steps: int = 1
    learning_rate: float = 1e-3
    gradient_clip: float | None = None
