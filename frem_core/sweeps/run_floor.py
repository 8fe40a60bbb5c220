"""What chance does to scores of finished runs: on shuffled sensitive values, on other rows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from frem_core.errors import DataError
from frem_core.evaluation import get_score
from frem_core.evaluation.evaluate import MAX_ROWS
from frem_core.evaluation.subset import random_rows
from frem_core.metrics import NoiseFloor, noise_floor
from frem_core.metrics.classes import suited
from frem_core.pareto.uncertainty import row_resamples
from frem_core.store import Store
from frem_core.sweeps.outcome import load_outcomes, load_representations
from frem_core.types import Floats

# Slow scores get fewer rearrangements: what they are compared with needs no third digit.
_PERMUTATIONS, _SLOW_PERMUTATIONS = 100, 20
# More rows are drawn from, but not drawn: their number is then accounted for.
_MOST_ROWS = 2_000


def run_noise_floor(
    store: Store, run: str, score: str, *, slow_permutations: int = _SLOW_PERMUTATIONS
) -> NoiseFloor:
    """Measures a score of a run's test rows with sensitive values dealt out at random.

    Args:
        store: where the run's files are.
        run: its id.
        score: name of a fairness score.
        slow_permutations: how often a score of the representation is measured.

    Raises:
        FremError: when the files of the run are gone or do not match.
    """
    metric = get_score(score)
    table = load_outcomes(store, run)
    some = random_rows(len(table["s"]), MAX_ROWS if metric.slow_on_many_rows else None, 0)
    s = table["s"][some]
    if metric.measures == "representation":
        rows, z = load_representations(store, run)
        if len(rows) != len(table["s"]):
            raise DataError("The files of the run do not match each other; train it again.")
        return noise_floor(metric, z[some], sensitive_features=s, n_permutations=slow_permutations)
    return noise_floor(
        suited(metric, table["p"]),
        table["y"][some],
        table["p"][some],
        sensitive_features=s,
        n_permutations=_SLOW_PERMUTATIONS if metric.slow_on_many_rows else _PERMUTATIONS,
    )


def run_resamples(
    store: Store, runs: Sequence[str], prediction: str, fairness: str, *, resamples: int = 40
) -> Floats:
    """Scores runs that were tested on the same rows on draws from these rows.

    Args:
        store: where the runs' files are.
        runs: their ids.
        prediction: name of the prediction score.
        fairness: name of a fairness score of predictions.
        resamples: how many draws.

    Returns:
        (R, runs, 2): both scores as charts show them, turned so that more is better.

    Raises:
        DataError: the runs were tested on different rows.
    """
    tables = [load_outcomes(store, run) for run in runs]
    first = tables[0]
    if any(not np.array_equal(one["row"], first["row"]) for one in tables):
        raise DataError("These runs were tested on different rows.")
    y, s = first["y"], first["s"]
    predictions = np.stack([one["p"] for one in tables])
    quality, gap = (suited(get_score(name), predictions[0]) for name in (prediction, fairness))

    def scores(rows: NDArray[np.int64]) -> Floats:
        some = rows[:_MOST_ROWS]
        return np.array(
            [
                [
                    quality.axis_value(quality(y[some], p[some])),
                    -gap(y[some], p[some], sensitive_features=s[some]),
                ]
                for p in predictions
            ]
        )

    drawn = row_resamples(scores, len(y), resamples=resamples)
    if len(y) <= _MOST_ROWS:
        return drawn
    middle = drawn.mean(axis=0)
    return np.asarray(middle + (drawn - middle) * np.sqrt(_MOST_ROWS / len(y)))
