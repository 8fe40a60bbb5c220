"""How large a fairness score of a finished run is by chance alone."""

from frem_core.errors import DataError
from frem_core.evaluation import get_score
from frem_core.evaluation.evaluate import MAX_ROWS
from frem_core.evaluation.subset import random_rows
from frem_core.metrics import NoiseFloor, noise_floor
from frem_core.store import Store
from frem_core.sweeps.outcome import load_predictions, load_representations

# Slow scores get fewer rearrangements: what they are compared with needs no third digit.
_PERMUTATIONS, _SLOW_PERMUTATIONS = 100, 20


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
    table = load_predictions(store, run)
    some = random_rows(len(table), MAX_ROWS if metric.slow_on_many_rows else None, 0)
    s = table["s"].to_numpy()[some]
    if metric.measures == "representation":
        rows, z = load_representations(store, run)
        if len(rows) != len(table):
            raise DataError("The files of the run do not match each other; train it again.")
        return noise_floor(metric, z[some], sensitive_features=s, n_permutations=slow_permutations)
    return noise_floor(
        metric,
        table["y"].to_numpy()[some],
        table["p"].to_numpy()[some],
        sensitive_features=s,
        n_permutations=_SLOW_PERMUTATIONS if metric.slow_on_many_rows else _PERMUTATIONS,
    )
