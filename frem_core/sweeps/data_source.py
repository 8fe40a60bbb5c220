"""Loads the data of a run inside a worker, once for all runs on the same split."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from frem_core.datasets import Dataset, DatasetSpec, PreparedData, prepare, split_dataset
from frem_core.errors import DataError
from frem_core.store.identity import canonical_json
from frem_core.store.tables import Tables
from frem_core.sweeps.run_config import RunConfig

T = TypeVar("T")


class TableElsewhereError(DataError):
    """The worker does not see the folder in which a table lies; it has to be sent."""


class _Latest(Generic[T]):
    """Remembers the last thing that was made; one, because a large table fills memory."""

    def __init__(self) -> None:
        self._kept: tuple[str, T] | None = None

    def get(self, key: str, make: Callable[[], T]) -> T:
        if self._kept is None or self._kept[0] != key:
            self._kept = None  # let go of the old one before the new one needs its memory
            self._kept = (key, make())
        return self._kept[1]


_dataset: _Latest[Dataset] = _Latest()
_prepared: _Latest[PreparedData] = _Latest()


def prepared_data(
    config: RunConfig, source: Mapping[str, Any], tables: Path | None
) -> PreparedData:
    """Returns the data of a run, encoded and split.

    Args:
        config: the run.
        source: where its dataset comes from, as `DatasetSpec.to_dict` gives it.
        tables: the folder of kept tables; None when this machine does not see it.

    Raises:
        TableElsewhereError: the dataset is a table that must be sent first.
        DataError: the dataset is gone or has changed since the sweep was queued.
    """

    def make() -> PreparedData:
        dataset = _dataset.get(config.dataset, lambda: _load(config.dataset, source, tables))
        as_task = replace(dataset, task=config.task)
        return prepare(as_task, split_dataset(as_task, **config.split))

    key = canonical_json([config.dataset, config.task, dict(config.split)])
    return _prepared.get(key, make)


def remember_table(fingerprint: str, source: Mapping[str, Any], tables: Path) -> None:
    """Loads a table or graph that was sent to this worker, for this run and those to come."""
    _dataset.get(fingerprint, lambda: _load(fingerprint, source, tables))


def _load(fingerprint: str, source: Mapping[str, Any], tables: Path | None) -> Dataset:
    spec = DatasetSpec.from_dict(source)
    if (spec.table is not None or spec.is_graph) and tables is None:
        raise TableElsewhereError("This worker does not see the folder of kept tables.")
    dataset = spec.load(None if tables is None else Tables(tables))
    if dataset.fingerprint != fingerprint:
        raise DataError(
            f"'{dataset.name}' has changed since this run was queued (its fingerprint is "
            f"{dataset.fingerprint[:12]}, not {fingerprint[:12]}). Submit the sweep again."
        )
    return dataset
