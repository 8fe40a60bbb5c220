"""The bootstrap behind the paper's table of how stable MI(Ŷ, S) is."""

import pandas as pd

from frem_core.evaluation.evaluate import MAX_ROWS
from frem_core.evaluation.subset import random_rows
from frem_core.metrics.bootstrap import BootstrapResult, bootstrap


def bootstrap_mutual_information(
    predictions: pd.DataFrame, *, n_resamples: int = 1000, random_state: int = 0
) -> BootstrapResult:
    """Resamples test rows and summarises MI(Ŷ, S): mean, standard deviation, CV.

    Args:
        predictions: test rows with ``s`` and ``p``, as `frem_core.sweeps.load_predictions` gives
            them; of more than 10,000 a random subset is taken, as for the score itself.
        n_resamples: how often rows are drawn with replacement; 1,000 in the paper.
        random_state: seed.
    """
    rows = predictions.iloc[random_rows(len(predictions), MAX_ROWS, random_state)]
    return bootstrap(
        "mutual_information",
        None,
        rows["p"].to_numpy(),
        sensitive_features=rows["s"].to_numpy(),
        n_resamples=n_resamples,
        random_state=random_state,
    )
