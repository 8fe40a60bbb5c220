"""FREM: a representation whose distribution does not move with the sensitive attribute."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import ClassVar, Final
from zlib import crc32

import torch
from torch import Tensor

from frem_core.eipm.estimator import stacked_eipm
from frem_core.eipm.plan import BatchPlanner, Plans, runs_of_same
from frem_core.eipm.settings import FORMS, NOISES, EipmSettings, check_settings
from frem_core.eipm.units import UNITS
from frem_core.eipm.weights import GroupedWeights
from frem_core.kernels import available_kernels
from frem_core.methods.batch import Batch
from frem_core.methods.method import Method, Planner, register
from frem_core.methods.parameter import parameter

PAPERS_FORM: Final[Mapping[str, str]] = {
    "judges": "representation",
    "units": "as_is",
    "form": "root",
    "noise": "kept",
}
"""The penalty of the paper, and of all runs that were stored before it could be another."""

DEFAULT_FORM: Final = PAPERS_FORM
"""The penalty where nothing else is asked for."""

_DRAWS: Final = 128
"""Sets of random frequencies that the batches choose from."""


@register
@dataclass(frozen=True, kw_only=True)
class Frem(Method):
    r"""Minimises L + λ · EIPM(Z; S), estimated on every mini-batch (Algorithm 1).

    For equal opportunity the EIPM is taken over the rows with Y = 1.

    An encoder can lower the EIPM of the paper without becoming fair: by a small Z and a head with
    large weights, by hiding S in a small part of Z that the head singles out, and by giving in to
    the noise of a batch. ``units``, ``judges`` and ``noise`` each close one of these ways.
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
    fairness_weights: ClassVar = {
        "crime": (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3),
        "adult": (0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 3.0),
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
        choices=UNITS,
        advanced=True,
        before=PAPERS_FORM["units"],
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

    def planner(self, s: Tensor) -> Planner:
        """Plans the weights on S ahead where every row is judged."""
        return BatchPlanner(s, self._settings) if self.fairness == "dp" else super().planner(s)

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the EIPM (B,) of the judged rows."""
        return batch.per_member(self._eipm)

    def _eipm(self, batch: Batch) -> Tensor:
        planned = batch.plan if isinstance(batch.plan, GroupedWeights) else Plans()
        found = self._eipm_of(batch.z, batch.s, planned, self._settings)
        if self.judges == "representation":
            return found
        # In units of its spread: a prediction that varies little can follow S all the same.
        relative = replace(self._settings, units="scale", sigma=1.0)
        prediction = self._eipm_of(batch.p.unsqueeze(-1), batch.s, planned, relative)
        return (found + prediction) / 2

    def _eipm_of(
        self, rows: Tensor, s: Tensor, planned: GroupedWeights | Plans, settings: EipmSettings
    ) -> Tensor:
        if self.computation == "exact":
            return stacked_eipm(rows, s, settings, planned)
        # An encoder would learn to be fair for frequencies that stay, and for no others.
        return torch.cat(
            [
                stacked_eipm(
                    rows[run],
                    s[run],
                    replace(settings, random_state=_number_of(s[run][0]) % _DRAWS),
                    planned,
                )
                for run in runs_of_same(s)
            ]
        )

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
