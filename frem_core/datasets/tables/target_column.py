"""Reads the target column: two or more classes, or a number to predict."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.tables.checks import check_finite, listed
from frem_core.errors import ConfigError, DataError, did_you_mean
from frem_core.roles import TASKS
from frem_core.types import Task
from frem_core.words import counted

MIN_CLASS_ROWS = 5
MOST_CLASSES = 20
"""Text with more different values is no target but a name or a remark."""
# What people write for the class they mean, in a few languages.
_POSITIVE_WORDS = frozenset(
    (
        *(
            "yes",
            "y",
            "ja",
            "j",
            "oui",
            "o",
            "sí",
            "si",
            "sì",
            "sim",
            "s",
            "да",
            "tak",
            "ano",
            "áno",
        ),
        *("igen", "evet", "kyllä", "jah", "是", "はい", "예", "نعم", "हाँ", "true", "t", "wahr"),
        *("vrai", "vero", "verdadero", "1", "+", "positive", "positiv", "positif", "pos", "good"),
        *("gut", "bon", "bueno", "accepted", "accept", "approved", "admitted", "hired", "granted"),
        *("pass", "passed", "success", "successful", "won", "high", "hoch", "present", "active"),
        *("bewilligt", "genehmigt", "angenommen", "zugesagt", "bestanden", "eingestellt"),
    )
)
_NEGATIVE_WORDS = frozenset(
    (
        *("no", "n", "nein", "non", "não", "nao", "нет", "nie", "ne", "nem", "hayır", "ei", "否"),
        *("いいえ", "아니요", "لا", "नहीं", "false", "f", "falsch", "faux", "falso", "0", "-"),
        *("negative", "negativ", "neg", "bad", "rejected", "reject", "denied", "declined", "fail"),
        *("failed", "failure", "lost", "low", "niedrig", "absent", "none", "inactive"),
        *("abgelehnt", "verweigert", "abgesagt", "durchgefallen", "schlecht"),
    )
)
_MORE = (">", "≥", "over ", "above ", "more than ", "über ", "mehr als ")
_LESS = ("<", "≤", "under ", "below ", "less than ", "up to ", "unter ", "bis ", "höchstens ")


@dataclass(frozen=True, eq=False)
class Target:
    """The target as numbers, with what they mean."""

    values: NDArray[np.float64]
    task: Task
    class_names: tuple[str, ...] | None
    notes: tuple[str, ...]


def read_target(
    name: str,
    column: pd.Series,
    task: str,
    positive_class: str | None,
    *,
    most_classes: int = 2,
) -> Target:
    """Turns a column without missing values into a target.

    With ``task="auto"`` two distinct values make a classification, as does text with more of them
    where these are allowed; other numbers make a regression.

    Args:
        name: of the column.
        column: its values.
        task: "classification", "regression" or "auto".
        positive_class: which class is coded 1. By default the one that is meant (yes, > 50K).
        most_classes: how many there may be; with more than two, class 1 is the one that charts
            show against all others.

    Raises:
        DataError: one class only, too many, or text where a number is needed.
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
            f"The target column '{name}' has one value only ({class_label(distinct.iloc[0])}); "
            "choose a column with two classes or with varying numbers."
        )
    text_of_classes = not numeric and len(distinct) <= most_classes
    if task == "classification" or (task == "auto" and (len(distinct) == 2 or text_of_classes)):
        if len(distinct) > most_classes:
            raise _too_many_classes(name, distinct, "classification", most_classes)
        return _classes(name, column, distinct, positive_class)
    if not numeric:
        raise _too_many_classes(name, distinct, task, most_classes)
    return Target(column.to_numpy(dtype=np.float64), "regression", None, ())


@dataclass(frozen=True, eq=False)
class Judged:
    """Predictions and, where known, true outcomes as numbers, with what these mean."""

    predictions: NDArray[np.float64]
    outcomes: NDArray[np.float64] | None
    notes: tuple[str, ...]


def read_judged(
    prediction: pd.Series,
    outcome: pd.Series | None = None,
    *,
    task: str = "auto",
    positive_class: str | None = None,
    are_per_cent: bool = False,
) -> Judged:
    """Turns a column of predictions, and one of true outcomes, into numbers for an audit.

    Args:
        prediction: probabilities, numbers or two classes, none of them missing.
        outcome: what turned out to be true, where known.
        task: of the outcome, as for `read_target`.
        positive_class: which class is 1, in each of both columns that has it. Where predictions
            name the same classes as outcomes, the same one is 1 in both.
        are_per_cent: whether predictions were written with a per cent sign: 12 % becomes 0.12.

    Raises:
        DataError: there are classes, and none of this name.
    """
    columns = [prediction] if outcome is None else [prediction, outcome]
    classes = [label for column in columns for label in two_classes(column)]
    if positive_class is not None and classes and positive_class not in classes:
        names = " and ".join(f"'{column.name}'" for column in columns)
        raise DataError(
            f"'{positive_class}' is no class of {names}; the classes are "
            f"{listed(dict.fromkeys(classes), most=4)}." + did_you_mean(positive_class, classes)
        )
    truth = None
    if outcome is not None:
        own = positive_class if positive_class in two_classes(outcome) else None
        truth = read_target(str(outcome.name), outcome, task, own)
    values, notes = _read_prediction(str(prediction.name), prediction, truth, positive_class)
    if are_per_cent:
        values, notes = values / 100, (f"Per cent of '{prediction.name}' became shares.",)
    told = (*notes, *_told_classes(truth))
    return Judged(values, None if truth is None else truth.values, told)


