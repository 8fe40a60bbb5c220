"""Loads any table as a dataset in one call."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from frem_core.datasets.dataset import Dataset
from frem_core.datasets.tables.csv_reader import Progress
from frem_core.datasets.tables.read_table import read_table
from frem_core.datasets.tables.source import MAX_BYTES, FileSource
from frem_core.datasets.tables.table_to_dataset import tidy_table_to_dataset
from frem_core.datasets.tables.target_column import TaskChoice


def load_table(
    source: FileSource | pd.DataFrame,
    *,
    target: str,
    sensitive: str,
    features: Sequence[str] | None = None,
    task: TaskChoice = "auto",
    positive_class: str | None = None,
    max_bytes: int = MAX_BYTES,
    progress: Progress | None = None,
    name: str | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
) -> Dataset:
    """Loads a CSV, TSV, Parquet or Excel file, or a DataFrame, as a dataset.

    The rules, each of which is written into ``Dataset.notes`` where it applied:

    * Rows without target or sensitive value are dropped.
    * Text becomes categories; text with more than 100 different values, or different in most
      rows, is left out. So are columns with one value and columns that only number the rows.
    * True and false become 1 and 0, dates become days; a sensitive date becomes years.
    * A missing category is a category of its own; a missing number becomes the median of the
      training rows, later, in `prepare`.

    Args:
        source: a path, an open binary file (such as an upload) or a DataFrame.
        target: column to predict: two classes, or numbers.
        sensitive: continuous column the prediction must not follow.
        features: columns to predict from; all others when not given.
        task: ``"classification"``, ``"regression"``, or ``"auto"``: two distinct values make a
            classification.
        positive_class: which of two classes counts as 1; by default ``yes`` before ``no``, the
            larger number, or the later in the alphabet.
        max_bytes: refuse larger files.
        progress: called as ``progress(fraction, message)``.
        name: what to call the dataset; the file's name when not given.
        encoding: codec of a text file; guessed when not given.
        separator: character between cells of a text file; guessed when not given.
        decimal: decimal mark of a text file; guessed when not given.
        sheet: which sheet of a workbook; the first filled one when not given.

    Returns:
        The dataset, in its own units; `split_dataset` and `prepare` come next.

    Raises:
        DataError: the table cannot be used; the message names column and remedy.

    >>> frame = pd.DataFrame({"age": range(20, 80), "hours": [8, 4] * 30, "paid": [0, 1, 1] * 20})
    >>> load_table(frame, target="paid", sensitive="age").task
    'classification'
    """
    frame = read_table(
        source,
        max_bytes=max_bytes,
        progress=progress,
        encoding=encoding,
        separator=separator,
        decimal=decimal,
        sheet=sheet,
    )
    return tidy_table_to_dataset(
        frame,
        target=target,
        sensitive=sensitive,
        features=features,
        task=task,
        positive_class=positive_class,
        name=name or _name_of(source),
    )


def _name_of(source: FileSource | pd.DataFrame) -> str:
    if isinstance(source, pd.DataFrame):
        return "table"
    path = str(getattr(source, "name", None) or "table") if hasattr(source, "read") else str(source)
    return Path(path).name.split(".")[0] or "table"
