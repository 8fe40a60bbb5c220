"""Fairness weights λ that span a trade-off on the data at hand, whatever its units."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from frem_core.datasets import Part
from frem_core.methods import Method
from frem_core.training.callback import Callback
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member
from frem_core.training.stack import EpochRecord, TrainingStack
from frem_core.training.train_members import train
from frem_core.types import Floats, Task

# The probe: so many steps over the rows of at most so many batches; its last epochs count.
_STEPS = 400
_MOST_BATCHES = 20
_LAST_EPOCHS = 0.25

# λ in units of the balance: from the first that moves a score to nearly constant predictions.
LOWEST, HIGHEST = 0.05, 10.0

# Where S hardly matters the penalty is noise; this share of it then stands for the effect.
_SMALLEST_EFFECT = 0.02


@dataclass(frozen=True)
class Balance:
    """What a training without fairness weight says about the sizes of loss and penalty.

    Attributes:
        loss: what the model gains over the best constant prediction.
        penalty: what following S costs: the penalty, less that for S in random order.
    """

    loss: float
    penalty: float

    @property
    def weight(self) -> float:
        """The λ at which all of the prediction is worth all of the fairness."""
        return self.loss / self.penalty


class _JointEpochs(Callback):
    """Keeps what the epochs gave in which encoder and head are trained together."""

    def __init__(self) -> None:
        self._records: list[EpochRecord] = []

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        if record.phase == "joint":
            self._records.append(record)

    def at_end(self, name: str) -> float:
        """The mean of a value over the last epochs."""
        last = self._records[-max(1, round(len(self._records) * _LAST_EPOCHS)) :]
        return float(np.mean([record.values[name][0] for record in last]))


def spanning_weights(
    part: Part,
    *,
    task: Task,
    method: Method,
    config: TrainingConfig,
    count: int = 10,
    seed: int = 0,
) -> tuple[float, ...]:
    """Returns λ from hardly any effect to nearly constant predictions, by one rule for all methods.

    A short training with λ = 0 tells what the model gains over a constant, and how far the penalty
    lies above that of a sensitive attribute in random order. At the quotient λ* of the two, giving
    up all of the prediction for all of the fairness changes nothing; the weights lie evenly on
    the log scale from 0.05 λ* to 10 λ*.

    Args:
        part: training rows.
        task: "classification" or "regression".
        method: whose fairness weights.
        config: what all methods share.
        count: how many weights.
        seed: of the rows that are looked at and of the training.
    """
    if not method.uses_fairness_weight:
        return (0.0,)
    found = balance(part, task=task, method=method, config=config, seed=seed)
    return tuple(float(f"{weight * found.weight:.2g}") for weight in relative_weights(count))


def relative_weights(count: int = 10) -> tuple[float, ...]:
    """The weights of `spanning_weights` in units of the balance: the same for data of any kind.

    Example:
        >>> relative_weights(4)
        (0.05, 0.29, 1.7, 10.0)
    """
    return tuple(float(f"{weight:.2g}") for weight in np.geomspace(LOWEST, HIGHEST, count))


def balance(
    part: Part,
    *,
    task: Task,
    method: Method,
    config: TrainingConfig,
    seed: int = 0,
    callbacks: Sequence[Callback] = (),
) -> Balance:
    """Measures loss and penalty in a short training without fairness weight.

    Args:
        part: training rows.
        task: "classification" or "regression".
        method: whose penalty; the adversary of a method that has one is trained along.
        config: what all methods share.
        seed: of the rows that are looked at and of the training.
        callbacks: watch the two trainings, of the rows as they are and of shuffled ones.
    """
    random = np.random.default_rng(seed)
    some = _some_rows(part, _MOST_BATCHES * config.batch_size, random)
    steps = ceil(len(some) / config.batch_size)
    short = replace(config, epochs=ceil(_STEPS / steps))

    def probe(rows: Part) -> _JointEpochs:
        seen = _JointEpochs()
        member = Member(fairness_weight=0.0, seed=seed)
        watching = [seen, *callbacks]
        train(rows, task=task, method=method, config=short, members=[member], callbacks=watching)
        return seen

    real, shuffled = probe(some), probe(_shuffled(some, random))
    chance = shuffled.at_end("penalty")
    gain = constant_loss(some.y, task) - real.at_end("task_loss")
    effect = real.at_end("penalty") - chance
    tiny = float(np.finfo(np.float32).eps)
    return Balance(max(gain, tiny), max(effect, _SMALLEST_EFFECT * abs(chance), tiny))


def constant_loss(y: Floats, task: Task) -> float:
    """The task loss of the best prediction that is the same for everybody.

    Example:
        >>> round(constant_loss(np.array([0.0, 1.0, 1.0, 1.0]), "classification"), 3)
        0.562
        >>> constant_loss(np.array([0.0, 1.0]), "regression")
        0.25
    """
    if task == "regression":
        return float(y.var())
    if y.max() > 1:  # more than two classes
        shares = np.bincount(y.astype(np.intp)) / len(y)
    else:
        shares = np.array([1 - y.mean(), y.mean()])
    logarithms = np.log(shares, where=shares > 0, out=np.zeros(len(shares)))
    return float(-(shares * logarithms).sum())


def _shuffled(part: Part, random: np.random.Generator) -> Part:
    """The rows with the sensitive attributes of other people, all of them of the same other."""
    order = random.permutation(len(part))
    several = None if part.attributes is None else part.attributes.of(order)
    return replace(part, s=part.s[order], attributes=several)


def _some_rows(part: Part, most: int, random: np.random.Generator) -> Part:
    if len(part) <= most:
        return part
    rows = np.sort(random.permutation(len(part))[:most])
    return part.of(rows)
