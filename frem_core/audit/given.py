"""What callers hand to an audit, checked once."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from frem_core.audit.result import Kind
from frem_core.errors import ConfigError, DataError
from frem_core.metrics.inputs import check_rows, number_column, row_weights
from frem_core.types import Floats

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
        s = number_column(sensitive, "sensitive_features")
        y = None if y_true is None else _outcome(y_true, "y_true", positive_label)
        lengths = {"y_pred": len(p), "sensitive_features": len(s)}
        if y is not None:
            lengths["y_true"] = len(y)
        check_rows(lengths, fewest=FEWEST_AUDITED)
        given = row_weights(sample_weight, len(p))
        weights = np.ones(len(p)) if given is None else given
        kept = weights > 0
        check_rows({"rows with a weight": int(kept.sum())}, fewest=FEWEST_AUDITED)
        y = None if y is None else y[kept]
        return cls(p[kept], s[kept], y, weights[kept], kept, _kind(p[kept]))


def _outcome(values: ArrayLike, name: str, positive_label: Any) -> Floats:
    """Numbers as they are; two classes in words as 0 and 1."""
    column = np.asarray(values)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.dtype.kind in "biuf":
        return number_column(column, name)
    classes = pd.unique(pd.Series(column)).tolist()
    if len(classes) > 2 or pd.isna(pd.Series(column)).any():
        return number_column(column, name)  # says what is wrong
    if positive_label not in classes:
        raise DataError(
            f"{name} holds {classes}; pass positive_label= with the one that counts as 1."
        )
    return np.asarray(column == positive_label, dtype=np.float64)


def _kind(p: Floats) -> Kind:
    if np.isin(p, (0.0, 1.0)).all():
        return "decision"
    return "probability" if p.min() >= 0 and p.max() <= 1 else "number"


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
    return factors.reset_index(drop=True)


def name_of(values: object, default: str) -> str:
    """The name that a Series or the column of a table brings along."""
    if isinstance(values, pd.DataFrame):
        return str(values.columns[0])
    name = getattr(values, "name", None)
    return default if name is None else str(name)
