"""The area that a front of two objectives dominates: one number for a whole trade-off."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.errors import ConfigError, DataError
from frem_core.pareto.objectives import Direction, Objectives, columns, gains, require, signs
from frem_core.types import Floats


@dataclass(frozen=True)
class HypervolumeEstimate:
    """A hypervolume with its bootstrap interval over seeds.

    Attributes:
        value: hypervolume of the front of the means over all seeds.
        low: lower end of the interval; NaN with a single seed.
        high: upper end of the interval; NaN with a single seed.
        level: coverage of the interval.
        reference: the reference point, in the objectives' own directions.
        seeds: how many seeds went in.
    """

    value: float
    low: float
    high: float
    level: float
    reference: tuple[float, float]
    seeds: int


def hypervolume(
    points: ArrayLike, *, reference: Sequence[float], directions: Sequence[Direction]
) -> float:
    """Returns the exact area dominated by points of two objectives, down to a reference point.

    Args:
        points: (n, 2). Dominated points add nothing, nor do points that are not better than the
            reference in both objectives or that have a missing value.
        reference: (2,) a point that every useful front beats, e.g. `reference_point`.
        directions: ``"max"`` or ``"min"`` for each objective.

    Example:
        Two points beat the corner (0.5, 1.0) by a 0.4 × 0.2 and a 0.2 × 0.6 rectangle that share
        0.2 × 0.2:

        >>> points = [[0.9, 0.8], [0.7, 0.4]]
        >>> round(hypervolume(points, reference=[0.5, 1.0], directions=["max", "min"]), 12)
        0.16
    """
    _check_two(directions)
    margins = gains(points, directions) - np.asarray(reference, dtype=float) * signs(directions)
    return float(areas(margins[None])[0])


def reference_point(frame: pd.DataFrame, objectives: Objectives) -> tuple[float, float]:
    """Returns the worst value of each of two objectives over all rows of a table.

    The rule behind every hypervolume that names no reference of its own. Hypervolumes compare
    only under the same reference: take it once over all methods.
    """
    directions = list(objectives.values())
    _check_two(directions)
    better = gains(columns(frame, list(objectives)), directions)
    known = better[np.isfinite(better).all(axis=1)]
    if not len(known):
        raise DataError("There is no row with both scores, so there is no reference point.")
    first, second = (float(value) for value in known.min(axis=0) * signs(directions))
    return first, second


def possible_area(
    frame: pd.DataFrame, objectives: Objectives, *, reference: Sequence[float]
) -> float:
    """The area that a perfect front would dominate, to express hypervolumes as shares of.

    Perfect is the best value of the first objective that any row reaches, at a second one of 0
    where less of it is better (no unfairness at all), else at its best value.

    Args:
        frame: one row per run of all methods.
        objectives: two columns and their directions.
        reference: (2,) the reference point of the hypervolumes.

    Returns:
        At least 0; 0 when no row beats the reference in the first objective.

    >>> runs = pd.DataFrame({"accuracy": [0.9, 0.7], "hgr": [0.5, 0.1]})
    >>> objectives = {"accuracy": "max", "hgr": "min"}
    >>> round(possible_area(runs, objectives, reference=[0.7, 0.5]), 12)
    0.1
    """
    directions = list(objectives.values())
    _check_two(directions)
    better = gains(columns(frame, list(objectives)), directions)
    if not len(better):
        return 0.0
    ideal = np.nanmax(better, axis=0)
    if directions[1] == "min":
        ideal[1] = max(ideal[1], 0.0)
    margins = ideal - np.asarray(reference, dtype=float) * signs(directions)
    return float(np.prod(np.maximum(margins, 0.0)))


def hypervolume_interval(
    frame: pd.DataFrame,
    objectives: Objectives,
    *,
    reference: Sequence[float],
    setting: Sequence[str],
    seed: str = "seed",
    resamples: int = 1000,
    level: float = 0.95,
    random_state: int = 0,
) -> HypervolumeEstimate:
    """Returns the hypervolume of the front of seed means, with a bootstrap interval over seeds.

    A seed is one repetition of the whole front: each resample draws seeds with replacement,
    averages every setting over them and measures the front of these means.

    Args:
        frame: one row per run of one method.
        objectives: two columns and their directions.
        reference: (2,) the reference point.
        setting: columns that together name a setting, e.g. ``["fairness_weight"]``.
        seed: column of the repetition.
        resamples: how many resamples.
        level: coverage of the percentile interval.
        random_state: seed of the resampling.
    """
    directions = list(objectives.values())
    _check_two(directions)
    table = by_setting_and_seed(frame, objectives, setting, seed)  # (settings, seeds, 2)
    offset = np.asarray(reference, dtype=float) * signs(directions)
    n_seeds = table.shape[1]
    everyone = np.ones((1, n_seeds))
    value = float(areas(means_over_seeds(table, everyone) - offset)[0]) if n_seeds else 0.0
    low = high = float("nan")
    if n_seeds > 1:
        rng = np.random.default_rng(random_state)
        draws = rng.multinomial(n_seeds, np.full(n_seeds, 1 / n_seeds), size=resamples)
        resampled = areas(means_over_seeds(table, draws.astype(float)) - offset)
        tail = (1 - level) / 2
        low, high = (float(end) for end in np.quantile(resampled, [tail, 1 - tail]))
    corner = (float(reference[0]), float(reference[1]))
    return HypervolumeEstimate(value, low, high, level, corner, n_seeds)


def areas(margins: Floats) -> Floats:
    """Areas of R fronts at once: margins (R, n, 2) over the reference, more is better."""
    useful: NDArray[np.bool_] = np.all(np.isfinite(margins) & (margins > 0), axis=2)
    kept = np.where(useful[:, :, None], margins, 0.0)
    order = np.argsort(-kept[:, :, 0], axis=1, kind="stable")
    first = np.take_along_axis(kept[:, :, 0], order, axis=1)
    second = np.take_along_axis(kept[:, :, 1], order, axis=1)
    # Walking from the best first objective down, each point adds what it has above the others.
    height = np.maximum.accumulate(second, axis=1)
    steps = np.diff(height, axis=1, prepend=0.0)
    return np.asarray((first * steps).sum(axis=1), dtype=float)


def means_over_seeds(table: Floats, counts: Floats) -> Floats:
    """Mean of every setting over drawn seeds: (R, settings, 2); NaN where no seed was drawn."""
    known: NDArray[np.bool_] = np.all(np.isfinite(table), axis=2)  # (settings, seeds)
    total = np.einsum("rs,csk->rck", counts, np.where(known[:, :, None], table, 0.0))
    weight = np.einsum("rs,cs->rc", counts, known.astype(float))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / weight[:, :, None], dtype=float)


def by_setting_and_seed(
    frame: pd.DataFrame, objectives: Objectives, setting: Sequence[str], seed: str
) -> Floats:
    """Objectives as gains, (settings, seeds, 2); NaN where a setting lacks a seed."""
    require(frame, [seed, *setting])
    values = gains(columns(frame, list(objectives)), list(objectives.values()))
    settings = frame.groupby(list(setting), dropna=False, sort=False).ngroup().to_numpy()
    seeds, names = pd.factorize(frame[seed])
    table = np.full((settings.max(initial=-1) + 1, len(names), 2), np.nan)
    table[settings, seeds] = values
    return table


def _check_two(directions: Sequence[Direction]) -> None:
    if len(directions) != 2:
        raise ConfigError(f"The hypervolume is for two objectives; {len(directions)} were given.")
