"""One graph with one network: its fronts, and whether they can tell methods apart."""

from dataclasses import dataclass, field
from functools import cached_property
from math import isnan, nan

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from frem_core.errors import FremError
from frem_core.metrics import NoiseFloor
from frem_core.reproduction.front_comparison import FrontComparison, compare_fronts
from frem_core.reproduction.front_panels import score_words
from frem_core.store import Store
from frem_core.sweeps.run_floor import run_noise_floor

# The score of a representation averages over its dimensions, so few shuffles settle it.
_REPRESENTATION_PERMUTATIONS = 5
ACCURACY = "accuracy"
REPRESENTATION = "representation_mutual_information"
FAIRNESS = ("gdp", "hgr", "mutual_information", REPRESENTATION)


@dataclass(frozen=True)
class UnfairLevel:
    """A score of the unfair model, over seeds.

    Attributes:
        score: its name.
        value: mean over seeds.
        chance: its mean when sensitive values are shuffled; NaN when runs have no files.
        upper: what 95 % of the shuffles stay below, mean over seeds.
    """

    score: str
    value: float
    chance: float = nan
    upper: float = nan

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the unfair model is unfair; taken to be where chance was not measured."""
        return isnan(self.upper) or self.value > self.upper


def unfair_level(store: Store, unfair: pd.DataFrame, score: str) -> UnfairLevel:
    """Measures a fairness score of finished unfair runs and its level by chance.

    Args:
        store: where the runs' files are.
        unfair: their tidy rows.
        score: a fairness score.
    """
    floors = [floor for run in unfair["id"] if (floor := _floor(store, run, score)) is not None]
    return UnfairLevel(
        score,
        value=float(unfair[score].mean()),
        chance=float(np.mean([floor.mean for floor in floors])) if floors else nan,
        upper=float(np.mean([floor.upper for floor in floors])) if floors else nan,
    )


def _floor(store: Store, run: str, score: str) -> NoiseFloor | None:
    try:
        return run_noise_floor(store, run, score, slow_permutations=_REPRESENTATION_PERMUTATIONS)
    except FremError:  # scores were taken over without their files
        return None


@dataclass(frozen=True)
class GraphStudy:
    """The runs of one sweep and how to judge them.

    Attributes:
        network: ``"GCN"`` or ``"SGC"``.
        runs: tidy runs of all methods.
        constant: accuracy of the best constant prediction.
        store: where the runs' files are.
    """

    network: str
    runs: pd.DataFrame
    constant: float
    store: Store = field(repr=False)

    @cached_property
    def unfair(self) -> pd.DataFrame:
        """The runs without a fairness term."""
        return self.runs[self.runs["series"] == "unfair"]

    @cached_property
    def levels(self) -> dict[str, UnfairLevel]:
        """How unfair the unfair model is, by score."""
        return {score: unfair_level(self.store, self.unfair, score) for score in FAIRNESS}

    def compare(
        self, others: tuple[str, ...], fairness: str, of: str = ""
    ) -> list[FrontComparison]:
        """Compares FREM with each of the series that have runs.

        Args:
            others: series.
            fairness: a fairness score; the other axis is accuracy.
            of: ``"train."`` compares on the training rows.
        """
        series = set(self.runs["series"])
        if not {"unfair", "frem"} <= series:
            return []
        prediction, fairness = of + ACCURACY, of + fairness
        corner = (self.constant, float(self.unfair[fairness].mean()))
        return [
            compare_fronts(
                self.runs, "frem", one, prediction=prediction, fairness=fairness, reference=corner
            )
            for one in others
            if one in series
        ]

    def trend(self) -> list[float]:
        """Rank correlation of λ and MI(Z, S) of FREM, one for each seed."""
        own = self.runs[self.runs["series"] == "frem"]
        return [
            float(spearmanr(rows["weight"], rows[REPRESENTATION]).statistic)
            for _, rows in own.groupby("seed")
            if len(rows) > 2
        ]

    def why_not_unfair(self, fairness: str) -> str | None:
        """Says so when the unfair model does not follow S more than chance does."""
        if self.unfair.empty:
            return None
        level = self.levels[fairness]
        if level.is_beyond_chance:
            return None
        return (
            f"{self.network}: without fairness {score_words(fairness)} is {level.value:.4f}, by "
            f"chance up to {level.upper:.4f}"
        )

    def why_not_accurate(self) -> str | None:
        """Says so when the unfair model is hardly better than a constant prediction."""
        mean, error = mean_and_error(self.unfair[ACCURACY])
        if not mean - 2 * error <= self.constant:  # also with a single seed, without an error
            return None
        return (
            f"{self.network}: without fairness Acc is {mean:.3f} ± {error:.3f}, the best constant "
            f"{self.constant:.3f}"
        )

    def why_no_trade_off(self, fairness: str) -> str | None:
        """Why no front can be told from another: nothing to lose, or nothing to gain."""
        return self.why_not_accurate() or self.why_not_unfair(fairness)


def mean_and_error(values: "pd.Series[float]") -> tuple[float, float]:
    """Mean over seeds and its standard error; NaN with fewer than two."""
    some = values.to_numpy(dtype=float)
    error = float(some.std(ddof=1) / np.sqrt(len(some))) if len(some) > 1 else nan
    return float(some.mean()) if len(some) else nan, error
