"""Whether a model predicts better than one number for everybody."""

from dataclasses import dataclass

import numpy as np

from frem_core.datasets import PreparedData
from frem_core.training import TrainedModel
from frem_core.types import Floats, Task
from frem_core.words import in_units

_ERRORS = 2.0


@dataclass(frozen=True)
class Gain:
    """How much smaller a model's loss is than that of the best constant.

    Attributes:
        mean: average over rows.
        error: its standard error.
    """

    mean: float
    error: float

    @property
    def is_none(self) -> bool:
        """Whether the gain lies within two standard errors of none."""
        return self.mean <= _ERRORS * self.error


def gain_over_constant(y: Floats, p: Floats, task: Task) -> Gain:
    """Compares predictions with the best constant.

    Regression: by squared error. Classification: by cross-entropy or by right answers, whichever
    shows more. Where one label is rare only the first can tell; a model that is too sure of itself
    can be right more often and lose by it.

    Args:
        y: targets, any shape; of more than two classes their numbers.
        p: predictions in [0, 1], the same shape; of more than two classes with a last dimension
            for the probability of each.
        task: "classification" or "regression".

    Example:
        >>> y = np.array([0.0, 1.0] * 50)
        >>> gain_over_constant(y, np.full(100, 0.5), "classification").is_none
        True
        >>> too_sure = np.where(np.arange(100) % 10 < 8, y, 1 - y)
        >>> gain_over_constant(y, too_sure, "classification").is_none
        False
    """
    constant: Floats
    if p.ndim > y.ndim:
        shares = np.bincount(y.astype(np.intp).ravel(), minlength=p.shape[-1]) / y.size
        constant, ways = np.broadcast_to(shares, p.shape), [_log_losses, _unlikely]
    else:
        constant = np.full_like(y, y.mean())
        ways = [_squares] if task == "regression" else [_cross_entropies, _wrong]
    gains = [_mean(losses(y, constant) - losses(y, p)) for losses in ways]
    return max(gains, key=lambda gain: gain.mean - _ERRORS * gain.error)


def words_beside_constant(data: PreparedData, model: TrainedModel, unfair: TrainedModel) -> str:
    """How good a model's predictions are beside the unfair model's and the best constant's.

    The constant is that of all pages, the best on these very rows.
    """
    test = data.test
    own, of_unfair = (one.predict(test.x) for one in (model, unfair))
    if data.task == "classification":
        frequent = np.bincount(test.y.astype(np.intp)).argmax()
        answers = [p.argmax(axis=1) if p.ndim == 2 else p > 0.5 for p in (own, of_unfair)]
        right = [f"{100 * float((one == test.y).mean()):.1f} %" for one in (*answers, frequent)]
        most = "more" if own.ndim == 1 else "most"
        return (
            f"Its answer is right for {right[0]} of the test rows (unfair model {right[1]}, always "
            f"the {most} frequent answer {right[2]})."
        )
    constant = np.full(len(test), np.median(test.y))
    low, high = data.target_scale.low, data.target_scale.high
    size = high - low
    errors = [in_units(size * float(np.abs(p - test.y).mean())) for p in (own, of_unfair, constant)]
    return (
        f"On average it misses {data.target_name} by {errors[0]} (unfair model {errors[1]}, one "
        f"number for everybody {errors[2]}; it ranges from {in_units(low, 4)} to "
        f"{in_units(high, 4)})."
    )


def _mean(gains: Floats) -> Gain:
    return Gain(float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(gains.size)))


def _squares(y: Floats, p: Floats) -> Floats:
    return (p - y) ** 2


def _cross_entropies(y: Floats, p: Floats) -> Floats:
    p = np.clip(p, 1e-7, 1 - 1e-7)
    return -(y * np.log(p) + (1 - y) * np.log1p(-p))


def _wrong(y: Floats, p: Floats) -> Floats:
    return np.asarray((p > 0.5) != (y > 0.5), dtype=float)


def _log_losses(y: Floats, p: Floats) -> Floats:
    true = np.take_along_axis(p, y.astype(np.intp)[..., None], axis=-1)[..., 0]
    return -np.log(np.clip(true, 1e-7, 1.0))


def _unlikely(y: Floats, p: Floats) -> Floats:
    return np.asarray(p.argmax(axis=-1) != y, dtype=float)
