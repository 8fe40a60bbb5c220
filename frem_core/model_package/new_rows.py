"""New rows for a trained model: read as the training rows were, with a word on what is new."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from frem_core.datasets.encoding import MISSING_LEVEL, CategoryColumn, NumberColumn, level_codes
from frem_core.datasets.tables.checks import listed
from frem_core.errors import DataError, did_you_mean
from frem_core.estimators.table_predictor import TablePredictor
from frem_core.words import counted

if TYPE_CHECKING:
    from frem_core.datasets.tables.csv_reader import Progress
    from frem_core.datasets.tables.source import FileSource

_FAR: Final = 0.1  # outside the training range by more than this share of it
_WORDS: Final = {"number": "numbers", "boolean": "true or false", "date": "dates"}
_TRUTHS: Final = ("true", "false", "1", "0")
EMPTY: Final = "(empty)"


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a model says about new rows.

    Attributes:
        frame: one row per row of the table: ``row`` (from 1), columns to keep, ``prediction`` and,
            for a classification, ``probability`` of the positive class, or of each class where
            there are more than two.
        notes: sentences about what the model never saw and what was passed over.
        unseen: rows by column and category that no training row had.
    """

    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    unseen: dict[str, dict[str, int]] = field(default_factory=dict)


def predict_table(
    model: TablePredictor,
    source: "FileSource | pd.DataFrame",
    *,
    keep: Sequence[str] = (),
    progress: "Progress | None" = None,
) -> Predictions:
    """Predicts the rows of a file or frame; the sensitive attribute is not needed.

    Columns are found by name, in any order; others are passed over.

    Args:
        model: from `load_model`.
        source: a CSV, TSV, Parquet or Excel file, an open binary file or a DataFrame.
        keep: columns of the table that go into the answer, such as an identifier.
        progress: called as ``progress(fraction, message)`` while a file is read.

    Raises:
        DataError: a column is missing or holds something else than in training; the message names
            the column, what it held, and the first row that does not fit.
    """
    from frem_core.datasets.tables.read_table import read_table

    columns = model.encoding.columns
    categories = [column.name for column in columns if isinstance(column, CategoryColumn)]
    table = read_table(source, texts={*categories, *keep}, progress=progress)
    if not model.named_columns:
        table = _by_position(table, [column.name for column in columns])
    if not len(table):
        raise DataError("The table has column names but no rows; there is nothing to predict.")
    order_notes = _check_columns(table, [column.name for column in columns], keep)
    features, unseen, notes = {}, {}, list(order_notes)
    filled: list[str] = []
    far: list[str] = []
    for column in columns:
        if isinstance(column, CategoryColumn):
            features[column.name], new = _category(column, table[column.name])
            if new:
                unseen[column.name] = new
            continue
        values = _numbers(column, table[column.name])
        features[column.name] = values
        if (missing := int(values.isna().sum())) > 0:
            filled.append(f"{column.name} ({missing:,})")
        if (outside := _outside(column, values)) > 0:
            far.append(f"{column.name} ({outside:,})")
    notes += [_unseen_words(name, new) for name, new in unseen.items()]
    if filled:
        notes.append(f"Empty cells became the median of the training rows: {listed(filled)}.")
    if far:
        notes.append(f"Rows outside the range seen in training: {listed(far)}.")
    scores = model.score(pd.DataFrame(features))
    answer: dict[str, Any] = {"row": np.arange(1, len(table) + 1)}
    answer |= {name: table[name] for name in keep}
    if model.classes is None:
        answer["prediction"] = scores
    else:
        answer["prediction"] = model.labels_of(scores)
        if scores.ndim == 1:
            answer["probability"] = scores
        else:
            answer |= {
                f"probability of {label}": scores[:, place]
                for place, label in enumerate(model.classes)
            }
    return Predictions(pd.DataFrame(answer), tuple(notes), unseen)


