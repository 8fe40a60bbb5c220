"""What each fairness score gives on the same rows when the sensitive values are shuffled."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from frem_core.attributes import ALL_TOGETHER, Attributes
from frem_core.eipm import EipmTestResult, eipm_test
from frem_core.evaluation import get_score
from frem_core.evaluation.scores import EIPM_SCORE
from frem_core.evaluation.subset import random_rows
from frem_core.methods.frem import Frem
from frem_core.metrics import NoiseFloor, noise_floor
from frem_core.metrics.classes import suited
from frem_core.types import Floats

MAX_ROWS = 10_000
# One yardstick for every method, also for those that were trained with another or none.
EIPM_SETTINGS: Final[Mapping[str, Any]] = {"gamma": Frem.gamma, "sigma": Frem.sigma}
# Scores of a representation average over its dimensions, so few shuffles settle them.
_REPRESENTATION_SHARE = 5


def chance_levels(
    names: Iterable[str],
    y: Floats | None,
    p: Floats,
    z: Floats | None,
    s: Floats,
    *,
    permutations: int,
    max_rows: int | None = MAX_ROWS,
    attributes: Attributes | None = None,
) -> dict[str, NoiseFloor]:
    """Measures the chance level of those scores that have one.

    Args:
        names: scores, e.g. from `frem_core.evaluation.evaluate`.
        y: targets, (n,), or None where no score needs them.
        p: predictions, (n,), or the probabilities of several classes, (n, C).
        z: representation, (n, m), or None where no score needs it.
        s: sensitive values in [0, 1], (n,).
        permutations: shuffles; a fifth of them for MI(Z, S); 0 leaves all levels out.
        max_rows: slow scores use as many random rows at most, as evaluations do.
        attributes: all sensitive attributes, where there are several.
    """
    if permutations == 0:
        return {}
    rows = random_rows(len(s), max_rows, 0)
    levels = {}
    for metric in map(get_score, names):
        score, _, attribute = metric.name.partition("@")
        if attribute:
            if score == EIPM_SCORE.name and attributes is not None and z is not None:
                table = attributes.shown(attributes.values)
                several = table if attribute == ALL_TOGETHER else table[[attribute]]
                levels[metric.name] = eipm_level(z, several, permutations=permutations)[0]
            continue
        if not metric.has_noise_floor:
            continue
        if metric is EIPM_SCORE:
            assert z is not None
            levels[metric.name] = eipm_level(z, s, permutations=permutations)[0]
            continue
        some = rows if metric.slow_on_many_rows else np.arange(len(s))
        of_representation = metric.measures == "representation"
        arrays = (z,) if of_representation else (y, p)
        shuffles = permutations // _REPRESENTATION_SHARE if of_representation else permutations
        levels[metric.name] = noise_floor(
            metric if of_representation else suited(metric, p),
            *(None if array is None else array[some] for array in arrays),
            sensitive_features=s[some],
            n_permutations=max(2, shuffles),
        )
    return levels


def eipm_level(
    z: Floats,
    s: Floats | pd.DataFrame,
    *,
    permutations: int,
    settings: Mapping[str, Any] = EIPM_SETTINGS,
    max_rows: int | None = MAX_ROWS,
) -> tuple[NoiseFloor, EipmTestResult]:
    """Returns the chance level of EIPM, and the permutation test it comes from."""
    rows = random_rows(len(s), max_rows, 0)
    some = s.iloc[rows] if isinstance(s, pd.DataFrame) else s[rows]
    test = eipm_test(z[rows], some, permutations=permutations, **settings)
    floor = NoiseFloor(
        mean=test.floor, upper=test.floor_upper, share=0.95, n_permutations=test.permutations
    )
    return floor, test
