"""sIPM-LFR: matches two groups as far as a sigmoid of a linear function can see."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from frem_core.methods.adversary import Adversary, AdversaryPlan, AdversarySetup
from frem_core.methods.batch import Batch
from frem_core.methods.grouping import group_means
from frem_core.methods.method import HeadPlan, register
from frem_core.methods.parameter import parameter
from frem_core.methods.shared_parameters import (
    epochs_of_head,
    opponent_learning_rate,
    opponent_steps,
)
from frem_core.methods.two_group_method import TwoGroupMethod
from frem_core.networks import StackedLinear, sigmoid


class SigmoidDiscriminator(Adversary):
    r"""D(z) = sigmoid(θᵀz + μ); its loss is −|mean D(Z | A = 0) − mean D(Z | A = 1)|."""

    def __init__(self, setup: AdversarySetup) -> None:
        super().__init__()
        self.linear = StackedLinear(setup.representation_size, 1, setup.generators)

    def forward(self, batch: Batch) -> Tensor:
        """Returns minus the distance (B,) of the group means; 0 where a group is empty."""
        assert batch.group is not None
        judged = sigmoid(self.linear(batch.z)).squeeze(-1)
        means, present = group_means(judged, batch.group, 2)
        return -(means[:, 0] - means[:, 1]).abs() * present.all(dim=1)


@register
@dataclass(frozen=True, kw_only=True)
class SIPMLFR(TwoGroupMethod):
    r"""Minimises L + λ · sup_D |mean D(Z | A = 0) − mean D(Z | A = 1)|, D a sigmoid unit.

    Afterwards the head goes on training on the finished representation.
    """

    name = "sipm_lfr"
    title = "sIPM-LFR"
    explanation = (
        "Splits people into two groups by the sensitive value and brings the group averages of "
        "the best simple discriminator together."
    )
    citation = "Kim et al., Learning Fair Representation with a Parametric IPM, ICML 2022"
    colour = "#D9B310"
    symbol = "x"
    fairness_weights: ClassVar = {
        "crime": (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.1, 0.15, 0.2),
        "adult": (0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0),
    }

    adversary_steps: int = opponent_steps(2, "discriminator")
    adversary_learning_rate: float = opponent_learning_rate(1e-2, "discriminator")
    gradient_clip: float = parameter(
        5.0,
        label="gradient limit of the discriminator",
        help="Longer gradients of the discriminator are shortened to this length.",
        minimum=0.01,
        maximum=1000.0,
        log_scale=True,
        advanced=True,
    )
    head_epochs: int = epochs_of_head(
        50,
        label="epochs for the head alone",
        help="Epochs in which only the prediction head is trained, at the end.",
    )

    def adversary(self, setup: AdversarySetup) -> Adversary:
        """Returns the discriminator."""
        return SigmoidDiscriminator(setup)

    @property
    def adversary_plan(self) -> AdversaryPlan:
        """Two ascent steps with a limited gradient by default."""
        return AdversaryPlan(self.adversary_steps, self.adversary_learning_rate, self.gradient_clip)

    @property
    def head_plan(self) -> HeadPlan:
        """The head goes on from where joint training left it."""
        return HeadPlan(epochs=self.head_epochs)
