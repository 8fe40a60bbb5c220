"""The built-in datasets by name; each one registers itself from its own file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from frem_core.datasets.added_files import AddedFiles
from frem_core.datasets.dataset import Dataset
from frem_core.errors import ConfigError
from frem_core.extras import naming_the_extra
from frem_core.registry import Registry


@dataclass(frozen=True)
class DatasetCard:
    """What a user reads before choosing a built-in dataset.

    Attributes:
        name: the name to load it by.
        title: the same in words.
        description: one sentence on the rows, the target and the sensitive attribute.
        question: the question the dataset answers, as a stakeholder would put it.
        load: makes the dataset; one with ``files`` also from a folder given to it.
        files: what a user has to add first, or None for a dataset that ships with the package.
        words: what sentences call a column whose own name does not say what it is.
        batch_size: rows per training step that suit it; None for what suits tables of its size.
    """

    name: str
    title: str
    description: str
    question: str
    load: Callable[..., Dataset]
    files: AddedFiles | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    batch_size: int | None = None


_CARDS: Registry[DatasetCard] = Registry("dataset", "frem_core.datasets", "frem.datasets")


def register_dataset(card: DatasetCard) -> DatasetCard:
    """Makes a dataset known everywhere: library, command line and dashboard."""
    return _CARDS.register(card.name)(card)


def available_datasets() -> tuple[str, ...]:
    """Names of the built-in datasets, and of those whose files were added; sorted."""
    return tuple(name for name in _CARDS if _is_there(_CARDS.get(name)))


def addable_datasets() -> tuple[str, ...]:
    """Names of the datasets whose files a user has to add, whether they were or not; sorted."""
    return tuple(name for name in _CARDS if _CARDS.get(name).files is not None)


def known_datasets() -> tuple[str, ...]:
    """All names that stand for a dataset, also for one whose files were not added yet; sorted."""
    return tuple(_CARDS)


def _is_there(card: DatasetCard) -> bool:
    return card.files is None or card.files.are_there


def dataset_card(name: str) -> DatasetCard:
    """Title, description and question of a built-in dataset; an unknown name is a ConfigError."""
    return _CARDS.get(name)


def column_words(preset: str, column: str) -> str:
    """What sentences call a column of a built-in dataset; of any other (``""``), its name.

    >>> column_words("crime", "racepctblack")
    'share of Black residents'
    """
    return _CARDS.get(preset).words.get(column, column) if preset in _CARDS else column


def load_dataset(name: str) -> Dataset:
    """Loads a dataset by name; no network is used.

    Raises:
        ConfigError: the name is unknown.
        DataError: its files have to be added first.

    >>> load_dataset("crime").features.shape
    (1994, 121)
    """
    return replace(_CARDS.get(name).load(), preset=name)


def add_dataset(name: str, folder: Path) -> Dataset:
    """Keeps the files of a dataset that cannot be shipped, once they were read without a fault.

    Args:
        name: of a dataset in `addable_datasets`.
        folder: where its files lie; they are copied.

    Raises:
        ConfigError: nothing can be added to this dataset.
        DataError: a file is missing, cut off or not what it should be; nothing is kept then.
    """
    card = dataset_card(name)
    if card.files is None:
        raise ConfigError(f"'{name}' ships with this package; there is nothing to add.")
    card.files.check(folder)
    dataset = card.load(folder)
    card.files.add(folder)
    return dataset


def read_builtin_table(file_name: str) -> pd.DataFrame:
    """Reads a table shipped inside the package."""
    with naming_the_extra():
        import pyarrow.parquet as pq  # the core of the package does without
    with (files("frem_core.datasets") / "builtin" / file_name).open("rb") as file:
        frame: pd.DataFrame = pq.read_table(file).to_pandas()
    return frame


def builtin_numbers(file_name: str, *, target: str, sensitive: str) -> dict[str, Any]:
    """The columns of a shipped table of numbers, as the fields of a `Dataset`."""
    table = read_builtin_table(file_name).astype(np.float64)
    return {
        "features": table.drop(columns=[target, sensitive]),
        "target": table[target].to_numpy(),
        "sensitive": table[sensitive].to_numpy(),
        "target_name": target,
        "sensitive_name": sensitive,
    }
