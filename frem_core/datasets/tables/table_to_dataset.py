"""Turns a table into a dataset once target and sensitive column are chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.dataset import Dataset
from frem_core.datasets.tables.checks import check_known, check_not_empty
from frem_core.datasets.tables.feature_columns import FeatureCleaner, check_some_left, is_numbering
from frem_core.datasets.tables.read_table import NOTES, read_table
from frem_core.datasets.tables.sensitive_column import read_sensitive
from frem_core.datasets.tables.target_column import TaskChoice, read_target
from frem_core.errors import DataError

MIN_ROWS = 50


def table_to_dataset(
    frame: pd.DataFrame,
    *,
    target: str,
    sensitive: str,
    features: Sequence[str] | None = None,
    task: TaskChoice = "auto",
    positive_class: str | None = None,
    name: str = "table",
) -> Dataset:
    """Makes a dataset from a DataFrame; see `load_table` for the rules.

    Args:
        frame: the table, as from `read_table` or any other.
        target: column to predict.
        sensitive: continuous column the prediction must not follow.
        features: columns to predict from; all others when not given.
        task: ``"classification"``, ``"regression"`` or ``"auto"``.
        positive_class: which of two classes counts as 1.
        name: what to call the dataset.

    Raises:
        DataError: the table cannot be used like this; the message names column and remedy.
    """
    return tidy_table_to_dataset(
        read_table(frame),
        target=target,
        sensitive=sensitive,
        features=features,
        task=task,
        positive_class=positive_class,
        name=name,
    )


def tidy_table_to_dataset(
    frame: pd.DataFrame,
    *,
    target: str,
    sensitive: str,
    features: Sequence[str] | None,
    task: TaskChoice,
    positive_class: str | None,
    name: str,
) -> Dataset:
    """`table_to_dataset` for a frame that comes from `read_table`."""
    return split_table(
        frame,
        target=target,
        sensitive=sensitive,
        features=features,
        task=task,
        positive_class=positive_class,
        name=name,
    ).dataset


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
    frame: pd.DataFrame,
    *,
    target: str,
    sensitive: str,
    features: Sequence[str] | None,
    task: TaskChoice,
    positive_class: str | None,
    name: str,
    keep_rest: bool = False,
) -> SplitTable:
    """`tidy_table_to_dataset` that can keep the rows it does not use, as neighbours in a graph."""
    target, sensitive = str(target), str(sensitive)
    feature_names = _choose_features(frame, target, sensitive, features)
    cleaner = FeatureCleaner()
    if features is None:
        # Only when the user left the choice to us: a chosen column stays.
        numbering = [column for column in feature_names if is_numbering(column, frame[column])]
        for column in numbering:
            cleaner.leave_out(column, "numbering")
        feature_names = [column for column in feature_names if column not in numbering]
    usable = _usable_rows(frame, target, sensitive)
    rows = frame.loc[usable].reset_index(drop=True)
    s, sensitive_notes = read_sensitive(sensitive, rows[sensitive])
    y = read_target(target, rows[target], task, positive_class)
    columns: dict[str, pd.Series] = {}
    for column in feature_names:
        cleaned = cleaner.clean(column, frame[column] if keep_rest else rows[column])
        if cleaned is not None:
            columns[column] = cleaned
    check_some_left(columns, cleaner.notes)
    n_dropped = len(frame) - len(rows)
    happened = "are neighbours only" if keep_rest else "were dropped"
    dropped = f"{n_dropped:,} of {len(frame):,} rows without {target} or {sensitive} {happened}."
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
        notes=(
            *frame.attrs.get(NOTES, ()),
            *([dropped] if n_dropped else []),
            *y.notes,
            *sensitive_notes,
            *cleaner.notes,
        ),
        description=f"{name}: {len(rows):,} rows; predicts {target}, with {sensitive} as the "
        "sensitive attribute.",
    )
    rest = cleaned_rows.loc[~usable] if keep_rest else cleaned_rows.iloc[:0]
    return SplitTable(dataset, usable, rest.reset_index(drop=True))


def _choose_features(
    frame: pd.DataFrame, target: str, sensitive: str, features: Sequence[str] | None
) -> list[str]:
    columns = [str(column) for column in frame.columns]
    check_known("target", target, columns)
    check_known("sensitive", sensitive, columns)
    if target == sensitive:
        raise DataError(f"Column '{target}' cannot be both target and sensitive; choose two.")
    if features is None:
        return [column for column in columns if column not in (target, sensitive)]
    chosen = [features] if isinstance(features, str) else [str(name) for name in features]
    for name in chosen:
        check_known("feature", name, columns)
        if name in (target, sensitive):
            role = "target" if name == target else "sensitive column"
            raise DataError(f"Column '{name}' is the {role}; take it out of the features.")
    return list(dict.fromkeys(chosen))


def _usable_rows(frame: pd.DataFrame, target: str, sensitive: str) -> NDArray[np.bool_]:
    for column in (target, sensitive):
        check_not_empty(column, frame[column])
    usable = (frame[target].notna() & frame[sensitive].notna()).to_numpy(dtype=bool)
    n_usable = int(usable.sum())
    if n_usable < MIN_ROWS:
        raise DataError(
            f"Only {n_usable} of {len(frame)} rows have both '{target}' and '{sensitive}'; "
            f"at least {MIN_ROWS} are needed. Add rows or fill these columns."
        )
    return usable
