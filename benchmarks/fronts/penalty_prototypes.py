"""Ingredients of FREM's penalty that were tried and are not part of it, for `penalty_tries`.

Two kinds: another penalty (`Tried`), and another training with the penalty as it is (`Training`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from frem_core.eipm.plan import Plans
from frem_core.eipm.stacked import Judged, mean_eipm
from frem_core.eipm.weights import LowRankWeights
from frem_core.kernels import get_kernel
from frem_core.methods.batch import Batch
from frem_core.methods.frem import Frem, middle_ranks
from frem_core.methods.frem_penalty import FremPenalty
from frem_core.methods.method import Method, Planner
from frem_core.methods.parameter import parameter
from frem_core.training.callback import Callback
from frem_core.training.stack import EpochRecord, TrainingStack

BANDWIDTHS = (0.02, 0.05, 0.1)
SCALES = (0.25, 0.5, 1.0)


class _TwoPlans(NamedTuple):
    by_value: object
    ranks: Tensor
    by_rank: object


@dataclass(frozen=True, kw_only=True)
class Tried(Frem):
    """FREM's default with another look at the prediction, or at S."""

    share: float = parameter(0.5, label="share", help="Weight of the prediction, of 1.")
    bandwidths: bool = parameter(False, label="bandwidths", help="Several γ for the prediction.")
    scales: bool = parameter(False, label="scales", help="Several σ for the prediction.")
    energy: bool = parameter(False, label="energy", help="Energy distance of the prediction.")
    both_units: bool = parameter(
        False, label="both units", help="S by its rank and by its value, half each."
    )
    curves: float = parameter(
        0.0, label="curves", help="Also means of powers of the prediction, none of them small."
    )
    degree: int = parameter(3, label="degree", help="Highest of these powers.")

    def planner(self, s: Tensor) -> Planner:
        """Plans by the ranks too where both are judged, and hands them to `penalty`."""
        by_value = super().planner(s)
        if not self.both_units:
            return by_value
        values = s.double().numpy()
        ranks = torch.tensor(middle_ranks(values, values), dtype=s.dtype)
        by_rank = super().planner(ranks)

        def planned(batches: Sequence[Tensor]) -> Iterator[_TwoPlans]:
            both = zip(batches, by_value(batches), by_rank(batches), strict=True)
            yield from (_TwoPlans(plan, ranks[rows], other) for rows, plan, other in both)

        return planned

    def penalty(self, batch: Batch) -> Tensor:
        """As FREM's, by value and rank of S where both are judged."""
        if not isinstance(batch.plan, _TwoPlans):
            return super().penalty(batch)
        plans = batch.plan
        by_rank = super().penalty(replace(batch, s=plans.ranks, plan=plans.by_rank))
        return (by_rank + super().penalty(replace(batch, plan=plans.by_value))) / 2

    @cached_property
    def _penalty(self) -> "TriedPenalty":
        return TriedPenalty(self)


class TriedPenalty(FremPenalty):
    """The penalty of a `Tried`; in other respects the default's."""

    _frem: Tried

    def _of_alike(self, batch: Batch, weights: LowRankWeights | None) -> Tensor:
        tried = self._frem
        same: LowRankWeights | Plans = weights or Plans()
        of_z = mean_eipm([Judged(batch.z, self._settings)], batch.s, same)
        found = torch.stack(self._of_prediction(batch, same)).mean(0)
        total = (1 - tried.share) * of_z + tried.share * found
        return total + tried.curves * self._of_curves(batch, same) if tried.curves else total

    def _of_prediction(self, batch: Batch, same: LowRankWeights | Plans) -> list[Tensor]:
        tried = self._frem
        least = tried.prediction_floor * batch.spread_of_targets()
        settings = replace(self._settings, units="scale", sigma=1.0)
        if tried.energy:
            settings = replace(settings, representation_kernel=get_kernel("triangular"))
        found = []
        for gamma in BANDWIDTHS if tried.bandwidths else (tried.gamma,):
            plan = same if gamma == tried.gamma else Plans()
            for sigma in SCALES if tried.scales else (1.0,):
                how = replace(settings, gamma=gamma, sigma=sigma)
                found.append(mean_eipm([Judged(batch.p.unsqueeze(-1), how, least)], batch.s, plan))
        return found

    def _of_curves(self, batch: Batch, same: LowRankWeights | Plans) -> Tensor:
        """How far the means of the powers of Ŷ move with S, in units of their own spread."""
        degree = self._frem.degree
        centred = batch.p - batch.p.mean(dim=1, keepdim=True)
        variance = centred.square().mean(dim=1)
        least = (self._frem.prediction_floor * batch.spread_of_targets()).square()
        standard = centred / (variance + 1e-12).sqrt().unsqueeze(1)
        powers = torch.stack([standard**power for power in range(1, degree + 1)], dim=-1)
        means = replace(
            self._settings,
            units="whitened",
            representation_kernel=get_kernel("epanechnikov"),
            sigma=(1.5 / degree) ** 0.5,
        )
        return mean_eipm([Judged(powers, means)], batch.s, same) * variance / (variance + least)


