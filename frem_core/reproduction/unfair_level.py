"""Is there anything to be made fair? The model without a fairness term, against chance."""

from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import pandas as pd

from frem_core.errors import FremError
from frem_core.evaluation import get_score
from frem_core.evaluation.evaluate import MAX_ROWS
from frem_core.evaluation.subset import random_rows
from frem_core.metrics import NoiseFloor, noise_floor
from frem_core.store import Store
from frem_core.sweeps import load_predictions, load_representations

_PERMUTATIONS, _SLOW_PERMUTATIONS = 100, 20
# The score of a representation averages over its dimensions, so few shuffles settle it.
_REPRESENTATION_PERMUTATIONS = 5


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
    metric = get_score(score)
    try:
        table = load_predictions(store, run)
        some = random_rows(len(table), MAX_ROWS if metric.slow_on_many_rows else None, 0)
        s = table["s"].to_numpy()[some]
        if metric.measures == "representation":
            _, z = load_representations(store, run)
            return noise_floor(
                metric,
                z[some],
                sensitive_features=s,
                n_permutations=_REPRESENTATION_PERMUTATIONS,
            )
    except FremError:  # scores were taken over without their files
        return None
    return noise_floor(
        metric,
        table["y"].to_numpy()[some],
        table["p"].to_numpy()[some],
        sensitive_features=s,
        n_permutations=_SLOW_PERMUTATIONS if metric.slow_on_many_rows else _PERMUTATIONS,
    )
