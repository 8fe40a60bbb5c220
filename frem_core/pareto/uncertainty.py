"""How sure a front is: its band over resamples, and models that may be better in both scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.pareto.hypervolume import by_setting_and_seed, means_over_seeds
from frem_core.pareto.objectives import Objectives
from frem_core.types import Floats


@dataclass(frozen=True)
class BetterModel:
    """Another setting that may be as fair and more accurate.

    Attributes:
        place: its place among the settings.
        share: in how many resamples it is at least as good in the second and better in the first
            objective.
    """

    place: int
    share: float


def seed_resamples(
    frame: pd.DataFrame,
    objectives: Objectives,
    *,
    setting: Sequence[str],
    seed: str = "seed",
    resamples: int = 400,
    random_state: int = 0,
) -> Floats:
    """Draws seeds with replacement and averages every setting over them.

    A seed fixes the split, so all settings see the same draw: what is hard about it cancels.

    Args:
        frame: one row per run.
        objectives: two columns and their directions.
        setting: columns that together name a setting.
        seed: column of the repetition.
        resamples: how many draws.
        random_state: seed of the draws.

    Returns:
        (R, settings, 2) with more being better, in the order in which settings first occur.
    """
    table = by_setting_and_seed(frame, objectives, setting, seed)
    count = table.shape[1]
    draws = np.random.default_rng(random_state).multinomial(
        count, np.full(count, 1 / count), size=resamples
    )
    return means_over_seeds(table, draws.astype(float))


def row_resamples(
    scores: Callable[[NDArray[np.int64]], Floats],
    rows: int,
    *,
    resamples: int = 60,
    random_state: int = 0,
) -> Floats:
    """Draws test rows with replacement and scores every setting on them.

    Args:
        scores: from row numbers (n,) to both scores of every setting (settings, 2), more being
            better; all settings see the same rows.
        rows: how many rows there are.
        resamples: how many draws.
        random_state: seed of the draws.
    """
    random = np.random.default_rng(random_state)
    return np.stack([scores(random.integers(rows, size=rows)) for _ in range(resamples)])


def front_band(resampled: Floats, grid: Floats, *, level: float = 0.95) -> tuple[Floats, Floats]:
    """The band of a front: of the best first score at a second one of at least the grid's.

    Args:
        resampled: (R, settings, 2), more being better.
        grid: (g,) values of the second score, as gains (an unfairness of 0.2 is −0.2).
        level: share of resampled fronts inside.

    Returns:
        Lower and upper end (g,); NaN where too few resampled fronts reach.
    """
    reached = resampled[:, :, 1][:, :, None] >= grid  # (R, settings, g)
    best = np.where(reached, resampled[:, :, 0][:, :, None], -np.inf).max(axis=1)  # (R, g)
    tail = (1 - level) / 2
    low, high = np.quantile(best, [tail, 1 - tail], axis=0, method="nearest")
    return np.where(np.isfinite(low), low, np.nan), np.where(np.isfinite(low), high, np.nan)


def better_models(resampled: Floats, place: int) -> list[BetterModel]:
    """The settings that may be as fair and more accurate than one of them, surest first.

    Args:
        resampled: (R, settings, 2): accuracy and fairness, more being better.
        place: the setting in question.
    """
    own = resampled[:, [place]]
    beats = (resampled[:, :, 0] > own[:, :, 0]) & (resampled[:, :, 1] >= own[:, :, 1])
    shares = beats.mean(axis=0)
    order = [one for one in np.argsort(-shares, kind="stable") if one != place and shares[one] > 0]
    return [BetterModel(int(one), float(shares[one])) for one in order]
