"""The corner down to which fronts are measured: the two answers that need no method."""

import numpy as np
import pandas as pd

from frem_core.datasets import load_dataset


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


def constant_prediction(dataset: str, score: str) -> float:
    """The score of the best constant prediction over all rows of a dataset.

    >>> round(constant_prediction("adult", "accuracy"), 3)
    0.752
    """
    y = np.asarray(load_dataset(dataset).target, dtype=float)
    if score == "mae":
        return float(1 - np.abs(y - np.median(y)).mean())
    if score == "mse":
        return float(1 - y.var())
    share = float(y.mean())
    return share if score == "average_precision" else max(share, 1 - share)
