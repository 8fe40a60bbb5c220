"""Moves fairness weights until limits are kept: damped dual ascent, one multiplier per model."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from frem_core.limits.constant import gain_over_constant
from frem_core.limits.limit import Limit
from frem_core.limits.shadows import HeldOut, Shadows
from frem_core.training import Controller, TrainingStack
from frem_core.types import Floats

# Shares of the joint epochs: first the networks settle, at the end the weights stay.
_FIRST, _LAST = 0.15, 0.9
_MOST_MOVES: Final = 120

# νPI: how much the smoothed error, the sum of errors, and the past count. An error of 1 all along
# would move ln λ by the second number.
_PROPORTIONAL, _INTEGRAL, _MEMORY = 0.4, 18.0, 0.7
_LARGEST_ERROR: Final = 1.0

# Over a range of weights a score may not answer at all. After so many moves without a smaller error
# each further one is longer by this share, up to so many times the usual length.
_PATIENCE, _HASTE, _MOST_HASTE = 3, 0.25, 4.0
_AIM: Final = 0.97  # of the limit: a model that is just below it keeps it, one just above does not

FIRST_WEIGHT: Final = 0.05
"""What λ starts from, in units of the balance of loss and penalty: a network that has learned to
predict before it has to be fair does not get stuck at a constant."""

_REMEMBERED = ("sum", "smooth", "score", "least", "stalled", "nearest", "chosen", "reached")

# λ stays within these multiples of the balance.
_RANGE: Final = (1e-4, 1e3)

# The networks are averaged over about this share of the epochs: from one epoch to the next a
# score moves more than a limit forgives.
_AVERAGED: Final = 0.05

# Networks go on changing when λ hardly does. So what a training ends with is, from the first of
# these shares of the epochs on, the last average that was as near to its aim as the second, or else
# the nearest.
_SETTLED, _NEAR = 0.6, 0.03


class LimitController(Controller):
    r"""νPI control (Sohrabi et al., ICML 2024) of ln λ, every model by its own error.

    With e_t = score / limit − 1 on held-out rows, clipped to ±1, and ξ its running average,

        ln λ_t = ln λ_0 + κ_p ξ_t + κ_i Σ_{τ ≤ t} e_τ.

    The sum alone is dual ascent, which overshoots since a network answers late to a changed weight;
    ξ damps it. Where the score does not answer, steps get longer. On the logarithm a step has the
    same size for every unit of loss and penalty. A model with several limits has the error of the
    one it keeps least. One that predicts no better than a constant has error −1: the limit asks for
    too much.

    What is measured is the running average of the networks, and the training ends with the one of
    the last epochs that was at its limit.

    Args:
        limits: what every model has to keep.
        targets: of every model, its limits as values on the held-out rows.
        balance: λ at which loss and penalty are of like size.
        shadows: where scores are measured.
    """

    def __init__(
        self,
        limits: Sequence[Limit],
        targets: Sequence[Sequence[float]],
        *,
        balance: float,
        shadows: Shadows,
    ) -> None:
        self._limits, self._shadows = tuple(limits), shadows
        smallest = float(np.finfo(np.float32).eps)
        self._targets = [[max(_AIM * one, smallest) for one in own] for own in targets]
        self._start = np.log(FIRST_WEIGHT * balance)
        self._bounds = np.log(np.array(_RANGE) * balance)
        self._sum = np.zeros(len(limits))
        self._smooth = np.zeros(len(limits))
        self._score = np.full(len(limits), np.nan)
        self._least = np.zeros(len(limits))  # error since its sign changed
        self._stalled = np.zeros(len(limits))  # moves since that was found
        self._nearest = np.full(len(limits), np.inf)  # |error| of what is kept so far
        self._chosen = np.full(len(limits), np.nan)  # and its weight,
        self._reached = np.full(len(limits), np.nan)  # and its score
        self._average: dict[str, Tensor] = {}
        self._kept: dict[str, Tensor] = {}

    def steer(self, stack: TrainingStack) -> dict[str, NDArray[np.float64]]:
        """Measures the scores and moves the weights of every model and its shadows."""
        joint = stack.config.epochs
        epoch = stack.epochs_done + 1
        every = ceil((_LAST - _FIRST) * joint / _MOST_MOVES)
        if epoch <= joint:
            self._follow(stack, 1 / max(1.0, _AVERAGED * joint))
        if _FIRST * joint <= epoch <= joint and (epoch % every == 0 or epoch == joint):
            with self._averaged(stack):
                held_out = self._shadows.predictions(stack, len(self._limits))
            excess = self._excess(held_out)
            collapsed = self._collapsed(stack, held_out)
            if epoch >= _SETTLED * joint:
                self._keep(stack, np.where(collapsed, np.inf, np.abs(excess)))
            if epoch <= _LAST * joint:
                self._move(stack, excess, collapsed, every)
        if epoch == joint:
            _load(stack, self._kept)
            self._weigh(stack, self._chosen)
            self._score = self._reached
        return {
            "fairness_weight": stack.fairness_weights.double().numpy().copy(),
            "held_out_score": np.tile(self._score, len(self._shadows) + 1),
        }

    def _excess(self, held_out: HeldOut) -> Floats:
        """``score / limit - 1`` (G,); of several limits the one that is kept least decides."""
        excess = np.empty(len(self._limits))
        for model, (limit, targets) in enumerate(zip(self._limits, self._targets, strict=True)):
            scores = np.array([held_out.score(one, model) for one in limit.every])
            ratios = scores / np.array(targets)
            least = int(ratios.argmax())
            self._score[model], excess[model] = scores[least], ratios[least] - 1
        return excess

    def _collapsed(self, stack: TrainingStack, held_out: HeldOut) -> NDArray[np.bool_]:
        """Which models (G,) predict no better than a constant."""
        gains = (
            gain_over_constant(held_out.y, held_out.p[:, model], stack.task)
            for model in range(len(self._limits))
        )
        return np.array([gain.is_none for gain in gains])

    def _keep(self, stack: TrainingStack, distance: Floats) -> None:
        """Takes the averages of models that are near their aim (G,), or nearer than before."""
        models, members = len(distance), len(self._shadows) + 1
        better = (distance <= np.maximum(self._nearest, _NEAR)) | np.isnan(self._chosen)
        weights = stack.fairness_weights[:models].double().numpy()
        self._nearest = np.where(better, distance, self._nearest)
        self._chosen = np.where(better, weights, self._chosen)
        self._reached = np.where(better, self._score, self._reached)
        rows = torch.from_numpy(np.tile(better, members).nonzero()[0])
        for name, average in self._average.items():
            kept = self._kept.setdefault(name, average.clone())
            kept[rows] = average[rows]

    def _move(
        self, stack: TrainingStack, excess: Floats, collapsed: NDArray[np.bool_], every: int
    ) -> None:
        joint = stack.config.epochs
        progress = (stack.epochs_done + 1) / joint
        errors = np.clip(excess, -_LARGEST_ERROR, _LARGEST_ERROR)
        errors[collapsed] = -_LARGEST_ERROR
        # Of an error that is cut off it cannot be seen whether it gets smaller.
        haste = self._haste(np.where(errors * excess > 0, excess, errors))
        self._weigh(stack, self._moved(errors, progress, haste * every / joint))

    def _weigh(self, stack: TrainingStack, weights: Floats) -> None:
        """Gives every model (G,) and its shadows their weight."""
        own = torch.from_numpy(weights).to(stack.fairness_weights)
        stack.fairness_weights = own.repeat(len(self._shadows) + 1)

    def _moved(self, errors: Floats, when: float, shares: Floats) -> Floats:
        """One step; returns λ (G,). Towards the end steps get shorter: noise averages out."""
        progress = (when - _FIRST) / (_LAST - _FIRST)
        calm = min(1.0, 1.0 - 0.75 * (progress - 0.5) / 0.5)
        self._smooth = _MEMORY * self._smooth + (1 - _MEMORY) * errors
        # Within bounds: a limit out of reach would wind the sum up, and nothing could undo it.
        self._sum = np.clip(
            self._sum + _INTEGRAL * calm * shares * errors, *(self._bounds - self._start)
        )
        weights = self._start + _PROPORTIONAL * calm * self._smooth + self._sum
        moved: Floats = np.exp(np.clip(weights, *self._bounds))
        return moved

    def _haste(self, errors: Floats) -> Floats:
        """How many times the usual step each model makes (G,)."""
        turned = np.sign(errors) != np.sign(self._least)
        smaller = np.abs(errors) < 0.95 * np.abs(self._least)
        found = turned | smaller
        self._least = np.where(found, errors, self._least)
        self._stalled = np.where(found, 0.0, self._stalled + 1)
        haste: Floats = 1 + _HASTE * np.maximum(self._stalled - _PATIENCE, 0.0)
        return np.minimum(haste, _MOST_HASTE)

    def _follow(self, stack: TrainingStack, share: float) -> None:
        """Moves the average of the networks a little towards where they are now."""
        for name, now in _parameters(stack).items():
            if name not in self._average:
                self._average[name] = now.clone()
            else:
                self._average[name].lerp_(now, share)

    @contextmanager
    def _averaged(self, stack: TrainingStack) -> Iterator[None]:
        """Lets the stack be its average within the block."""
        now = {name: value.clone() for name, value in _parameters(stack).items()}
        _load(stack, self._average)
        try:
            yield
        finally:
            _load(stack, now)

    def state(self) -> dict[str, Tensor]:
        """What errors were like so far, the last scores, and the averaged networks."""
        numbers = {name: torch.from_numpy(getattr(self, f"_{name}").copy()) for name in _REMEMBERED}
        networks = {"average": self._average, "kept": self._kept}
        return numbers | {
            f"{which}/{name}": value
            for which, values in networks.items()
            for name, value in values.items()
        }

    def restore(self, state: dict[str, Tensor]) -> None:
        """Takes up what `state` gave."""
        self._average, self._kept = (
            {
                name.removeprefix(which): value.clone()
                for name, value in state.items()
                if name.startswith(which)
            }
            for which in ("average/", "kept/")
        )
        for name in _REMEMBERED:
            setattr(self, f"_{name}", state[name].numpy().copy())

    def to_dict(self) -> dict[str, Any]:
        """Limits, targets, first weight and bounds."""
        return {
            "limits": [limit.text for limit in self._limits],
            "targets": self._targets,
            "start": float(self._start),
            "bounds": self._bounds.tolist(),
            "shadows": len(self._shadows),
            "settled": _SETTLED,
        }


def _parameters(stack: TrainingStack) -> dict[str, Tensor]:
    networks = {"encoder": stack.encoder, "head": stack.head}
    return {
        f"{name}.{key}": value.detach()
        for name, network in networks.items()
        for key, value in network.named_parameters()
    }


def _load(stack: TrainingStack, values: dict[str, Tensor]) -> None:
    for name, value in _parameters(stack).items():
        value.copy_(values[name])
