"""What callers hand to an audit, checked once."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from frem_core.attributes import years
from frem_core.audit.result import Kind
from frem_core.errors import ConfigError, DataError
from frem_core.metrics.inputs import check_rows, number_column, row_weights
from frem_core.types import Floats
from frem_core.words import counted, listed

FEWEST_AUDITED: Final = 10
MOST_ROWS: Final = 10_000
"""Nearest neighbours and kernels of pairs look at as many random rows at most."""


@dataclass(frozen=True, eq=False)
class Given:
    """Checked rows.

    Attributes:
        p: predictions, (n,).
        s: sensitive attribute in its own units, (n,).
        y: true outcomes, (n,), or None.
        weights: what each row counts, (n,).
        kept: rows with a weight above 0, of those that were given.
        kind: what the predictions are.
    """

    p: Floats
    s: Floats
    y: Floats | None
    weights: Floats
    kept: np.ndarray
    kind: Kind

    @classmethod
    def read(
        cls,
        y_true: ArrayLike | None,
        y_pred: ArrayLike,
        sensitive: ArrayLike | pd.DataFrame,
        sample_weight: ArrayLike | None,
        positive_label: Any,
    ) -> "Given":
        """Checks what was given; a DataError says what cannot be used."""
        if isinstance(sensitive, pd.DataFrame) and sensitive.shape[1] != 1:
            raise DataError(
                f"sensitive_features has {sensitive.shape[1]} columns; use audit_attributes(), "
                "which takes several."
            )
        p = _outcome(y_pred, "y_pred", positive_label)
        s = _sensitive(sensitive)
        y = None if y_true is None else _outcome(y_true, "y_true", positive_label)
        if y is not None and p.min(initial=0.0) >= 0 and p.max(initial=1.0) <= 1:
            y = _coded(y, positive_label)
        lengths = {"y_pred": len(p), "sensitive_features": len(s)}
        if y is not None:
            lengths["y_true"] = len(y)
        check_rows(lengths, fewest=FEWEST_AUDITED)
        given = row_weights(sample_weight, len(p))
        weights = np.ones(len(p)) if given is None else given
        kept = weights > 0
        check_rows({"rows with a weight": int(kept.sum())}, fewest=FEWEST_AUDITED)
        y = None if y is None else y[kept]
        return cls(p[kept], s[kept], y, weights[kept], kept, _kind(p[kept], y))


def _sensitive(values: ArrayLike | pd.DataFrame) -> Floats:
    """Numbers as they are, dates as years; groups in words have no values to go along."""
    column = values.iloc[:, 0] if isinstance(values, pd.DataFrame) else values
    if not isinstance(column, pd.Series):
        array = np.asarray(column)
        column = pd.Series(array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array)
    column = column.infer_objects()
    if pd.api.types.is_numeric_dtype(column.dtype) or column.isna().any():
        return number_column(column, "sensitive_features")
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    elif column.dtype == object and all(isinstance(one, date) for one in column):
        column = pd.to_datetime(column)
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return years(column)
    numbers = pd.to_numeric(column.astype("object"), errors="coerce")
    if numbers.isna().any():
        some = [repr(one) for one in pd.unique(column.astype("str"))[:3]]
        raise DataError(
            f"sensitive_features holds text such as {listed(some)}; an audit goes along numbers or "
            "dates. Give each group a number (up to 10 are compared as they are), or audit the "
            "groups beside a number with audit_attributes()."
        )
    return number_column(numbers, "sensitive_features")


def _outcome(values: ArrayLike, name: str, positive_label: Any) -> Floats:
    """Numbers as they are; two classes in words, or -1 and 1, as 0 and 1."""
    column = np.asarray(values)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1 or column.dtype.kind in "biuf":
        numbers = number_column(column, name)
        signs = np.array_equal(np.unique(numbers), (-1.0, 1.0)) and positive_label in (-1, 1)
        return np.asarray(numbers == positive_label, np.float64) if signs else numbers
    known = pd.Series(column)
    if known.isna().any():
        raise DataError(
            f"{name} has {counted(int(known.isna().sum()), 'missing value')}, the first in row "
            f"{int(known.isna().to_numpy().argmax())}; drop or fill these rows first."
        )
    classes = pd.unique(known).tolist()
    if all(isinstance(one, int | float | np.number | Decimal) for one in classes):
        return number_column(column, name)
    if len(classes) > 2:
        raise DataError(
            f"{name} holds {len(classes)} classes such as {listed([*map(repr, classes[:3])])}; "
            "audit one at a time: give 1 where it is the class you ask about, else 0."
        )
    # A class that never happened is fine, as long as the one that did is of its sort.
    if positive_label not in classes and not (
        len(classes) == 1 and isinstance(positive_label, type(classes[0]))
    ):
        raise DataError(
            f"{name} holds {classes}; pass positive_label= with the one that counts as 1."
        )
    return np.asarray(column == positive_label, dtype=np.float64)


def _coded(y: Floats, positive_label: Any) -> Floats:
    """Two classes that are called, say, 1 and 2 as 0 and 1; other outcomes as they are."""
    classes = np.unique(y)
    if len(classes) != 2 or np.isin(classes, (0.0, 1.0)).all():
        return y
    if positive_label not in classes or positive_label == 1:
        raise DataError(
            f"y_true holds {classes[0]:g} and {classes[1]:g} where predictions lie between 0 and "
            "1: give 1 for the class that was predicted and 0 for the other."
        )
    return np.asarray(y == positive_label, dtype=np.float64)


def _kind(p: Floats, y: Floats | None) -> Kind:
    """What predictions are; numbers between 0 and 1 are no probabilities of other numbers."""
    if np.isin(p, (0.0, 1.0)).all():
        return "decision"
    of_classes = y is None or np.isin(y, (0.0, 1.0)).all()
    return "probability" if of_classes and p.min() >= 0 and p.max() <= 1 else "number"


def drawn_rows(weights: Floats, weighted: bool, seed: int) -> np.ndarray:
    """All rows, or random ones: in proportion to their weights, and not too many."""
    random = np.random.default_rng([seed, 14])
    rows = np.arange(len(weights))
    if weighted:
        rows = rows[random.random(len(rows)) * weights.max() < weights]
        if len(rows) < FEWEST_AUDITED:
            raise DataError(
                "A few rows carry nearly all the weight: too few are left to compare pairs of "
                "rows. Cap the largest weights."
            )
    if len(rows) > MOST_ROWS:
        # As evaluations draw them, so that scores agree.
        chosen = np.random.default_rng(0).choice(len(rows), size=MOST_ROWS, replace=False)
        rows = rows[np.sort(chosen)]
    return rows


def factor_table(factors: ArrayLike | pd.DataFrame, n_rows: int) -> pd.DataFrame:
    """Factors as a table with names."""
    if isinstance(factors, pd.Series):
        factors = factors.to_frame(factors.name if factors.name is not None else "factor 1")
    if not isinstance(factors, pd.DataFrame):
        array = np.asarray(factors)
        array = array[:, None] if array.ndim == 1 else array
        factors = pd.DataFrame(array, columns=[f"factor {k + 1}" for k in range(array.shape[1])])
    check_rows({"y_pred": n_rows, "factors": len(factors)})
    if factors.shape[1] == 0:
        raise ConfigError("factors has no column; leave it out, or name at least one.")
    if not factors.columns.is_unique:
        raise DataError("Two factors have the same name; rename one.")
    return factors.reset_index(drop=True)


def name_of(values: object, default: str) -> str:
    """The name that a Series or the column of a table brings along."""
    if isinstance(values, pd.DataFrame):
        return str(values.columns[0])
    name = getattr(values, "name", None)
    return default if name is None else str(name)
