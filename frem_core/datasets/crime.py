"""Communities and Crime: violent crime rates, with the share of Black residents as sensitive."""

from typing import Any

import numpy as np

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, read_builtin_table, register_dataset
from frem_core.datasets.dataset import Dataset

TARGET, SENSITIVE = "ViolentCrimesPerPop", "racepctblack"
# Where a community lies and which fold it is in are not features of it.
IDENTIFIERS = ("state", "county", "community", "communityname", "fold")
PAPER_TEST_FOLD = 1

DESCRIPTION = (
    "Communities and Crime: 1,994 communities of the United States, each column scaled to [0, 1] "
    "by the publishers. The target is violent crimes per population; the sensitive attribute is "
    "the share of Black residents. "
    "Source: UCI Machine Learning Repository, CC BY 4.0; "
    "Redmond, M. (2002), doi:10.24432/C53W3X."
)


def crime_dataset() -> Dataset:
    """The Communities and Crime dataset, cleaned and in its own units (d = 121)."""
    table = read_builtin_table("crime.parquet")
    raw = table.drop(columns=[*IDENTIFIERS, TARGET, SENSITIVE]).astype(np.float64)
    filled = int((raw.isna().sum() > 0).sum())
    return Dataset(
        name="crime",
        features=raw.fillna(0.0),
        target=table[TARGET].to_numpy(dtype=np.float64),
        sensitive=table[SENSITIVE].to_numpy(dtype=np.float64),
        task="regression",
        target_name=TARGET,
        sensitive_name=SENSITIVE,
        notes=(
            f"Left out: {', '.join(IDENTIFIERS)}.",
            f"Missing values in {filled} columns (22 on the police, and OtherPerCap) became 0.",
        ),
        description=DESCRIPTION,
        folds=(table["fold"] != PAPER_TEST_FOLD).to_numpy(),
    )


def fetch_crime(*, as_frame: bool = True, return_X_y: bool = False) -> Any:
    """Returns Communities and Crime in scikit-learn's style; no network is used.

    Args:
        as_frame: pandas objects instead of NumPy arrays.
        return_X_y: only ``(data, target)``.

    Returns:
        A Bunch with ``data`` (d = 121), ``target`` (violent crimes per population, in [0, 1]),
        ``sensitive_features`` (share of Black residents, in [0, 1]), ``feature_names`` and
        ``DESCR``; or the pair ``(data, target)``.

    >>> fetch_crime().data.shape
    (1994, 121)
    """
    return to_bunch(crime_dataset(), as_frame=as_frame, return_X_y=return_X_y)


register_dataset(
    DatasetCard(
        name="crime",
        title="Communities and Crime: violent crime and race",
        description=(
            "1,994 US communities: violent crimes per population, with the share of Black "
            "residents as the sensitive attribute."
        ),
        question="Can crime rates be predicted without following the racial mix of a community?",
        load=crime_dataset,
        batch_size=200,  # the paper's ("Training hyperparameters")
        words={TARGET: "violent crime rate", SENSITIVE: "share of Black residents"},
    )
)
