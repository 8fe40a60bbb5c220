"""From feature columns to one matrix of numbers: one-hot, median filling, min-max scaling."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.scaling import MinMax
from frem_core.errors import DataError
from frem_core.types import ColumnKind

MISSING_LEVEL = "missing"
"""What a missing category becomes: a category of its own."""
# A value this far outside the training range (in training ranges) tells a network nothing more,
# and would overflow float32 in products.
_FARTHEST = 1e6


@dataclass(frozen=True)
class NumberColumn:
    """A numeric column: a missing value becomes the training median; then min-max.

    Attributes:
        kind: what the column was before it became numbers.
    """

    name: str
    median: float
    scale: MinMax
    kind: ColumnKind = "number"

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the matrix columns this column becomes."""
        return (self.name,)

    def write(self, column: pd.Series, out: NDArray[np.float32]) -> None:
        """Fills ``out`` (n, 1)."""
        values = numbers(column)
        values = np.where(np.isnan(values), self.median, values)
        out[:, 0] = np.clip(self.scale.transform(values), -_FARTHEST, _FARTHEST)


@dataclass(frozen=True)
class CategoryColumn:
    """A column of categories: one 0/1 column a level, all zero for a level not known."""

    name: str
    levels: tuple[str, ...]
    seen: tuple[bool, ...]

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the matrix columns this column becomes."""
        return tuple(f"{self.name}={level}" for level in self.levels)

    def write(self, column: pd.Series, out: NDArray[np.float32]) -> None:
        """Fills ``out`` (n, levels)."""
        codes = level_codes(column, self.levels)
        out[:] = 0.0
        rows = np.flatnonzero(codes >= 0)
        out[rows, codes[rows]] = 1.0
        # A level that no training row has: min-max of a constant column, hence 0.
        out[:, ~np.array(self.seen, dtype=bool)] = 0.0


@dataclass(frozen=True)
class FeatureEncoding:
    """Turns feature columns into the matrix a network reads, as fitted on training rows.

    Attributes:
        columns: how each feature column is encoded, in order.
    """

    columns: tuple[NumberColumn | CategoryColumn, ...]

    @classmethod
    def fit(
        cls,
        features: pd.DataFrame,
        rows: NDArray[np.int64],
        kinds: Mapping[str, ColumnKind] | None = None,
    ) -> "FeatureEncoding":
        """Learns medians, ranges and levels from ``rows`` alone.

        The levels a categorical column declares are kept even when ``rows`` lack one, so that
        every split of a dataset gives the same columns.

        Args:
            features: the feature columns.
            rows: those to learn from.
            kinds: columns that became numbers, by what they were before.
        """
        was = kinds or {}
        return cls(
            tuple(
                _fit_column(name, column, rows, was.get(name, "number"))
                for name, column in _columns(features)
            )
        )

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the matrix columns, e.g. ``"hours-per-week"`` and ``"sex=Female"``."""
        return tuple(output for column in self.columns for output in column.outputs)

    def transform(
        self, features: pd.DataFrame, rows: NDArray[np.int64] | None = None
    ) -> NDArray[np.float32]:
        """Encodes ``rows`` of a table with the same columns; returns (rows, d) float32."""
        missing = [column.name for column in self.columns if column.name not in features.columns]
        if missing:
            raise DataError(f"The table lacks the feature columns {', '.join(missing)}.")
        n_rows = len(features) if rows is None else len(rows)
        matrix = np.empty((n_rows, len(self.feature_names)), dtype=np.float32)
        start = 0
        for column in self.columns:
            values = features[column.name] if rows is None else features[column.name].iloc[rows]
            stop = start + len(column.outputs)
            column.write(values, matrix[:, start:stop])
            start = stop
        return matrix


def one_hot(features: pd.DataFrame) -> pd.DataFrame:
    """Replaces categories by 0/1 columns and leaves numbers in their own units."""
    parts: dict[str, NDArray[np.float64]] = {}
    for name, column in _columns(features):
        if pd.api.types.is_numeric_dtype(column.dtype):
            parts[name] = numbers(column)
            continue
        levels = _levels(column)
        codes = level_codes(column, levels)
        for code, level in enumerate(levels):
            parts[f"{name}={level}"] = (codes == code).astype(np.float64)
    return pd.DataFrame(parts, index=features.index)


def numbers(column: pd.Series) -> NDArray[np.float64]:
    """A numeric column as float64, missing values as NaN."""
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def level_codes(column: pd.Series, levels: tuple[str, ...]) -> NDArray[np.int64]:
    """The position of each value among the levels, −1 where it is none of them."""
    known = pd.Index(levels, dtype=object)
    if isinstance(column.dtype, pd.CategoricalDtype):
        positions = known.get_indexer(column.cat.categories.astype(str).astype(object))
        # One more entry answers the code −1 of a missing value.
        lookup = np.append(positions, -1)
        return lookup[column.cat.codes.to_numpy(dtype=np.int64)].astype(np.int64)
    return level_codes(column.astype("category"), levels)


def _fit_column(
    name: str, column: pd.Series, rows: NDArray[np.int64], kind: ColumnKind
) -> NumberColumn | CategoryColumn:
    fitted = column.iloc[rows]
    if pd.api.types.is_numeric_dtype(column.dtype):
        values = numbers(fitted)
        known = values[~np.isnan(values)]
        median = float(np.median(known)) if len(known) else 0.0
        return NumberColumn(name, median, MinMax.fit(values), kind)
    levels = _levels(column if isinstance(column.dtype, pd.CategoricalDtype) else fitted)
    codes = level_codes(fitted, levels)
    seen = np.bincount(codes[codes >= 0], minlength=len(levels)) > 0
    return CategoryColumn(name, levels, tuple(seen.tolist()))


def _levels(column: pd.Series) -> tuple[str, ...]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return tuple(str(level) for level in column.cat.categories)
    return tuple(sorted({str(value) for value in column.dropna().unique()}))


def _columns(features: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    for position, name in enumerate(features.columns):
        yield str(name), features.iloc[:, position]
