"""Chooses the bandwidth γ of a method on a held-out part of the training rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets import Part
from frem_core.eipm import eipm
from frem_core.errors import ConfigError
from frem_core.methods.frem import Frem
from frem_core.methods.method import Method, Task
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member
from frem_core.training.model import TrainedModel
from frem_core.training.train import train

CANDIDATES = (0.02, 0.05, 0.1)
Floats = NDArray[np.float64]


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

    Returns:
        The choice and the table behind it. Train ``choice.method`` on all rows afterwards.
    """
    if not isinstance(method, Frem):
        raise ConfigError(f"{method.title} has no bandwidth γ to choose; use FREM.")
    if not candidates:
        raise ConfigError("No bandwidth was given to choose from; give e.g. 0.02, 0.05, 0.1.")
    kept, held_out = hold_out(part, share, seed)
    rows = []
    for gamma in candidates:
        models = train(
            kept,
            task=task,
            method=replace(method, gamma=gamma),
            config=config,
            members=members,
            should_stop=should_stop,
        )
        scores = np.mean([_judge(model, held_out, candidates) for model in models], axis=0)
        rows.append((gamma, *scores))
    table = pd.DataFrame(rows, columns=["gamma", "validation_loss", "validation_eipm", "criterion"])
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
    return Part(x=part.x[keep], y=part.y[keep], s=part.s[keep], rows=part.rows[keep])


def _judge(
    model: TrainedModel, held_out: Part, candidates: Sequence[float]
) -> tuple[float, float, float]:
    """Returns task loss, EIPM averaged over the candidates, and their weighted sum."""
    method = model.method
    assert isinstance(method, Frem)
    z = model.transform(held_out.x)
    loss = _loss(model.task, model.predict_from_representation(z), held_out.y)
    distances = [
        eipm(
            z,
            held_out.s,
            gamma=gamma,
            sigma=method.sigma,
            sensitive_kernel=method.sensitive_kernel,
            representation_kernel=method.representation_kernel,
            labels=held_out.y if method.fairness == "eo" else None,
        )
        for gamma in candidates
    ]
    unfairness = float(np.mean(distances))
    return loss, unfairness, loss + model.member.fairness_weight * unfairness


def _loss(task: Task, p: Floats, y: Floats) -> float:
    if task == "regression":
        return float(np.mean((p - y) ** 2))
    p = np.clip(p, 1e-7, 1 - 1e-7)  # a prediction may round to exactly 0 or 1
    return float(-np.mean(y * np.log(p) + (1 - y) * np.log1p(-p)))
