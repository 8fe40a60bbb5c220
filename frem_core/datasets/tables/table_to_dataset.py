"""From a file or a frame to a dataset, once the roles of the columns are chosen."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.dataset import Dataset
from frem_core.datasets.tables.checks import check_known, check_not_empty
from frem_core.datasets.tables.csv_reader import Progress
from frem_core.datasets.tables.feature_columns import FeatureCleaner, check_some_left, is_numbering
from frem_core.datasets.tables.read_table import NOTES, read_table
from frem_core.datasets.tables.sensitive_column import read_several
from frem_core.datasets.tables.source import MAX_BYTES, FileSource
from frem_core.datasets.tables.target_column import MOST_CLASSES, read_target
from frem_core.datasets.tables.tidy_frame import retyped
from frem_core.errors import DataError
from frem_core.roles import Roles, RoleSettings

MIN_ROWS = 50


def load_table(
    source: FileSource | pd.DataFrame,
    *,
    max_bytes: int = MAX_BYTES,
    progress: Progress | None = None,
    name: str | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    **roles: Unpack[RoleSettings],
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
        max_bytes: refuse larger files.
        progress: called as ``progress(fraction, message)``.
        name: what to call the dataset; the file's name when not given.
        encoding: codec of a text file; guessed when not given.
        separator: character between cells of a text file; guessed when not given.
        decimal: decimal mark of a text file; guessed when not given.
        sheet: which sheet of a workbook; the first filled one when not given.
        roles: what the columns are for, see `frem_core.roles.Roles`: ``target`` and ``sensitive``,
            and where wanted ``features`` or ``leave_out``, ``task`` and ``positive_class``.

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
    return split_table(frame, _roles(roles), name=name or _name_of(source)).dataset


def table_to_dataset(
    frame: pd.DataFrame, *, name: str = "table", **roles: Unpack[RoleSettings]
) -> Dataset:
    """Makes a dataset from a DataFrame; see `load_table` for the rules.

    Args:
        frame: the table, as from `read_table` or any other.
        name: what to call the dataset.
        roles: what the columns are for, see `frem_core.roles.Roles`.

    Raises:
        DataError: the table cannot be used like this; the message names column and remedy.
    """
    return split_table(read_table(frame), _roles(roles), name=name).dataset


def _roles(given: RoleSettings) -> Roles:
    return Roles(**cast(dict[str, Any], given))


@dataclass(frozen=True, eq=False)
class SplitTable:
    """A table cut into rows to learn from and rows that lack a target or sensitive value.

    Attributes:
        dataset: the usable rows.
        usable: for each row of the table, whether it is one of them.
        rest: the feature columns of the others, cleaned in the same way; empty unless asked for.
    """

    dataset: Dataset
    usable: NDArray[np.bool_]
    rest: pd.DataFrame


def split_table(
    frame: pd.DataFrame, roles: Roles, *, name: str, keep_rest: bool = False
) -> SplitTable:
    """Makes a dataset from a frame that comes from `read_table`.

    Args:
        frame: the table.
        roles: what its columns are for.
        name: what to call the dataset.
        keep_rest: keep the rows that cannot be learned from, as neighbours in a graph.

    Raises:
        DataError: the table cannot be used like this; the message names column and remedy.
    """
    frame = retyped(frame, as_text=roles.as_text, as_numbers=roles.as_numbers)
    target, several = _target_and_sensitive(frame, roles)
    feature_names = _choose_features(frame, target, several, roles)
    cleaner = FeatureCleaner()
    if roles.features is None and not roles.leave_out:
        # Only when the user left the choice to us: a chosen column stays.
        numbering = [column for column in feature_names if is_numbering(column, frame[column])]
        for column in numbering:
            cleaner.leave_out(column, "numbering")
        feature_names = [column for column in feature_names if column not in numbering]
    usable = _usable_rows(frame, target, several)
    rows = frame.loc[usable].reset_index(drop=True)
    sensitive, s, attributes, sensitive_notes = read_several(rows[list(several)])
    y = read_target(
        target, rows[target], roles.task, roles.positive_class, most_classes=MOST_CLASSES
    )
    columns: dict[str, pd.Series] = {}
    for column in feature_names:
        cleaned = cleaner.clean(column, frame[column] if keep_rest else rows[column])
        if cleaned is not None:
            columns[column] = cleaned
    check_some_left(columns, cleaner.notes)
    n_dropped = len(frame) - len(rows)
    happened = "are neighbours only" if keep_rest else "were dropped"
    needed = " or ".join([target, *several])
    dropped = f"{n_dropped:,} of {len(frame):,} rows without {needed} {happened}."
    cleaned_rows = pd.DataFrame(columns)
    dataset = Dataset(
        name=name,
        features=cleaned_rows.loc[usable].reset_index(drop=True) if keep_rest else cleaned_rows,
        target=y.values,
        sensitive=s,
        task=y.task,
        target_name=target,
        sensitive_name=sensitive,
        class_names=y.class_names,
        kinds=cleaner.kinds,
        notes=(
            *frame.attrs.get(NOTES, ()),
            *([dropped] if n_dropped else []),
            *y.notes,
            *sensitive_notes,
            *cleaner.notes,
        ),
        description=f"{name}: {len(rows):,} rows; predicts {target}, with "
        + (
            f"{sensitive} as the sensitive attribute."
            if attributes is None
            else f"{' and '.join(several)} as the sensitive attributes."
        ),
        attributes=attributes,
    )
    rest = cleaned_rows.loc[~usable] if keep_rest else cleaned_rows.iloc[:0]
    return SplitTable(dataset, usable, rest.reset_index(drop=True))


def _target_and_sensitive(frame: pd.DataFrame, roles: Roles) -> tuple[str, tuple[str, ...]]:
    if roles.target is None or roles.sensitive is None:
        raise DataError("Name the target and the sensitive column of the table.")
    columns = [str(column) for column in frame.columns]
    check_known("target", roles.target, columns)
    for name in roles.all_sensitive:
        check_known("sensitive", name, columns)
    if roles.target in roles.all_sensitive:
        raise DataError(f"Column '{roles.target}' cannot be both target and sensitive; choose two.")
    return roles.target, roles.all_sensitive


def _choose_features(
    frame: pd.DataFrame, target: str, several: tuple[str, ...], roles: Roles
) -> list[str]:
    columns = [str(column) for column in frame.columns]
    for name in roles.leave_out:
        check_known("left-out", name, columns)
    if roles.features is None:
        taken = {target, *several, *roles.leave_out}
        return [column for column in columns if column not in taken]
    for name in roles.features:
        check_known("feature", name, columns)
        if name in (target, *several):
            part = "target" if name == target else "sensitive column"
            raise DataError(f"Column '{name}' is the {part}; take it out of the features.")
        if name in roles.leave_out:
            raise DataError(f"Column '{name}' is both a feature and left out; choose one.")
    return list(roles.features)


def _usable_rows(frame: pd.DataFrame, target: str, several: tuple[str, ...]) -> NDArray[np.bool_]:
    for column in (target, *several):
        check_not_empty(column, frame[column])
    usable = frame[[target, *several]].notna().all(axis=1).to_numpy(dtype=bool)
    n_usable = int(usable.sum())
    if n_usable < MIN_ROWS:
        raise DataError(
            f"Only {n_usable} of {len(frame)} rows have both "
            f"{' and '.join(repr(name) for name in (target, *several))}; "
            f"at least {MIN_ROWS} are needed. Add rows or fill these columns."
        )
    return usable


def _name_of(source: FileSource | pd.DataFrame) -> str:
    if isinstance(source, pd.DataFrame):
        return "table"
    path = str(getattr(source, "name", None) or "table") if hasattr(source, "read") else str(source)
    return Path(path).name.split(".")[0] or "table"
