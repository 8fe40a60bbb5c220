"""Whether one front is better than another by more than the seeds explain."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from frem_core.pareto.hypervolume import areas, by_setting_and_seed, means_over_seeds
from frem_core.pareto.objectives import Objectives, signs
from frem_core.types import Floats


@dataclass(frozen=True)
class HypervolumeDifference:
    """Hypervolume of one front minus that of another, with a bootstrap interval over seeds.

    Attributes:
        value: the difference of the fronts of seed means.
        low: lower end of the interval; NaN with fewer than two common seeds.
        high: upper end of the interval; NaN as above.
        base: hypervolume of the second front, to express the difference as a share of.
        level: coverage of the interval.
        seeds: how many seeds both have.
    """

    value: float
    low: float
    high: float
    base: float
    level: float
    seeds: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


def hypervolume_difference(
    first: pd.DataFrame,
    second: pd.DataFrame,
    objectives: Objectives,
    *,
    reference: Sequence[float],
    setting: Sequence[str],
    seed: str = "seed",
    resamples: int = 1000,
    level: float = 0.95,
    random_state: int = 0,
) -> HypervolumeDifference:
    """Compares two fronts seed by seed: both are judged on the same draws of seeds.

    A seed fixes the split, so what is hard about a split is hard for both fronts and cancels.
    Seeds that only one of them has are left out.

    Args:
        first: one row per run of one front.
        second: the same of the front to compare with.
        objectives: two columns and their directions.
        reference: (2,) the reference point of both hypervolumes.
        setting: columns that together name a setting.
        seed: column of the repetition.
        resamples: how many resamples.
        level: coverage of the percentile interval.
        random_state: seed of the resampling.

    Example:
        >>> runs = pd.DataFrame({"w": [1, 1], "seed": [0, 1], "acc": [.9, .8], "hgr": [.5, .5]})
        >>> better = runs.assign(acc=runs["acc"] + 0.05)
        >>> difference = hypervolume_difference(
        ...     better, runs, {"acc": "max", "hgr": "min"}, reference=[0.5, 1], setting=["w"])
        >>> round(difference.value, 3), difference.is_clear
        (0.025, True)
    """
    common = sorted(set(first[seed]) & set(second[seed]))
    offset = np.asarray(reference, dtype=float) * signs(list(objectives.values()))
    if not common:
        nothing = float("nan")
        return HypervolumeDifference(nothing, nothing, nothing, nothing, level, 0)
    draws = np.random.default_rng(random_state).multinomial(
        len(common), np.full(len(common), 1 / len(common)), size=resamples
    )
    # The first row is everybody once: the fronts of the means themselves.
    counts = np.vstack([np.ones(len(common)), draws.astype(float)])
    one, other = (
        _areas_of(frame, objectives, setting, seed, common, counts, offset)
        for frame in (first, second)
    )
    difference = one - other
    low = high = float("nan")
    if len(common) > 1:
        tail = (1 - level) / 2
        low, high = (float(end) for end in np.quantile(difference[1:], [tail, 1 - tail]))
    return HypervolumeDifference(
        float(difference[0]), low, high, float(other[0]), level, len(common)
    )


def _areas_of(
    frame: pd.DataFrame,
    objectives: Objectives,
    setting: Sequence[str],
    seed: str,
    common: Sequence[object],
    counts: Floats,
    offset: Floats,
) -> Floats:
    # Sorted, so that the seeds stand at the same places in both tables.
    rows = frame[frame[seed].isin(list(common))].sort_values(seed, kind="stable")
    table = by_setting_and_seed(rows, objectives, setting, seed)
    return areas(means_over_seeds(table, counts) - offset)
