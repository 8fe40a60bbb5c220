"""Reads what users hand over as X, in scikit-learn's way, into columns that can be encoded."""

import sys
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from frem_core.datasets import FeatureEncoding
from frem_core.datasets.encoding import MISSING_LEVEL, CategoryColumn, NumberColumn
from frem_core.datasets.scaling import IDENTITY
from frem_core.errors import DataError
from frem_core.estimators.sensitive import as_pandas
from frem_core.methods.method import FEWEST_ROWS

# One 0/1 column a level: a free text column would fill the memory and teach nothing.
MOST_LEVELS = 1000


def training_rows(estimator: BaseEstimator, X: Any) -> pd.DataFrame:
    """Checks X at fit and sets ``n_features_in_`` and, if it has any, ``feature_names_in_``.

    Returns:
        The columns of X under unique names: numbers (missing allowed) or categories.
    """
    X = _tidied(X)
    if not (isinstance(X, pd.DataFrame) and any(not _is_number(dtype) for dtype in X.dtypes)):
        return _numbers(estimator, X, reset=True)
    validate_data(estimator, X, reset=True, skip_check_array=True)
    if len(X) < FEWEST_ROWS:
        raise DataError(f"X has n_samples = {len(X)}; give at least {FEWEST_ROWS} rows.")
    frame = _columns(X, column_names(estimator))
    for name, column in frame.items():
        if not _is_number(column.dtype) and column.nunique() > MOST_LEVELS:
            raise DataError(
                f"Column '{name}' has {column.nunique():,} different values, more than "
                f"{MOST_LEVELS:,}; drop it, group its values, or turn it into a number."
            )
    return frame


def further_rows(estimator: BaseEstimator, X: Any, encoding: FeatureEncoding) -> pd.DataFrame:
    """Checks X after fit: it must have the columns of the fit, in the same order."""
    X = _tidied(X)
    if not any(isinstance(column, CategoryColumn) for column in encoding.columns):
        return _numbers(estimator, X, reset=False)
    if not isinstance(X, pd.DataFrame):
        raise DataError(
            f"{type(estimator).__name__} was fitted on a DataFrame with categories; give a "
            f"DataFrame with the same columns, not {type(X).__name__}."
        )
    validate_data(estimator, X, reset=False, skip_check_array=True)
    return X.set_axis(column_names(estimator), axis=1)


def fitted_encoding(X: Any, features: pd.DataFrame, rows: NDArray[np.int64]) -> FeatureEncoding:
    """How columns become inputs: scaled by what ``rows`` hold; a tensor goes in as it is.

    Whoever hands over a tensor has pixels, token numbers or embeddings for a network of their own.

    Args:
        X: what users gave.
        features: the same as columns.
        rows: those to learn from.
    """
    if is_tensor(X):
        return FeatureEncoding(
            tuple(NumberColumn(str(name), 0.0, IDENTITY) for name in features.columns)
        )
    return FeatureEncoding.fit(features, rows)


def readable_columns(features: pd.DataFrame, encoding: FeatureEncoding) -> pd.DataFrame:
    """Brings a table as users have it into the columns an encoding was fitted on.

    Raises:
        DataError: a column is missing, holds text where numbers were, or infinity.
    """
    names = [column.name for column in encoding.columns]
    missing = [name for name in names if name not in features.columns]
    if missing:
        raise DataError(f"The table lacks the feature columns {', '.join(missing)}.")
    tidied = _tidied(features[names])
    empty = {
        column.name: np.nan
        for column in encoding.columns
        if not isinstance(column, CategoryColumn) and tidied[column.name].isna().all()
    }
    frame = _columns(tidied.assign(**empty), names)
    for column in encoding.columns:
        if not (isinstance(column, CategoryColumn) or _is_number(frame[column.name].dtype)):
            raise DataError(f"Column '{column.name}' held numbers at fit; now it holds text.")
    return frame


def set_columns(estimator: BaseEstimator, encoding: FeatureEncoding, *, named: bool) -> None:
    """Sets on a loaded estimator what `training_rows` sets at fit."""
    estimator.n_features_in_ = len(encoding.columns)
    if named:
        names = [column.name for column in encoding.columns]
        estimator.feature_names_in_ = np.array(names, dtype=object)


def column_names(estimator: BaseEstimator) -> list[str]:
    """The names given at fit, or x0, x1, … when there were none."""
    given = getattr(estimator, "feature_names_in_", None)
    if given is None:
        return [f"x{position}" for position in range(estimator.n_features_in_)]
    return [str(name) for name in given]


def _tidied(X: Any) -> Any:
    """Numbers stored as objects become numbers; dates become days since 1 January 1970.

    A tensor becomes one row of numbers for each of its first dimension.
    """
    if is_tensor(X):
        return X.detach().cpu().reshape(len(X), -1).numpy()
    X = as_pandas(X)
    if not isinstance(X, pd.DataFrame):
        return X
    if not X.columns.is_unique:
        repeated = X.columns[X.columns.duplicated()][0]
        raise DataError(f"X has more than one column called '{repeated}'; rename them.")
    frame = X.infer_objects()
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        plain = _as_numbers(column)
        if plain is not column:
            frame.isetitem(position, plain.to_numpy())
    return frame


def _as_numbers(column: pd.Series) -> pd.Series:
    """Dates and durations as days, ``Decimal`` as numbers; other columns as they are."""
    kind = pd.api.types.infer_dtype(column, skipna=True) if column.dtype == object else ""
    if kind == "decimal":
        return column.where(column.notna(), np.nan).astype(np.float64)
    if kind == "timedelta" or pd.api.types.is_timedelta64_dtype(column.dtype):
        return pd.to_timedelta(column) / pd.Timedelta(days=1)
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if kind in ("date", "datetime") or pd.api.types.is_datetime64_any_dtype(column.dtype):
        dates = pd.to_datetime(column, utc=True)
        return (dates - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)
    return column


def _numbers(estimator: BaseEstimator, X: Any, *, reset: bool) -> pd.DataFrame:
    array = validate_data(
        estimator,
        X,
        reset=reset,
        dtype=np.float64,
        ensure_all_finite="allow-nan",
        ensure_min_samples=FEWEST_ROWS if reset else 1,
    )
    return pd.DataFrame(array, columns=column_names(estimator))


def _columns(X: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    columns = {}
    for position, name in enumerate(names):
        column = X.iloc[:, position].reset_index(drop=True)
        if not _is_number(column.dtype):
            columns[name] = _categories(column)
            continue
        if np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan)).any():
            raise DataError(f"Column '{name}' contains infinity; replace or drop those values.")
        columns[name] = column
    return pd.DataFrame(columns)


def _categories(column: pd.Series) -> pd.Series:
    """A missing category is a category of its own, as `load_table` has it."""
    if not column.isna().any():
        return column
    if isinstance(column.dtype, pd.CategoricalDtype):
        if MISSING_LEVEL not in column.cat.categories:
            column = column.cat.add_categories([MISSING_LEVEL])
        return column.fillna(MISSING_LEVEL)
    return column.astype(object).where(column.notna(), MISSING_LEVEL)


def is_tensor(X: Any) -> bool:
    """Whether it is a ``torch.Tensor``; without torch there is none, and it need not be loaded."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(X, torch.Tensor)


def _is_number(dtype: Any) -> bool:
    return bool(pd.api.types.is_numeric_dtype(dtype))
