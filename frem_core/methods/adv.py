"""ADV: an opponent guesses the sensitive value from Z, the encoder makes it fail."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn
from torch.nn import functional

from frem_core.methods.adversary import Adversary, AdversaryPlan, AdversarySetup
from frem_core.methods.batch import Batch
from frem_core.methods.method import Method, register
from frem_core.methods.shared_parameters import opponent_learning_rate, opponent_steps
from frem_core.networks import StackedLinear, sigmoid

HIDDEN = 32


class SensitiveGuesser(Adversary):
    """Predicts S from Z with three hidden layers of 32; its loss is the squared error."""

    def __init__(self, setup: AdversarySetup) -> None:
        super().__init__()
        sizes = (setup.representation_size, HIDDEN, HIDDEN, HIDDEN)
        self.layers = nn.ModuleList(
            StackedLinear(size, HIDDEN, setup.generators) for size in sizes[:-1]
        )
        self.out = StackedLinear(HIDDEN, 1, setup.generators)

    def forward(self, batch: Batch) -> Tensor:
        """Returns the mean squared error (B,) over the judged rows."""
        hidden = batch.z
        for layer in self.layers:
            hidden = functional.relu(layer(hidden))
        guess = sigmoid(self.out(hidden)).squeeze(-1)
        return batch.mean((guess - batch.s).square())


@register
@dataclass(frozen=True, kw_only=True)
class ADV(Method):
    r"""Plays min over encoder and head, max over the guesser a, of L − λ · MSE(a(Z), S)."""

    name = "adv"
    title = "ADV"
    explanation = (
        "Trains an opponent that guesses the sensitive value from the representation, and "
        "rewards the representation for making it guess badly."
    )
    citation = (
        "Zhang et al., Mitigating Unwanted Biases with Adversarial Learning, AIES 2018, with a "
        "continuous target as in the FREM paper"
    )
    colour = "#D62728"
    symbol = "diamond"
    supports_equal_opportunity = True
    fairness_weights: ClassVar = {
        "crime": (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0),
        "adult": (1.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0),
    }

    adversary_steps: int = opponent_steps(3)
    adversary_learning_rate: float = opponent_learning_rate(1e-3)

    def adversary(self, setup: AdversarySetup) -> Adversary:
        """Returns the guesser of S."""
        return SensitiveGuesser(setup)

    @property
    def adversary_plan(self) -> AdversaryPlan:
        """Its own Adam, several steps for each step of the model."""
        return AdversaryPlan(self.adversary_steps, self.adversary_learning_rate)
