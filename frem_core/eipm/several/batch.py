"""What FREM lowers when there are several sensitive attributes: each, and all together."""

from collections.abc import Sequence
from functools import cached_property

import torch
from torch import Tensor

from frem_core.eipm.plan import Plans
from frem_core.eipm.settings import EipmSettings
from frem_core.eipm.several.kernel import JointKernel
from frem_core.eipm.several.plan import N_MIN, JointPlan, plan_joint
from frem_core.eipm.stacked import Judged, mean_eipm
from frem_core.eipm.weights import LowRankWeights, SummedWeights

# Rows whose pairs are kept as a whole, in the order of the batch.
_MOST_SUMMED = 2048


class BatchOfSeveral:
    """``Σ_d EIPM(Z; S_d) + μ · EIPM(Z; S)``, the last over places with enough people of the batch.

    Weights on the attributes are planned once, though several representations are judged by them.

    Args:
        places: ``(n, d)`` float64: numbers in [0, 1], and categories by the number of their level.
        levels: how many levels each attribute has; 0 for a number.
        settings: of the estimator; its γ is that of every number.
        joint_weight: μ.
        dtype: of the representations.
    """

    def __init__(
        self,
        places: Tensor,
        levels: tuple[int, ...],
        settings: EipmSettings,
        joint_weight: float,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self._places, self._levels, self._joint_weight = places, levels, joint_weight
        self._settings, self._dtype = settings, dtype
        kernel = settings.sensitive_kernel
        gammas = tuple(None if count else settings.gamma for count in levels)

        def plan(some: slice, n_min: float) -> JointPlan:
            return plan_joint(
                places[:, some],
                JointKernel(kernel, gammas[some]),
                n_min=n_min,
                dtype=dtype,
                linear=settings.linear(len(places)),
            )

        self._numbers = Plans()
        self._categories = {
            place: plan(slice(place, place + 1), 0.0) for place, count in enumerate(levels) if count
        }
        self._joint = plan(slice(None), N_MIN) if joint_weight > 0 else None

    def eipm(self, judged: Sequence[Judged]) -> Tensor:
        """Differentiable ``(B,)``: the mean over representations of these people."""
        z = judged[0].rows
        if all(map(self._sums_up, judged)) and self._summed is not None:
            return mean_eipm(judged, z[..., 0].detach(), self._summed)
        total = z.new_zeros(len(z))
        for place, count in enumerate(self._levels):
            if count:
                total = total + _planned(judged, self._categories[place])
            else:
                s = self._places[:, place].expand(len(z), -1)
                total = total + mean_eipm(judged, s, self._numbers)
        if self._joint is not None:
            total = total + self._joint_weight * _planned(judged, self._joint)
        return total

    def _sums_up(self, judged: Judged) -> bool:
        """Whether squares over the kernel matrix are asked for: these are linear in it."""
        settings = judged.settings
        n, m = judged.rows.shape[1:]
        features = settings.feature_map(m, linear=settings.linear(n))
        return settings.form == "square" and features is None and n <= _MOST_SUMMED

    @cached_property
    def _summed(self) -> SummedWeights | None:
        """All weights at once; None for running sums, which are of another kind."""
        parts: list[LowRankWeights] = []
        for place, count in enumerate(self._levels):
            if count:
                parts.append(self._categories[place].weights)
                continue
            s = self._places[:, place].unsqueeze(0)
            weights = self._numbers.weights(s, self._settings, self._dtype)
            if not isinstance(weights, LowRankWeights):
                return None
            parts.append(weights)
        factors = [1.0] * len(parts)
        if self._joint is not None:
            parts.append(self._joint.weights)
            factors.append(self._joint_weight)
        return SummedWeights(parts, factors)


def _planned(judged: Sequence[Judged], plan: JointPlan) -> Tensor:
    in_order = [one._replace(rows=plan.sorted(one.rows)) for one in judged]
    return mean_eipm(in_order, in_order[0].rows[..., 0].detach(), plan.weights)
