"""The built-in datasets by name; each one registers itself from its own file."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import pandas as pd
import pyarrow.parquet as pq

from frem_core.datasets.dataset import Dataset
from frem_core.registry import Registry


@dataclass(frozen=True)
class DatasetCard:
    """What a user reads before choosing a built-in dataset.

    Attributes:
        name: the name to load it by.
        title: the same in words.
        description: one sentence on the rows, the target and the sensitive attribute.
        question: the question the dataset answers, as a stakeholder would put it.
        load: makes the dataset.
    """

    name: str
    title: str
    description: str
    question: str
    load: Callable[[], Dataset]


_CARDS: Registry[DatasetCard] = Registry("dataset", "frem_core.datasets")


def register_dataset(card: DatasetCard) -> DatasetCard:
    """Makes a dataset known everywhere: library, command line and dashboard."""
    return _CARDS.register(card.name)(card)


def available_datasets() -> tuple[str, ...]:
    """Names of the built-in datasets, sorted."""
    return tuple(_CARDS)


def dataset_card(name: str) -> DatasetCard:
    """Title, description and question of a built-in dataset; an unknown name is a ConfigError."""
    return _CARDS.get(name)


def load_dataset(name: str) -> Dataset:
    """Loads a built-in dataset; no network is used.

    >>> load_dataset("crime").features.shape
    (1994, 121)
    """
    return _CARDS.get(name).load()


def read_builtin_table(file_name: str) -> pd.DataFrame:
    """Reads a table shipped inside the package."""
    with (files("frem_core.datasets") / "builtin" / file_name).open("rb") as file:
        frame: pd.DataFrame = pq.read_table(file).to_pandas()
    return frame
