"""LAFTR: an opponent tells two groups apart from Z, the encoder makes it fail."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from frem_core.methods.adversary import Adversary, AdversaryPlan, AdversarySetup
from frem_core.methods.batch import Batch
from frem_core.methods.method import HeadPlan, register
from frem_core.methods.shared_parameters import epochs_of_head, opponent_learning_rate
from frem_core.methods.two_group_method import TwoGroupMethod
from frem_core.networks import StackedLinear, sigmoid

HIDDEN = 50


class GroupGuesser(Adversary):
    r"""Guesses the group A ∈ {0, 1} from Z with one hidden layer of 50.

    Its loss is the group-normalised L1 distance, mean of w_A · |a(Z) − A| with w_A = 1 / P(A), so
    that guessing the larger group does not pay.
    """

    weights: Tensor

    def __init__(self, setup: AdversarySetup) -> None:
        super().__init__()
        assert setup.group_shares is not None
        self.hidden = StackedLinear(setup.representation_size, HIDDEN, setup.generators)
        self.out = StackedLinear(HIDDEN, 1, setup.generators)
        shares = setup.group_shares.to(torch.float32)
        # A group without training rows never occurs, so its weight is never used.
        self.register_buffer("weights", torch.where(shares > 0, 1 / shares, 0.0))

    def forward(self, batch: Batch) -> Tensor:
        """Returns the normalised L1 distance (B,), between 0 (always right) and about 2."""
        assert batch.group is not None
        guess = sigmoid(self.out(functional.leaky_relu(self.hidden(batch.z)))).squeeze(-1)
        distance = (guess - batch.group).abs()
        return batch.mean(self.weights[batch.group] * distance)


@register
@dataclass(frozen=True, kw_only=True)
class LAFTR(TwoGroupMethod):
    r"""Plays min over encoder and head, max over the guesser, of L − λ · L1(a(Z), A).

    Then a fresh head learns from the finished representation, as somebody would who is handed it.
    """

    name = "laftr"
    title = "LAFTR"
    explanation = (
        "Splits people into two groups by the sensitive value and hides from an opponent which "
        "group a representation belongs to."
    )
    citation = "Madras et al., Learning Adversarially Fair and Transferable Representations, 2018"
    colour = "#4A274F"
    symbol = "square"
    fairness_weights: ClassVar = {
        "crime": (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5),
        "adult": (0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0),
    }

    adversary_learning_rate: float = opponent_learning_rate(1e-3)
    head_epochs: int = epochs_of_head(
        100,
        label="epochs for the fresh head",
        help="Epochs in which a new prediction head is trained on the finished representation.",
    )

    def adversary(self, setup: AdversarySetup) -> Adversary:
        """Returns the guesser of the group."""
        return GroupGuesser(setup)

    @property
    def adversary_plan(self) -> AdversaryPlan:
        """One step of the opponent for each step of the model."""
        return AdversaryPlan(steps=1, learning_rate=self.adversary_learning_rate)

    @property
    def head_plan(self) -> HeadPlan:
        """A new head, unless no epochs are given to it."""
        return HeadPlan(epochs=self.head_epochs, fresh=True)
