"""FREM: a representation whose distribution does not move with the sensitive attribute."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from frem_core.methods.method import Method, Planner, register
from frem_core.methods.named_forms import DEFAULT_FORM, PAPERS_FORM
from frem_core.methods.parameter import parameter

if TYPE_CHECKING:
    from torch import Tensor

    from frem_core.methods.batch import Batch
    from frem_core.methods.frem_penalty import FremPenalty
    from frem_core.types import Floats


# Asked for when a setting is checked or shown, and then only: the estimator brings torch along.
def _kernels() -> tuple[str, ...]:
    from frem_core.kernels import available_kernels

    return available_kernels()


def _units() -> tuple[str, ...]:
    from frem_core.eipm.settings import UNITS

    return UNITS


def _forms() -> tuple[str, ...]:
    from frem_core.eipm.settings import FORMS

    return FORMS


def _noises() -> tuple[str, ...]:
    from frem_core.eipm.settings import NOISES

    return NOISES


@register
@dataclass(frozen=True, kw_only=True)
class Frem(Method):
    r"""Minimises L + λ · EIPM(Z; S), estimated on every mini-batch (Algorithm 1).

    For equal opportunity the EIPM is taken over the rows with Y = 1, and ranks of S among them.

    An encoder can lower the EIPM of the paper without becoming fair: by a small Z and a head with
    large weights, by hiding S in a small part of Z that the head singles out, and by giving in to
    the noise of a batch. ``units``, ``judges`` and ``noise`` each close one of these ways;
    ``linear_probe`` keeps S from being read off Z by a straight line.
    """

    name = "frem"
    title = "FREM"
    explanation = (
        "Learns a representation whose whole distribution looks alike at every value of the "
        "sensitive attribute, compared with a smoothing kernel instead of groups."
    )
    citation = "Fair Representation using EIPM (FREM), Section III"
    colour = "#007580"
    symbol = "star"
    supports_equal_opportunity = True
    supports_several = True
    fairness_weights: ClassVar = {
        "crime": (0.015, 0.03, 0.05, 0.08, 0.15, 0.3, 0.5, 0.9, 1.6, 3.0),
    }

    gamma: float = parameter(
        0.05,
        label="bandwidth on the sensitive attribute",
        symbol="γ",
        help="How near two sensitive values (scaled to 0–1) must be to count as alike; "
        "smaller looks closer, larger is steadier.",
        minimum=0.001,
        maximum=10.0,
        log_scale=True,
    )
    sigma: float | str = parameter(
        1.0,
        label="scale of the representation kernel",
        symbol="σ",
        help="Distance at which two representations count as different; 'median' takes the "
        "median distance of the batch, so that shrinking the representation gains nothing.",
        minimum=0.01,
        maximum=100.0,
        log_scale=True,
        choices=("median",),
    )
    sensitive_kernel: str = parameter(
        "rbf",
        label="kernel on the sensitive attribute",
        help="Shape of the smoothing; the paper finds little difference.",
        choices=_kernels,
    )
    representation_kernel: str = parameter(
        "rbf",
        label="kernel on the representation",
        help="How representations are compared; the paper finds little difference.",
        choices=_kernels,
    )
    computation: str = parameter(
        "exact",
        label="computation of the penalty",
        help="'exact' uses every pair of rows; 'linear' approximates with random features, others "
        "for each batch, and is faster for large batches; 'auto' chooses by batch size.",
        choices=("exact", "linear", "auto"),
        advanced=True,
    )
    random_features: int = parameter(
        128,
        label="random features",
        help="Cosines and sines of the linear computation, one of each for every random "
        "frequency; more are slower and more accurate.",
        minimum=8,
        maximum=100_000,
        log_scale=True,
        advanced=True,
    )

    judges: str = parameter(
        DEFAULT_FORM["judges"],
        label="what is judged",
        help="The representation alone, as in the paper, or representation and prediction, each "
        "with half the weight: a head can single out a dependence that is small in the whole "
        "representation.",
        choices=("representation", "representation_and_prediction"),
        advanced=True,
        before=PAPERS_FORM["judges"],
    )
    units: str = parameter(
        DEFAULT_FORM["units"],
        label="units of the representation",
        help="As it is, as in the paper; or relative to its own spread in the batch, so that "
        "shrinking gains nothing: as a whole ('scale'), in every dimension ('standardised') or in "
        "every direction ('whitened').",
        before=PAPERS_FORM["units"],
        choices=_units,
        advanced=True,
    )
    form: str = parameter(
        DEFAULT_FORM["form"],
        label="form of the penalty",
        help="Mean over people of the distance to everybody, as in the paper ('root'), or of the "
        "squared distance ('square'), which pulls less where little is left.",
        choices=_forms,
        advanced=True,
        before=PAPERS_FORM["form"],
    )
    noise: str = parameter(
        DEFAULT_FORM["noise"],
        label="noise of small batches",
        help="A batch shows distances where there are none, the more the smaller it is. Kept, as "
        "in the paper, they shrink the representation; removed, the penalty is 0 on average when "
        "nothing depends on the sensitive attribute. Goes with the square.",
        choices=_noises,
        advanced=True,
        before=PAPERS_FORM["noise"],
    )

    prediction_floor: float = parameter(
        DEFAULT_FORM["prediction_floor"],
        label="least unit of the prediction",
        help="Share of the target's spread. A prediction is judged in units of its own spread; one "
        "that varies less than this is taken for less, or the penalty would hold predictions at "
        "one constant once they are near it.",
        minimum=0.0,
        maximum=10.0,
        advanced=True,
        before=PAPERS_FORM["prediction_floor"],
    )
    sensitive_units: str = parameter(
        DEFAULT_FORM["sensitive_units"],
        label="units of the sensitive attribute",
        help="Its value between the smallest and the largest, as in the paper; or its rank, the "
        "share of people below, so that an income and its logarithm give the same model and a "
        "bandwidth of 0.05 is about a twentieth of the people everywhere. Categories stay.",
        choices=("value", "rank"),
        advanced=True,
        before=PAPERS_FORM["sensitive_units"],
    )
    joint_weight: float = parameter(
        1.0,
        label="weight of all attributes together",
        symbol="μ",
        help="With several sensitive attributes, each is judged by itself and all of them together "
        "where a batch has enough people; this is how much the latter counts. 0 leaves what only "
        "a combination shows, such as young women.",
        minimum=0.0,
        maximum=100.0,
        advanced=True,
        before=1.0,
    )
    linear_probe: float = parameter(
        0.0,
        label="weight against linear probes",
        help="Also asks that no straight line through the representation tells the sensitive "
        "attribute: how far its mean moves with the attribute, along every direction in units of "
        "its own spread. 0.05 to 0.1 is much; it costs a little of the trade-off of predictions.",
        minimum=0.0,
        maximum=100.0,
        advanced=True,
        before=0.0,
    )

    @property
    def judges_prediction(self) -> bool:
        """Whether the prediction is judged beside the representation."""
        return self.judges != "representation"

    def compared(self, values: "Floats", among: "Floats") -> "Floats":
        """The values, or their ranks among the judged training rows."""
        return values if self.sensitive_units == "value" else middle_ranks(values, among)

    def planner(self, s: "Tensor") -> Planner:
        """Plans the weights on S ahead where every row is judged."""
        return self._penalty.planner(s) if self.fairness == "dp" else super().planner(s)

    def penalty(self, batch: "Batch") -> "Tensor":
        """Returns the EIPM (B,) of the judged rows."""
        return batch.per_member(self._penalty.of_judged)

    @cached_property
    def _penalty(self) -> "FremPenalty":
        from frem_core.methods.frem_penalty import FremPenalty

        return FremPenalty(self)

    @property
    def advice_on_leakage(self) -> str:
        """Names the ways out that this form of the penalty leaves open; docs/penalty.md shows them.

        Closing one alone opens another: in units of its own spread the representation can hide S
        in a small part that only the prediction shows.
        """
        missing = []
        if self.judges == "representation":
            missing.append("judges = 'representation_and_prediction'")
        if self.units == "as_is":
            missing.append("units = 'standardised'")
        if missing:
            return (
                "The penalty was lowered without removing the attribute: a small or hidden part "
                f"of the representation still tells it. Train with {' and '.join(missing)}."
            )
        if self.linear_probe == 0:
            return (
                "Predictions are judged, but a fresh model may still read the attribute from the "
                "representation. If others will use it, train with linear_probe = 0.1; else give "
                "fairness more weight (a larger λ)."
            )
        return (
            "Give fairness more weight (a larger λ), or look closer along the attribute with a "
            "smaller bandwidth (γ)."
        )


def middle_ranks(values: "Floats", among: "Floats") -> "Floats":
    """Share of others that lie below each value, those equal to it counting half; in [0, 1].

    >>> import numpy as np
    >>> income = np.array([1e3, 2e4, 2e4, 1e6])
    >>> middle_ranks(income, income)
    array([0.125, 0.5  , 0.5  , 0.875])
    """
    ordered = np.sort(among)
    below, up_to = (np.searchsorted(ordered, values, side) for side in ("left", "right"))
    return (below + up_to) / (2 * max(len(ordered), 1))
