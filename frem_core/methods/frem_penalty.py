"""FREM's penalty on a mini-batch: the EIPM of representation and prediction."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Final, cast
from zlib import crc32

import torch
from torch import Tensor

from frem_core.eipm.plan import BatchPlanner, PlannedRuns, Plans, runs_of_same
from frem_core.eipm.settings import check_settings
from frem_core.eipm.several.batch import BatchOfSeveral
from frem_core.eipm.stacked import Judged, mean_eipm
from frem_core.eipm.weights import LowRankWeights
from frem_core.kernels import get_kernel
from frem_core.methods.batch import Batch
from frem_core.methods.method import Planner

if TYPE_CHECKING:
    from frem_core.methods.frem import Frem

_DRAWS: Final = 128
"""Sets of random frequencies that the batches choose from."""


class FremPenalty:
    """The EIPM with the settings of a `Frem`.

    Args:
        frem: says what is judged, and how.
    """

    def __init__(self, frem: "Frem") -> None:
        self._frem = frem
        self._settings = check_settings(
            gamma=frem.gamma,
            sigma=frem.sigma,
            sensitive_kernel=frem.sensitive_kernel,
            representation_kernel=frem.representation_kernel,
            method=frem.computation,
            features=ceil(frem.random_features / 2),
            random_state=0,
            noise=frem.noise,
            form=frem.form,
            units=frem.units,
        )

    def planner(self, s: Tensor) -> Planner:
        """Plans the weights on S (N,) ahead, for batches in which every row is judged."""
        return BatchPlanner(s, self._settings)

    def of_judged(self, batch: Batch) -> Tensor:
        """Returns the EIPM (B,) of a batch in which every row is judged."""
        runs = cast(PlannedRuns | None, batch.plan) or [
            (run, None) for run in runs_of_same(batch.s)
        ]
        if len(runs) == 1:
            return self._of_alike(batch, runs[0][1])
        parts = [self._of_alike(batch.members(run), weights) for run, weights in runs]
        return torch.cat(parts)

    def _of_alike(self, batch: Batch, weights: LowRankWeights | None) -> Tensor:
        """The EIPM of members that all see the same rows."""
        frem, settings = self._frem, self._settings
        if frem.computation != "exact":
            # An encoder would learn to be fair for frequencies that stay, and for no others.
            settings = replace(settings, random_state=_number_of(batch.s[0]) % _DRAWS)
        judge = self._judge(batch, weights)
        judged = [Judged(batch.z, settings)]
        if frem.judges_prediction:
            # In units of its spread: a prediction that varies little can follow S all the same.
            least = frem.prediction_floor * batch.spread_of_targets()
            of_prediction = replace(settings, units="scale", sigma=1.0)
            judged.append(Judged(batch.p.unsqueeze(-1), of_prediction, least))
        found = judge(judged)
        if frem.linear_probe > 0:
            # This kernel compares means, 1.5 ‖Σ_j A_ij z_j‖² / σ²; whitened rows have variance 1/m.
            means = replace(
                settings,
                units="whitened",
                representation_kernel=get_kernel("epanechnikov"),
                sigma=(1.5 / batch.z.shape[-1]) ** 0.5,
            )
            found = found + frem.linear_probe * judge([Judged(batch.z, means)])
        return found

    def _judge(
        self, batch: Batch, weights: LowRankWeights | None
    ) -> Callable[[Sequence[Judged]], Tensor]:
        """Judges by one sensitive attribute, or by each of several and all together."""
        if batch.places is not None:
            about = batch.places[0], batch.levels, self._settings, self._frem.joint_weight
            return BatchOfSeveral(*about, batch.z.dtype).eipm
        s, planned = batch.s, weights or Plans()
        return lambda judged: mean_eipm(judged, s, planned)


def _number_of(s: Tensor) -> int:
    """A number that differs from batch to batch, the same in a training that is resumed."""
    return crc32(s.numpy(force=True).tobytes())
