"""Differentiable EIPM of stacks that are known to be sound, as in a training step."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from frem_core.eipm.evaluation import evaluate
from frem_core.eipm.plan import Plans
from frem_core.eipm.settings import EipmSettings
from frem_core.eipm.units import rows_and_back
from frem_core.eipm.weights import LowRankWeights, SummedWeights


class Judged(NamedTuple):
    """A stack of representations, and how it is judged.

    Attributes:
        rows: ``(B, n, m)``, finite.
        settings: what to estimate.
        least: as in `in_units`.
    """

    rows: Tensor
    settings: EipmSettings
    least: Tensor | None = None


class _EipmFunction(torch.autograd.Function):
    """Computes the gradient together with the value, while the kernel matrix is at hand."""

    @staticmethod
    def forward(
        ctx: Any,
        s: Tensor,
        how: Sequence[tuple[EipmSettings, Tensor | None]],
        planned: LowRankWeights | SummedWeights | Plans | None,
        gradient: bool,
        *judged: Tensor,
    ) -> Tensor:
        """The mean over what is judged."""
        ctx.gradients, values = [], []
        # No graph is built in here; not preparing for one either saves time in small steps.
        with torch.inference_mode():
            for z, (settings, least) in zip(judged, how, strict=True):
                rows, back = rows_and_back(z, settings.units, least)
                found = evaluate(rows, s, settings, gradient=gradient, planned=planned)
                values.append(found.eipm)
                slope = found.gradient  # made here and seen by nobody else
                ctx.gradients.append(slope if back is None or slope is None else back(slope))
            value = sum(values[1:], values[0])
            if len(values) > 1:
                value = value / len(values)
        return value.to(judged[0].dtype, copy=True)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        outer = (outer / len(ctx.gradients)).view(-1, 1, 1)
        return None, None, None, None, *(one * outer for one in ctx.gradients)


def stacked_eipm(
    z: Tensor,
    s: Tensor,
    settings: EipmSettings,
    planned: LowRankWeights | SummedWeights | Plans | None = None,
) -> Tensor:
    """Differentiable EIPM ``(B,)`` of a stack that is known to be sound, as in a training step.

    Args:
        z: ``(B, n, m)``, finite.
        s: ``(B, n)``, finite.
        settings: what to estimate.
        planned: weights on S, where they are known already, as from `BatchPlanner`; or plans that
            several representations with the same S share.
    """
    return mean_eipm([Judged(z, settings)], s, planned)


def mean_eipm(
    judged: Sequence[Judged],
    s: Tensor,
    planned: LowRankWeights | SummedWeights | Plans | None = None,
) -> Tensor:
    """As `stacked_eipm`, the mean over several representations of the same rows, in one step."""
    rows, how = [one.rows for one in judged], [(one.settings, one.least) for one in judged]
    gradient = torch.is_grad_enabled() and any(one.requires_grad for one in rows)
    values: Tensor = _EipmFunction.apply(  # type: ignore[no-untyped-call]
        s, how, planned or Plans(), gradient, *rows
    )
    return values