@dataclass(frozen=True)
class Training(Callback):
    """Changes a training while it runs, which no callback of the package does.

    Attributes:
        head: longest vector of weights of the head; it is shortened after every step.
        warm_up: share of the epochs in which λ rises from 0.
        fresh: further training rows that the penalty sees in every step, for each row of a batch.
        earlier: batches before this one that the penalty sees as they were then.
        averaged: share of the epochs, the last, whose weights are averaged; one sample an epoch.
    """

    head: float | None = None
    warm_up: float = 0.0
    fresh: int = 0
    earlier: int = 0
    averaged: float = 0.0
    _asked: dict[str, Tensor] = field(default_factory=dict, compare=False)
    _sums: list[Tensor] = field(default_factory=list, compare=False)

    def on_training_start(self, stack: TrainingStack) -> None:
        """Puts itself between the stack and its penalty, or its optimiser."""
        self._asked["weights"] = stack.fairness_weights
        self._raise_weights(stack)
        self._sums.clear()
        if self.head is not None:
            stack.optimiser.step = _then_shortened(stack, self.head)  # type: ignore[method-assign]
        if self.fresh:
            stack.penalty = _with_fresh_rows(stack, self.fresh)  # type: ignore[method-assign]
        if self.earlier:
            stack.penalty = _with_earlier_rows(stack, self.earlier)  # type: ignore[method-assign]

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        """Moves λ on, and adds the weights to those that are averaged."""
        self._raise_weights(stack)
        if stack.epochs_done > stack.total_epochs - self._last(stack):
            now = [one.detach().double() for one in _trained(stack)]
            kept = self._sums or [torch.zeros_like(one) for one in now]
            self._sums[:] = [one + other for one, other in zip(kept, now, strict=True)]

    def on_training_end(self, stack: TrainingStack) -> None:
        """Leaves the averages as the model's weights."""
        with torch.no_grad():
            for weights, total in zip(_trained(stack), self._sums, strict=bool(self._sums)):
                weights.copy_(total / self._last(stack))

    def _last(self, stack: TrainingStack) -> int:
        return round(self.averaged * stack.total_epochs)

    def _raise_weights(self, stack: TrainingStack) -> None:
        if self.warm_up:
            reached = min(1.0, stack.epochs_done / (self.warm_up * stack.total_epochs))
            stack.fairness_weights = self._asked["weights"] * reached


def _trained(stack: TrainingStack) -> list[Tensor]:
    return [*stack.encoder.parameters(), *stack.head.parameters()]


def _then_shortened(stack: TrainingStack, longest: float) -> Callable[[], None]:
    step = type(stack.optimiser).step
    weight = stack.head.weight

    def shortened() -> None:
        step(stack.optimiser)
        with torch.no_grad():
            norms = weight.flatten(1).norm(dim=1).view(-1, *[1] * (weight.ndim - 1))
            weight.mul_((longest / norms).clamp(max=1.0))

    return shortened


def _with_fresh_rows(stack: TrainingStack, times: int) -> Callable[[Batch], Tensor]:
    """Members with one seed draw the same rows, as they do for the batches."""
    streams = [torch.Generator().manual_seed(one.seed) for one in stack.members]

    def penalty(batch: Batch) -> Tensor:
        count = times * batch.s.shape[1]
        drawn = [torch.randint(len(stack.data), (count,), generator=one) for one in streams]
        rows = torch.stack(drawn)
        z = stack.encode(rows)
        more = Batch(z, stack.predict(z)[1], stack.data.y[rows], stack.data.s[rows])
        return stack.method.penalty(_joined([batch, more]))

    return penalty


def _with_earlier_rows(stack: TrainingStack, batches: int) -> Callable[[Batch], Tensor]:
    before: list[Batch] = []

    def penalty(batch: Batch) -> Tensor:
        seen = [batch, *before]
        found = stack.method.penalty(_joined(seen))
        before.append(replace(batch, z=batch.z.detach(), p=batch.p.detach()))
        del before[:-batches]
        return found * len(seen)  # the rows that move are one part of so many

    return penalty


def _joined(batches: Sequence[Batch]) -> Batch:
    columns = ("z", "p", "y", "s")
    return Batch(*(torch.cat([getattr(one, name) for one in batches], dim=1) for name in columns))


@dataclass(frozen=True)
class Contestant:
    """A penalty, and how it is trained."""

    method: Method
    training: Training = field(default_factory=Training)
