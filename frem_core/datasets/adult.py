"""Adult (census income): who earns more than 50,000 dollars, with age as sensitive attribute."""

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, read_builtin_table, register_dataset
from frem_core.datasets.dataset import Dataset
from frem_core.errors import ConfigError, did_you_mean

TARGET, SENSITIVE = "income", "age"
# Without these two, one-hot encoding gives the paper's d = 101: the census weight says how many
# people a row stands for, and the number of school years repeats the column "education".
DROPPED = ("fnlwgt", "education-num")
# The training rows of the paper's table of datasets: the first ones in file order.
PAPER_TRAIN_ROWS = 32_561

DESCRIPTION = (
    "Adult (census income): 45,222 people of the 1994 US census. The target is an income above "
    "50,000 dollars a year; the sensitive attribute is age in years. "
    "Source: UCI Machine Learning Repository, CC BY 4.0; "
    "Becker, B. and Kohavi, R. (1996), doi:10.24432/C5XW20."
)


def adult_dataset(*, drop_columns: Collection[str] = DROPPED, with_age: bool = False) -> Dataset:
    """The Adult dataset, cleaned and in its own units.

    Args:
        drop_columns: columns to leave out; the default gives d = 101 as in the paper.
        with_age: whether age is a feature too, so that a model sees what it must not follow.
    """
    table = read_builtin_table("adult.parquet")
    complete = ~table.isna().any(axis=1)
    rows = table[complete].reset_index(drop=True)
    candidates = [name for name in rows.columns if name not in (TARGET, SENSITIVE)]
    for dropped in drop_columns:
        if dropped not in candidates:
            raise ConfigError(
                f"Adult has no feature '{dropped}'." + did_you_mean(dropped, candidates)
            )
    features = rows[[name for name in candidates if name not in drop_columns]].copy()
    for name in features.select_dtypes("category"):
        features[name] = features[name].cat.remove_unused_categories()
    if with_age:
        features[f"{SENSITIVE} (as a feature)"] = rows[SENSITIVE]
    notes = [
        f"{int((~complete).sum()):,} of {len(table):,} rows with an unknown value were dropped."
    ]
    if drop_columns:
        notes.append(f"Left out: {', '.join(drop_columns)}.")
    if with_age:
        notes.append("Age is among the features.")
    return Dataset(
        name="adult_with_age" if with_age else "adult",
        features=features,
        target=np.where(rows[TARGET] == ">50K", 1.0, 0.0),
        sensitive=rows[SENSITIVE].to_numpy(dtype=np.float64),
        task="classification",
        target_name=TARGET,
        sensitive_name=SENSITIVE,
        class_names=("<=50K", ">50K"),
        notes=tuple(notes),
        description=DESCRIPTION,
        folds=np.arange(len(rows)) < PAPER_TRAIN_ROWS,
    )


def fetch_adult(
    *,
    as_frame: bool = True,
    return_X_y: bool = False,
    encode: bool = True,
    drop_columns: Collection[str] = DROPPED,
) -> Any:
    """Returns Adult in scikit-learn's style; it ships with the package, no network is used.

    Args:
        as_frame: pandas objects instead of NumPy arrays.
        return_X_y: only ``(data, target)``.
        encode: categories as 0/1 columns, d = 101 as in the paper.
        drop_columns: columns to leave out.

    Returns:
        A Bunch with ``data``, ``target`` (1 = more than 50,000 dollars), ``sensitive_features``
        (age in years), ``feature_names`` and ``DESCR``; or the pair ``(data, target)``.

    >>> fetch_adult().data.shape
    (45222, 101)
    """
    dataset = adult_dataset(drop_columns=drop_columns)
    return to_bunch(dataset, as_frame=as_frame, return_X_y=return_X_y, encode=encode)


register_dataset(
    DatasetCard(
        name="adult",
        title="Adult: income and age",
        description=(
            "45,222 people of the US census: income above 50,000 dollars, with age as the "
            "sensitive attribute."
        ),
        question="Can income be predicted without the prediction following a person's age?",
        load=adult_dataset,
        batch_size=1024,  # the paper's ("Training hyperparameters")
    )
)

register_dataset(
    DatasetCard(
        name="adult_with_age",
        title="Adult, with age among the features",
        description=(
            "Adult once more, but the model may look at age itself: what comes nearest to the "
            "paper's unfair model."
        ),
        question="Can a model that knows a person's age be kept from following it?",
        load=partial(adult_dataset, with_age=True),
        batch_size=1024,
    )
)
