"""Reads the target column: two classes, or a number to predict."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.tables.checks import check_finite, listed
from frem_core.errors import ConfigError, DataError, did_you_mean
from frem_core.roles import TASKS
from frem_core.types import Task
from frem_core.words import counted

MIN_CLASS_ROWS = 5
_POSITIVE_WORDS = ("yes", "y", "true", "t", "1", "positive", "pos", "good", "accepted", "approved")


@dataclass(frozen=True, eq=False)
class Target:
    """The target as numbers, with what they mean."""

    values: NDArray[np.float64]
    task: Task
    class_names: tuple[str, str] | None
    notes: tuple[str, ...]


def read_target(name: str, column: pd.Series, task: str, positive_class: str | None) -> Target:
    """Turns a column without missing values into a target.

    With ``task="auto"`` two distinct values make a classification and other numbers a regression.

    Raises:
        DataError: one class only, more than two classes, or text where a number is needed.
    """
    if task not in TASKS:
        raise ConfigError(f"The task is auto, classification or regression, not '{task}'.")
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        raise DataError(
            f"The target column '{name}' holds dates; add a column with the number or class to "
            "predict (for example years, or before/after)."
        )
    numeric = pd.api.types.is_numeric_dtype(column.dtype)
    if numeric:
        check_finite(name, column.to_numpy(dtype=np.float64))
    distinct = column.drop_duplicates()
    if len(distinct) < 2:
        raise DataError(
            f"The target column '{name}' has one value only ({_label(distinct.iloc[0])}); "
            "choose a column with two classes or with varying numbers."
        )
    if task == "classification" or (task == "auto" and len(distinct) == 2):
        return _classes(name, column, distinct, positive_class)
    if not numeric:
        raise _not_two_classes(name, distinct, task)
    return Target(column.to_numpy(dtype=np.float64), "regression", None, ())


def _classes(
    name: str, column: pd.Series, distinct: pd.Series, positive_class: str | None
) -> Target:
    if len(distinct) > 2:
        raise _not_two_classes(name, distinct, "classification")
    first, second = sorted(distinct.tolist(), key=_class_order)
    labels = (_label(first), _label(second))
    if positive_class is not None:
        if str(positive_class) not in labels:
            raise DataError(
                f"'{positive_class}' is no class of '{name}'; the classes are "
                f"{labels[0]} and {labels[1]}." + did_you_mean(str(positive_class), labels)
            )
        if str(positive_class) == labels[0]:
            first, second, labels = second, first, (labels[1], labels[0])
    values = (column == second).to_numpy(dtype=np.float64)
    rarer = int(min(values.sum(), len(values) - values.sum()))
    if rarer < MIN_CLASS_ROWS:
        label = labels[1] if values.sum() == rarer else labels[0]
        raise DataError(
            f"Class '{label}' of the target column '{name}' has {counted(rarer, 'row')}; at "
            "least "
            f"{MIN_CLASS_ROWS} are needed to train and to test."
        )
    note = f"Class 1 is {name} = {labels[1]}, class 0 is {name} = {labels[0]}."
    return Target(values, "classification", labels, (note,))


def _not_two_classes(name: str, distinct: pd.Series, task: str) -> DataError:
    examples = listed((_label(value) for value in distinct.iloc[:9]), most=4)
    if task == "regression":
        return DataError(
            f"The target column '{name}' is text ({examples}); a regression needs numbers."
        )
    return DataError(
        f"The target column '{name}' has {len(distinct):,} classes ({examples}); two are needed. "
        "Merge classes into two, or choose task='regression' if they are numbers."
    )


def _class_order(value: object) -> tuple[bool, float, str]:
    """Sorts the positive class last: yes after no, 1 after 0, else by the alphabet."""
    if isinstance(value, int | float | np.number | np.bool_):
        return (False, float(value), "")
    return (str(value).casefold() in _POSITIVE_WORDS, 0.0, str(value))


def _label(value: object) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)