def two_classes(column: pd.Series) -> tuple[str, ...]:
    """The classes of a column that has two; nothing otherwise."""
    distinct = column.drop_duplicates()
    return tuple(map(class_label, distinct)) if len(distinct) == 2 else ()


def _read_prediction(
    name: str, column: pd.Series, target: Target | None, positive_class: str | None
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    labels = two_classes(column)
    if target is not None and labels and set(labels) == set(target.class_names or ()):
        positive_class = (target.class_names or ("", ""))[1]
    if pd.api.types.is_numeric_dtype(column.dtype) and positive_class not in labels:
        values = column.to_numpy(dtype=np.float64)
        check_finite(name, values)
        return values, ()
    if column.nunique() > 2:
        examples = listed((class_label(one) for one in column.drop_duplicates()[:9]), most=4)
        raise DataError(
            f"The predictions in '{name}' are text with {column.nunique():,} different values "
            f"({examples}); give probabilities, numbers or two classes, written alike in all rows."
        )
    read = read_target(
        name, column, "classification", positive_class if positive_class in labels else None
    )
    return read.values, _told_classes(read)


def _told_classes(target: Target | None) -> tuple[str, ...]:
    """Which class is which, unless 0 and 1 say so themselves."""
    if target is None or target.class_names == ("0", "1"):
        return ()
    return target.notes


def _classes(
    name: str, column: pd.Series, distinct: pd.Series, positive_class: str | None
) -> Target:
    ordered = _ordered(distinct.tolist(), column)
    labels = [class_label(value) for value in ordered]
    positive = labels[-1] if positive_class is None else str(positive_class)
    if positive not in labels:
        raise DataError(
            f"'{positive_class}' is no class of '{name}'; the classes are "
            f"{', '.join(labels[:-1])} and {labels[-1]}." + did_you_mean(positive, labels)
        )
    # The others keep their order around it.
    place = labels.index(positive)
    for classes in (ordered, labels):
        classes.insert(1, classes.pop(place))
    values = np.zeros(len(column))
    for number, value in enumerate(ordered):
        rows = (column == value).to_numpy()
        if rows.sum() < MIN_CLASS_ROWS:
            raise DataError(
                f"Class '{labels[number]}' of the target column '{name}' has "
                f"{counted(int(rows.sum()), 'row')}; at least {MIN_CLASS_ROWS} are needed to train "
                "and to test."
            )
        values[rows] = number
    return Target(values, "classification", tuple(labels), (_class_note(name, labels),))


def _class_note(name: str, labels: list[str]) -> str:
    if len(labels) == 2:
        return f"Class 1 is {name} = {labels[1]}, class 0 is {name} = {labels[0]}."
    return (
        f"{name} has {len(labels)} classes: {', '.join(sorted(labels))}. Scores are means over "
        f"each class against all others; charts show {labels[1]}."
    )


def _too_many_classes(name: str, distinct: pd.Series, task: str, most: int) -> DataError:
    examples = listed((class_label(value) for value in distinct.iloc[:9]), most=4)
    if task == "regression":
        return DataError(
            f"The target column '{name}' is text ({examples}); a regression needs numbers."
        )
    allowed = "two are needed" if most == 2 else f"there may be {most} at most"
    return DataError(
        f"The target column '{name}' has {len(distinct):,} classes ({examples}); {allowed}. "
        "Merge classes, or choose task='regression' if they are numbers."
    )


def _ordered(values: list[Any], column: pd.Series) -> list[Any]:
    """By meaning; of those that mean as much, the rarer one comes later: it is looked for."""
    rows = column.value_counts()

    def rank(value: Any) -> tuple[float, float, str]:
        return (_meaning(value), -float(rows[value]), str(value))

    return sorted(values, key=rank)


def _meaning(value: object) -> float:
    """How much a class is the one that is meant: 1 after 0, yes after no, > 50K after <= 50K."""
    if isinstance(value, int | float | np.number | np.bool_):
        return float(value)
    text = str(value).strip().casefold()
    if text in _POSITIVE_WORDS or text.startswith(_MORE):
        return 1.0
    if text in _NEGATIVE_WORDS or text.startswith((*_LESS, "not ", "no ", "non-", "nicht ")):
        return -1.0
    return 0.0


def class_label(value: object) -> str:
    """How a class is called: 1.0 is "1"."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)
