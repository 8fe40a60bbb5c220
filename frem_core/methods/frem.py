"""FREM: a representation whose distribution does not move with the sensitive attribute."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import ClassVar, Final, cast
from zlib import crc32

import torch
from torch import Tensor

from frem_core.eipm.plan import BatchPlanner, PlannedRuns, Plans, runs_of_same
from frem_core.eipm.settings import FORMS, NOISES, UNITS, EipmSettings, check_settings
from frem_core.eipm.several.batch import BatchOfSeveral
from frem_core.eipm.stacked import Judged, mean_eipm
from frem_core.eipm.weights import LowRankWeights
from frem_core.kernels import available_kernels, get_kernel
from frem_core.methods.batch import Batch
from frem_core.methods.method import Method, Planner, register
from frem_core.methods.named_forms import DEFAULT_FORM, PAPERS_FORM
from frem_core.methods.parameter import parameter

_DRAWS: Final = 128
"""Sets of random frequencies that the batches choose from."""


@register
@dataclass(frozen=True, kw_only=True)
class Frem(Method):
    r"""Minimises L + λ · EIPM(Z; S), estimated on every mini-batch (Algorithm 1).

    For equal opportunity the EIPM is taken over the rows with Y = 1.

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
        choices=available_kernels,
    )
    representation_kernel: str = parameter(
        "rbf",
        label="kernel on the representation",
        help="How representations are compared; the paper finds little difference.",
        choices=available_kernels,
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
        choices=UNITS,
        advanced=True,
    )
    form: str = parameter(
        DEFAULT_FORM["form"],
        label="form of the penalty",
        help="Mean over people of the distance to everybody, as in the paper ('root'), or of the "
        "squared distance ('square'), which pulls less where little is left.",
        choices=FORMS,
        advanced=True,
        before=PAPERS_FORM["form"],
    )
    noise: str = parameter(
        DEFAULT_FORM["noise"],
        label="noise of small batches",
        help="A batch shows distances where there are none, the more the smaller it is. Kept, as "
        "in the paper, they shrink the representation; removed, the penalty is 0 on average when "
        "nothing depends on the sensitive attribute. Goes with the square.",
        choices=NOISES,
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

    def planner(self, s: Tensor) -> Planner:
        """Plans the weights on S ahead where every row is judged."""
        return BatchPlanner(s, self._settings) if self.fairness == "dp" else super().planner(s)

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the EIPM (B,) of the judged rows."""
        return batch.per_member(self._eipm)

    def _eipm(self, batch: Batch) -> Tensor:
        runs = cast(PlannedRuns | None, batch.plan) or [
            (run, None) for run in runs_of_same(batch.s)
        ]
        if len(runs) == 1:
            return self._eipm_of_alike(batch, runs[0][1])
        parts = [self._eipm_of_alike(batch.members(run), weights) for run, weights in runs]
        return torch.cat(parts)

    def _eipm_of_alike(self, batch: Batch, weights: LowRankWeights | None) -> Tensor:
        """The EIPM of members that all see the same rows."""
        settings = self._settings
        if self.computation != "exact":
            # An encoder would learn to be fair for frequencies that stay, and for no others.
            settings = replace(settings, random_state=_number_of(batch.s[0]) % _DRAWS)
        judge = self._judge(batch, weights)
        judged = [Judged(batch.z, settings)]
        if self.judges_prediction:
            # In units of its spread: a prediction that varies little can follow S all the same.
            least = self.prediction_floor * batch.spread_of_targets()
            of_prediction = replace(settings, units="scale", sigma=1.0)
            judged.append(Judged(batch.p.unsqueeze(-1), of_prediction, least))
        found = judge(judged)
        if self.linear_probe > 0:
            # This kernel compares means, 1.5 ‖Σ_j A_ij z_j‖² / σ²; whitened rows have variance 1/m.
            means = replace(
                settings,
                units="whitened",
                representation_kernel=get_kernel("epanechnikov"),
                sigma=(1.5 / batch.z.shape[-1]) ** 0.5,
            )
            found = found + self.linear_probe * judge([Judged(batch.z, means)])
        return found

    def _judge(
        self, batch: Batch, weights: LowRankWeights | None
    ) -> Callable[[Sequence[Judged]], Tensor]:
        """Judges by one sensitive attribute, or by each of several and all together."""
        if batch.places is not None:
            about = batch.places[0], batch.levels, self._settings, self.joint_weight
            return BatchOfSeveral(*about, batch.z.dtype).eipm
        s, planned = batch.s, weights or Plans()
        return lambda judged: mean_eipm(judged, s, planned)

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

    @cached_property
    def _settings(self) -> EipmSettings:
        return check_settings(
            gamma=self.gamma,
            sigma=self.sigma,
            sensitive_kernel=self.sensitive_kernel,
            representation_kernel=self.representation_kernel,
            method=self.computation,
            features=ceil(self.random_features / 2),
            random_state=0,
            noise=self.noise,
            form=self.form,
            units=self.units,
        )


def _number_of(s: Tensor) -> int:
    """A number that differs from batch to batch, the same in a training that is resumed."""
    return crc32(s.numpy(force=True).tobytes())
