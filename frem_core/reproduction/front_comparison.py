"""Is one front better than another? Their hypervolumes down to a common corner, over seeds."""

from dataclasses import dataclass
from functools import cache
from math import nan
from typing import Literal

import numpy as np
import pandas as pd

from frem_core.datasets import load_dataset
from frem_core.datasets.scaling import MinMax
from frem_core.pareto import Objectives, hypervolume, hypervolume_difference


@dataclass(frozen=True)
class FrontComparison:
    """Hypervolume of one series minus that of another.

    Attributes:
        ours: the series that is claimed to be better.
        other: the series it is compared with.
        prediction: score on the first axis, more is better.
        fairness: score on the second axis, less is better.
        area: hypervolume of ``ours``, all seeds.
        other_area: hypervolume of ``other``.
        low: lower end of the 95 % interval of the difference; NaN with one seed.
        high: upper end.
        wins: in how many single seeds ``ours`` has the larger hypervolume.
        seeds: seeds that both have.
    """

    ours: str
    other: str
    prediction: str
    fairness: str
    area: float
    other_area: float
    low: float
    high: float
    wins: int
    seeds: int

    @property
    def difference(self) -> float:
        """Area of ours minus area of the other."""
        return self.area - self.other_area

    @property
    def outcome(self) -> Literal["better", "worse", "open"]:
        """Whether the interval lies above 0, below 0, or holds it (or there is none)."""
        if self.low > 0:
            return "better"
        return "worse" if self.high < 0 else "open"

    def relative(self, value: float) -> float:
        """A difference as a share of the other's hypervolume."""
        return value / self.other_area if self.other_area > 0 else nan


def compare_fronts(
    runs: pd.DataFrame,
    ours: str,
    other: str,
    *,
    prediction: str,
    fairness: str,
    reference: tuple[float, float],
) -> FrontComparison:
    """Compares two series of runs over the seeds that both have.

    Both are averaged over the same seeds, setting by setting, before their fronts are measured;
    see `hypervolume_difference` for the interval. A series that is missing gives 0 seeds.

    Args:
        runs: columns ``series``, ``weight``, ``seed`` and the two scores.
        ours: a series.
        other: a series.
        prediction: score column, more is better.
        fairness: score column, less is better.
        reference: the corner (prediction, fairness) down to which areas are measured.
    """
    objectives: Objectives = {prediction: "max", fairness: "min"}
    known = runs.dropna(subset=[prediction, fairness])
    first, second = (known[known["series"] == one] for one in (ours, other))
    gap = hypervolume_difference(first, second, objectives, reference=reference, setting=["weight"])
    common = sorted(set(first["seed"]) & set(second["seed"]))
    wins = sum(
        _area_of_seed(first, seed, objectives, reference)
        > _area_of_seed(second, seed, objectives, reference)
        for seed in common
    )
    return FrontComparison(
        ours=ours,
        other=other,
        prediction=prediction,
        fairness=fairness,
        area=gap.base + gap.value,
        other_area=gap.base,
        low=gap.low,
        high=gap.high,
        wins=wins,
        seeds=gap.seeds,
    )


def _area_of_seed(
    runs: pd.DataFrame, seed: int, objectives: Objectives, reference: tuple[float, float]
) -> float:
    points = runs.loc[runs["seed"] == seed, list(objectives)].to_numpy(dtype=float)
    return hypervolume(points, reference=reference, directions=list(objectives.values()))


def reference_corner(
    runs: pd.DataFrame, dataset: str, prediction: str, fairness: str
) -> tuple[float, float]:
    """Returns (prediction of the best constant, fairness score of the unfair model).

    Everything a method gains, it gains against these two trivial answers: the model without any
    fairness term and the prediction that is the same for everybody. Neither adds to a
    hypervolume, so it does not matter how far a method's range of weights reaches towards them.

    Args:
        runs: tidy runs with the series ``unfair``.
        dataset: built-in name.
        prediction: score as charts show it.
        fairness: score.
    """
    unfair = runs.loc[runs["series"] == "unfair", fairness]
    return constant_prediction(dataset, prediction), float(unfair.mean())


@cache
def constant_prediction(dataset: str, score: str) -> float:
    """The score of the best constant prediction over all rows of a dataset.

    Targets that are numbers count from 0 to 1, as models see them and are scored on them.

    >>> round(constant_prediction("adult", "accuracy"), 3)
    0.752
    """
    y = np.asarray(load_dataset(dataset).target, dtype=float)
    if score in ("mae", "mse"):
        y = MinMax.fit(y).transform(y)
    if score == "mae":
        return float(1 - np.abs(y - np.median(y)).mean())
    if score == "mse":
        return float(1 - y.var())
    share = float(y.mean())
    return share if score == "average_precision" else max(share, 1 - share)
