"""RAND health insurance: who sees a doctor, with family income as sensitive attribute."""

from typing import Any

import numpy as np

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, read_builtin_table, register_dataset
from frem_core.datasets.dataset import Dataset

TARGET, SENSITIVE = "doctor_visit", "income"
VISITS = "doctor_visits"

DESCRIPTION = (
    "RAND Health Insurance Experiment: 20,186 years of 5,908 people under 65 in six places of the "
    "United States, 1974 to 1982. The target is at least one visit to a doctor in the year; the "
    "sensitive attribute is the yearly income of the family in dollars. Why it matters: the use "
    "of care in the past is a common measure of need, and the poor use less of it when they are "
    "equally ill; a programme that follows such a prediction passes over those who could not pay. "
    "Source: RAND Corporation, public domain, by way of the Python package statsmodels."
)


def rand_health_dataset() -> Dataset:
    """The years of the RAND Health Insurance Experiment, cleaned and in their own units."""
    table = read_builtin_table("rand_health.parquet")
    complete = ~table.isna().any(axis=1)
    rows = table[complete].reset_index(drop=True)
    return Dataset(
        name="rand_health",
        features=rows.drop(columns=[VISITS, SENSITIVE]),
        target=np.where(rows[VISITS] > 0, 1.0, 0.0),
        sensitive=rows[SENSITIVE].to_numpy(dtype=np.float64),
        task="classification",
        target_name=TARGET,
        sensitive_name=SENSITIVE,
        class_names=("no", "yes"),
        notes=(
            f"{int((~complete).sum()):,} of {len(table):,} rows without a level of education were "
            "dropped.",
            "A person has one row for each year in the experiment.",
        ),
        description=DESCRIPTION,
    )


register_dataset(
    DatasetCard(
        name="rand_health",
        title="RAND health insurance: care and income",
        description=(
            "20,186 years of people in the RAND Health Insurance Experiment: whether a doctor was "
            "seen, with family income as the sensitive attribute."
        ),
        question="Can the need for a doctor be predicted without following a family's income?",
        load=rand_health_dataset,
        words={TARGET: "visit to a doctor", SENSITIVE: "family income"},
    )
)


def fetch_rand_health(
    *, as_frame: bool = True, return_X_y: bool = False, encode: bool = True
) -> Any:
    """Returns the RAND Health Insurance Experiment in scikit-learn's style; no network is used.

    Arguments are those of `frem_core.datasets.bunch.to_bunch`.

    Returns:
        A Bunch with ``data``, ``target`` (1 = saw a doctor in the year), ``sensitive_features``
        (family income in dollars), ``feature_names`` and ``DESCR``; or ``(data, target)``.

    >>> fetch_rand_health().data.shape
    (20186, 25)
    """
    dataset = rand_health_dataset()
    return to_bunch(dataset, as_frame=as_frame, return_X_y=return_X_y, encode=encode)
