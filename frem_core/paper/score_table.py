"""``tab:other``: one model of every method on Adult and on Crime, scored on test rows."""

from functools import lru_cache
from typing import Final

import pandas as pd

TABLE: Final = "tab:other"
# Method (as registered) and where it cuts the sensitive attribute, in the order of the columns.
_COLUMNS: Final = (
    ("unfair", ""),
    ("laftr", "median"),
    ("laftr", "mean"),
    ("mmd", "median"),
    ("mmd", "mean"),
    ("sipm_lfr", "median"),
    ("sipm_lfr", "mean"),
    ("reg_gdp", ""),
    ("reg_hgr", ""),
    ("adv", ""),
    ("frem", ""),
)
# (dataset, score) as printed; the row of Crime's prediction score is 1 − MAE.
_ROWS: Final = {
    ("adult", "accuracy"): (
        *(0.847, 0.814, 0.822, 0.818, 0.824, 0.825, 0.825),
        *(0.826, 0.757, 0.827, 0.827),
    ),
    ("adult", "hgr"): (
        *(0.474, 0.336, 0.381, 0.291, 0.301, 0.282, 0.282),
        *(0.300, 0.306, 0.434, 0.172),
    ),
    ("adult", "mutual_information"): (
        *(0.396, 0.238, 0.281, 0.232, 0.230, 0.271, 0.268),
        *(0.194, 0.192, 0.388, 0.175),
    ),
    ("crime", "mae"): (
        *(0.904, 0.855, 0.846, 0.846, 0.851, 0.848, 0.832),
        *(0.836, 0.847, 0.851, 0.851),
    ),
    ("crime", "hgr"): (
        *(0.569, 0.385, 0.375, 0.143, 0.128, 0.183, 0.131),
        *(0.128, 0.115, 0.384, 0.104),
    ),
    ("crime", "mutual_information"): (
        *(0.346, 0.170, 0.169, 0.064, 0.053, 0.068, 0.053),
        *(0.078, 0.050, 0.226, 0.022),
    ),
}


@lru_cache(maxsize=1)
def _scores() -> pd.DataFrame:
    rows = [
        (dataset, method, cut, score, value, TABLE)
        for (dataset, score), values in _ROWS.items()
        for (method, cut), value in zip(_COLUMNS, values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["dataset", "method", "cut", "score", "value", "table"])


def paper_scores() -> pd.DataFrame:
    """All printed scores, one per row.

    Returns:
        Columns ``dataset, method, cut, score, value, table``. Methods and scores go by their
        registered names. ``value`` is as printed and as charts show it: 1 − MAE under ``mae``.

    >>> scores = paper_scores()
    >>> len(scores), sorted(set(scores["dataset"]))
    (66, ['adult', 'crime'])
    """
    return _scores().copy()


def paper_points(dataset: str, prediction_score: str, fairness_score: str) -> pd.DataFrame:
    """Both scores of every model the paper prints for a dataset.

    Args:
        dataset: ``"adult"`` or ``"crime"``; others are not printed.
        prediction_score: registered name, ``"accuracy"`` for Adult, ``"mae"`` for Crime.
        fairness_score: ``"hgr"`` or ``"mutual_information"``.

    Returns:
        Columns ``method, cut, prediction, fairness, table``; ``prediction`` is 1 − MAE for
        ``"mae"``. Empty where the paper prints no numbers (it has figures only for the rest).

    >>> points = paper_points("crime", "mae", "hgr").set_index("method")
    >>> points.loc["frem", ["prediction", "fairness"]].tolist()
    [0.851, 0.104]
    """
    scores = _scores()
    own = scores[scores["dataset"] == dataset].drop(columns="dataset")
    key = ["method", "cut", "table"]
    predictions = own[own["score"] == prediction_score].rename(columns={"value": "prediction"})
    fairness = own[own["score"] == fairness_score].rename(columns={"value": "fairness"})
    both = predictions[[*key, "prediction"]].merge(fairness[[*key, "fairness"]], on=key)
    return both[["method", "cut", "prediction", "fairness", "table"]]