def _by_position(table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """A model that was trained without column names takes columns as they stand."""
    if table.shape[1] != len(names):
        raise DataError(
            f"The model was trained on {counted(len(names), 'column')} without names; the table "
            f"has {table.shape[1]:,}. Give the same columns in the same order."
        )
    return table.set_axis(names, axis=1)


def _check_columns(table: pd.DataFrame, names: list[str], keep: Sequence[str]) -> list[str]:
    there = [str(name) for name in table.columns]
    unknown = [name for name in there if name not in names]
    missing = [name for name in names if name not in there]
    if missing:
        hints = "".join(did_you_mean(name, unknown) for name in missing[:3])
        raise DataError(
            f"The table lacks {len(missing):,} of the {counted(len(names), 'column')} that the "
            f"model reads: {listed(missing)}. It has {listed(there)}.{hints} Does the first row "
            "hold the column names?"
        )
    for name in keep:
        if name not in there:
            raise DataError(
                f"There is no column '{name}' to keep; the table has {listed(there)}."
                + did_you_mean(name, there)
            )
    notes = []
    passed_over = [name for name in unknown if name not in keep]
    if passed_over:
        notes.append(f"Passed over, because the model does not read them: {listed(passed_over)}.")
    if [name for name in there if name in names] != names:
        notes.append("The columns stand in another order than in training; names decided.")
    return notes


def _numbers(column: NumberColumn, given: pd.Series) -> pd.Series:
    if given.isna().all():
        return pd.Series(np.full(len(given), np.nan))
    found = _kind_of(given)
    is_zero_one = (column.scale.low, column.scale.high) == (0.0, 1.0)
    fits = found == column.kind or (
        {found, column.kind} <= {"number", "boolean"} and is_zero_one and _is_zero_one(given)
    )
    if not fits:
        raise _retyped(column, given, found)
    if found == "date":
        from frem_core.datasets.tables.feature_columns import days

        return days(given)
    values = given.astype(np.float64)
    if np.isinf(values).any():
        raise DataError(f"Column '{column.name}' contains infinity; correct or empty those cells.")
    return values


def _kind_of(given: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(given.dtype):
        return "boolean"
    if pd.api.types.is_datetime64_any_dtype(given.dtype):
        return "date"
    return "number" if pd.api.types.is_numeric_dtype(given.dtype) else "text"


def _is_zero_one(given: pd.Series) -> bool:
    return bool(given.dropna().astype(np.float64).isin((0.0, 1.0)).all())


def _retyped(column: NumberColumn, given: pd.Series, found: str) -> DataError:
    held = f"Column '{column.name}' held {_WORDS[column.kind]} in training"
    if found != "text":
        return DataError(f"{held}; here it holds {_WORDS[found]}. Write it as in training.")
    if column.kind == "date":
        fits = pd.to_datetime(given, errors="coerce", format="ISO8601").notna()
    elif column.kind == "boolean":
        fits = given.str.casefold().isin(_TRUTHS)
    else:
        fits = pd.to_numeric(given, errors="coerce").notna()
    stray = ~fits & given.notna()
    row = int(np.flatnonzero(stray)[0]) if stray.any() else int(np.flatnonzero(given.notna())[0])
    return DataError(
        f"{held}; here {counted(int(stray.sum()), 'cell')} cannot be read like that, the first is "
        f"'{str(given.iloc[row])[:40]}' in row {row + 1}. Correct such cells or leave them empty."
    )


def _category(column: CategoryColumn, given: pd.Series) -> tuple[pd.Series, dict[str, int]]:
    """The column with empty cells as a category, and the values that training never had."""
    known = {level for level, seen in zip(column.levels, column.seen, strict=True) if seen}
    texts = given.map(str, na_action="ignore").astype(object)
    values = texts.where(texts.notna(), MISSING_LEVEL).astype("category")
    codes = level_codes(values, column.levels)
    is_known = np.array([*(level in known for level in column.levels), False])[codes]
    strange = texts[~is_known]
    counts = strange.where(strange.notna(), EMPTY).value_counts()
    if len(strange) == len(given) and _looks_like_numbers(strange, column):
        raise DataError(
            f"Column '{column.name}' held text in training, such as "
            f"{listed(sorted(known), most=3)}; here it holds numbers such as {strange.iloc[0]}. "
            "Write it as in training."
        )
    return values, {str(name): int(count) for name, count in counts.items()}


def _looks_like_numbers(strange: pd.Series, column: CategoryColumn) -> bool:
    known = strange.dropna()
    if known.empty or pd.to_numeric(known, errors="coerce").isna().any():
        return False
    return bool(pd.to_numeric(pd.Series(column.levels), errors="coerce").isna().all())


def _outside(column: NumberColumn, values: pd.Series) -> int:
    low, high = column.scale.low, column.scale.high
    margin = _FAR * (high - low)
    return int(((values < low - margin) | (values > high + margin)).sum())


def _unseen_words(name: str, new: dict[str, int]) -> str:
    values = listed([f"{value} ({count:,})" for value, count in new.items()], most=5)
    rows = sum(new.values())
    verb = "holds" if rows == 1 else "hold"
    return (
        f"{counted(rows, 'row')} {verb} a '{name}' that no training row had, counted as none of "
        f"them: {values}."
    )
