"""Chooses the bandwidth γ of a method on a held-out part of the training rows."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.datasets import Part
from frem_core.eipm import UncoveredWarning, eipm
from frem_core.errors import ConfigError
from frem_core.methods.frem import Frem
from frem_core.methods.method import Method
from frem_core.training.callback import Callback
from frem_core.training.components import Components
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member
from frem_core.training.model import TrainedModel
from frem_core.training.tensors import as_compared
from frem_core.training.train_members import train
from frem_core.types import Floats, Task

CANDIDATES = (0.02, 0.05, 0.1)


@dataclass(frozen=True, eq=False)
class BandwidthChoice:
    """The chosen bandwidth and what it was chosen by.

    Attributes:
        method: the method with the chosen γ; train it on all training rows next.
        gamma: the chosen γ.
        table: one row per candidate: gamma, validation_loss, validation_eipm, criterion, chosen.
    """

    method: Frem
    gamma: float
    table: pd.DataFrame


def select_bandwidth(
    part: Part,
    *,
    task: Task,
    method: Method,
    config: TrainingConfig | None = None,
    members: Sequence[Member] = (Member(),),
    candidates: Sequence[float] = CANDIDATES,
    share: float = 0.2,
    seed: int = 0,
    should_stop: Callable[[], bool] | None = None,
    components: Components | None = None,
) -> BandwidthChoice:
    r"""Trains with every candidate on four fifths of the rows and compares on the last fifth.

    The paper holds out 20 % of train to choose γ and does not say by what. Here it is the training
    objective itself on the held-out rows,

        criterion(γ) = L_val + λ · mean over all candidates γ' of EIPM_γ'(Z_val; S_val),

    averaged over the members. Each candidate is judged with the same yardstick, the average over
    all bandwidths: an EIPM of its own bandwidth would favour wide kernels, which always see less.
    No trade-off other than the user's own λ enters.

    Args:
        part: all training rows.
        task: "classification" or "regression".
        method: FREM, or a method derived from it; its γ is replaced by each candidate.
        config: what all methods share.
        members: fairness weights and seeds to judge with, e.g. the grid to be trained.
        candidates: bandwidths to try.
        share: of the rows to hold out.
        seed: chooses the held-out rows.
        should_stop: as for `train`.
        components: as for `train`.

    Returns:
        The choice and the table behind it. Train ``choice.method`` on all rows afterwards.
    """
    scores = _held_out_scores(
        part,
        task=task,
        method=method,
        config=config,
        members=members,
        candidates=candidates,
        share=share,
        seed=seed,
        should_stop=should_stop,
        components=components,
    )
    return _best(method, candidates, scores.mean(axis=1))


def select_bandwidths(
    part: Part,
    *,
    task: Task,
    method: Method,
    config: TrainingConfig | None = None,
    members: Sequence[Member] = (Member(),),
    candidates: Sequence[float] = CANDIDATES,
    share: float = 0.2,
    seed: int = 0,
    should_stop: Callable[[], bool] | None = None,
    callbacks: Sequence[Callback] = (),
    checkpoints: Path | None = None,
) -> list[BandwidthChoice]:
    """Chooses γ for every member by its own criterion, as if each were alone.

    The members are trained side by side all the same. So a member's γ does not depend on which
    others are trained with it, as a run that is stored under its own settings requires.

    Args:
        part: as for `select_bandwidth`, like all arguments up to ``should_stop``.
        task: see there.
        method: see there.
        config: see there.
        members: see there.
        candidates: see there.
        share: see there.
        seed: see there.
        should_stop: see there.
        callbacks: watch the trainings, one candidate after the other.
        checkpoints: folder for checkpoints; trainings found there go on where they stopped.

    Returns:
        One choice per member, in their order.
    """
    scores = _held_out_scores(
        part,
        task=task,
        method=method,
        config=config,
        members=members,
        candidates=candidates,
        share=share,
        seed=seed,
        should_stop=should_stop,
        callbacks=callbacks,
        checkpoints=checkpoints,
    )
    return [_best(method, candidates, scores[:, number]) for number in range(len(members))]


def _held_out_scores(
    part: Part,
    *,
    task: Task,
    method: Method,
    config: TrainingConfig | None,
    members: Sequence[Member],
    candidates: Sequence[float],
    share: float,
    seed: int,
    should_stop: Callable[[], bool] | None,
    callbacks: Sequence[Callback] = (),
    checkpoints: Path | None = None,
    components: Components | None = None,
) -> Floats:
    """Returns (candidates, members, 3): loss, EIPM and criterion on the held-out rows."""
    if not isinstance(method, Frem):
        raise ConfigError(f"{method.title} has no bandwidth γ to choose; use FREM.")
    if not candidates:
        raise ConfigError("No bandwidth was given to choose from; give e.g. 0.02, 0.05, 0.1.")
    kept, held_out = hold_out(part, share, seed)
    held_out = as_compared(held_out, method, kept)
    scores = []
    for gamma in candidates:
        models = train(
            kept,
            task=task,
            method=replace(method, gamma=gamma),
            config=config,
            members=members,
            should_stop=should_stop,
            callbacks=callbacks,
            checkpoints=None if checkpoints is None else checkpoints / f"gamma-{gamma:g}",
            components=components,
        )
        scores.append([_judge(model, held_out, candidates) for model in models])
    return np.array(scores)


def _best(method: Method, candidates: Sequence[float], scores: Floats) -> BandwidthChoice:
    """Picks the candidate with the smallest criterion from scores (candidates, 3)."""
    assert isinstance(method, Frem)
    table = pd.DataFrame(scores, columns=["validation_loss", "validation_eipm", "criterion"])
    table.insert(0, "gamma", [float(gamma) for gamma in candidates])
    best = int(table["criterion"].to_numpy().argmin())
    table["chosen"] = table.index == best
    chosen = replace(method, gamma=float(candidates[best]))
    return BandwidthChoice(method=chosen, gamma=chosen.gamma, table=table)


def hold_out(part: Part, share: float, seed: int) -> tuple[Part, Part]:
    """Splits rows at random into (kept, held out)."""
    if not 0 < share < 1:
        raise ConfigError(f"share = {share} of the rows must lie between 0 and 1, e.g. 0.2.")
    order = np.random.default_rng([seed, 2]).permutation(len(part.x))
    count = round(share * len(order))
    return _rows(part, np.sort(order[count:])), _rows(part, np.sort(order[:count]))


def _rows(part: Part, keep: NDArray[np.int64]) -> Part:
    return part.of(keep)


def _judge(
    model: TrainedModel, held_out: Part, candidates: Sequence[float]
) -> tuple[float, float, float]:
    """Returns task loss, EIPM averaged over the candidates, and their weighted sum."""
    method = model.method
    assert isinstance(method, Frem)
    z = model.transform(held_out.x)
    loss = _loss(model.task, model.predict_from_representation(z), held_out.y)
    distances = [_eipm(method, z, held_out, gamma) for gamma in candidates]
    unfairness = float(np.mean(distances))
    return loss, unfairness, loss + model.member.fairness_weight * unfairness


def _eipm(method: Frem, z: ArrayLike, part: Part, gamma: float) -> float:
    """EIPM; of several attributes each, and all together as far as they count in the training."""
    settings: dict[str, Any] = {
        "gamma": gamma,
        "sigma": method.sigma,
        "sensitive_kernel": method.sensitive_kernel,
        "representation_kernel": method.representation_kernel,
        "labels": part.y if method.fairness == "eo" else None,
    }
    several = part.attributes
    if several is None:
        return float(eipm(z, part.s, **settings))
    people = several.shown(several.values)
    total = float(sum(eipm(z, people[name], **settings) for name in several.names))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncoveredWarning)
        together = float(eipm(z, people, **settings))
    return total + method.joint_weight * together if np.isfinite(together) else total


def _loss(task: Task, p: Floats, y: Floats) -> float:
    if task == "regression":
        return float(np.mean((p - y) ** 2))
    p = np.clip(p, 1e-7, 1 - 1e-7)  # a prediction may round to exactly 0 or 1
    if p.ndim == 2:
        return float(-np.mean(np.log(p[np.arange(len(y)), y.astype(np.intp)])))
    return float(-np.mean(y * np.log(p) + (1 - y) * np.log1p(-p)))
