"""Several sensitive attributes side by side: numbers and categories."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.errors import DataError
from frem_core.types import Floats

ALL_TOGETHER: Final = "joint"
"""What all attributes together are called in tables and in names of scores."""


@dataclass(frozen=True, eq=False)
class Attributes:
    """The sensitive attributes of n people.

    Attributes:
        names: of the d attributes.
        values: ``(n, d)`` float64; a category is the number of its level.
        levels: the levels of each category, and None for an attribute that is a number.
    """

    names: tuple[str, ...]
    values: Floats
    levels: tuple[tuple[str, ...] | None, ...]

    def __len__(self) -> int:
        return len(self.values)

    def of(self, rows: NDArray[Any] | slice) -> "Attributes":
        """Some of the people."""
        return replace(self, values=self.values[rows])

    def alone(self, place: int) -> "Attributes":
        """One of the attributes."""
        return self.chosen((place,))

    def chosen(self, places: Sequence[int]) -> "Attributes":
        """Some of the attributes, in this order."""
        return Attributes(
            tuple(self.names[place] for place in places),
            self.values[:, list(places)],
            tuple(self.levels[place] for place in places),
        )

    def grid(self, steps: int) -> Floats:
        """Every category with every one of ``steps`` even steps of each number, ``(places, d)``."""
        axes = []
        for place, levels in enumerate(self.levels):
            distinct = np.unique(self.values[:, place])
            if levels is not None:
                distinct = np.arange(len(levels), dtype=np.float64)
            elif len(distinct) > steps:
                distinct = np.linspace(distinct[0], distinct[-1], steps)
            axes.append(distinct)
        return np.stack([one.ravel() for one in np.meshgrid(*axes, indexing="ij")], axis=1)

    def places(self, given: Any) -> Floats:
        """Places written as these attributes are, ``(places, d)``; an unknown level is an error."""
        table = pd.DataFrame(given)
        if table.shape[1] != len(self.names):
            raise DataError(f"at must have the columns {', '.join(self.names)}.")
        columns = []
        for place, levels in enumerate(self.levels):
            column = table.iloc[:, place]
            if levels is None:
                columns.append(column.to_numpy(dtype=np.float64))
                continue
            codes = pd.Index(levels).get_indexer(pd.Index(column.astype("str")))
            if (codes < 0).any():
                raise DataError(
                    f"'{self.names[place]}' has no category {column[codes < 0].iloc[0]!r}; it has "
                    f"{', '.join(levels)}."
                )
            columns.append(codes.astype(np.float64))
        return np.stack(columns, axis=1)

    def shown(self, places: Floats) -> pd.DataFrame:
        """Places ``(places, d)`` as users write them: numbers, and the names of levels."""
        columns = {}
        for place, (name, levels) in enumerate(zip(self.names, self.levels, strict=True)):
            numbers = places[:, place]
            columns[name] = (
                numbers if levels is None else np.asarray(levels)[numbers.astype(np.intp)]
            )
        return pd.DataFrame(columns)

    @property
    def categories(self) -> tuple[str, ...]:
        """Names of the attributes that are no numbers."""
        pairs = zip(self.names, self.levels, strict=True)
        return tuple(name for name, levels in pairs if levels is not None)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Places of the attributes that are numbers."""
        return tuple(place for place, levels in enumerate(self.levels) if levels is None)


def read_attributes(given: Any, rows: int) -> Attributes:
    """Reads attributes as users have them.

    Args:
        given: a DataFrame or Series (text, booleans and categories count as categories, dates as
            years), an array ``(n, d)`` or ``(n,)``, a tensor, or a list of columns.
        rows: n.

    Raises:
        DataError: shapes do not fit, or values are missing.
    """
    columns = _columns(given, rows)
    if not columns:
        raise DataError("S has no columns; give at least one sensitive attribute.")
    values, levels = [], []
    for name, column in columns.items():
        if len(column) != rows:
            raise DataError(
                f"The sensitive attribute '{name}' has {len(column)} values but z has {rows} rows; "
                "give one for each row of z."
            )
        numbers, its_levels = _coded(str(name), column)
        values.append(numbers)
        levels.append(its_levels)
    names = tuple(str(name) for name in columns)
    return Attributes(names, np.stack(values, axis=1), tuple(levels))


def _columns(given: Any, rows: int) -> dict[str, pd.Series]:
    if isinstance(given, pd.DataFrame):
        names = [str(name) for name in given.columns]
        _check_names(names)
        return {name: given.iloc[:, place] for place, name in enumerate(names)}
    if isinstance(given, pd.Series):
        return {"s" if given.name is None else str(given.name): given}
    if hasattr(given, "detach"):  # a tensor
        given = given.detach().cpu().numpy()
    if isinstance(given, list | tuple) and len(given) and np.ndim(given[0]):
        lengths = {len(column) for column in given}
        if lengths == {rows}:  # a list of columns, not of rows
            named = [
                str(column.name)
                if isinstance(column, pd.Series) and column.name is not None
                else f"s{place + 1}"
                for place, column in enumerate(given)
            ]
            plain = [
                pd.Series(np.asarray(column)) if not isinstance(column, pd.Series) else column
                for column in given
            ]
            _check_names(named)
            return dict(zip(named, plain, strict=True))
    table = np.asarray(given)
    if table.ndim == 1:
        return {"s": pd.Series(table)}
    if table.ndim != 2:
        raise DataError(
            f"S has shape {table.shape}; give one column for each attribute: (rows, attributes), a "
            "DataFrame or a list of columns."
        )
    columns = {f"s{place + 1}": pd.Series(table[:, place]) for place in range(table.shape[1])}
    if table.dtype.kind in "US":
        for name, column in columns.items():
            if column.nunique() > 2 and not pd.to_numeric(column, errors="coerce").isna().any():
                raise DataError(
                    f"The sensitive attribute '{name}' holds numbers written as text, as numpy "
                    "writes them in one array with text; give a DataFrame or a list of columns."
                )
    return columns


def _check_names(names: list[str]) -> None:
    if len(set(names)) < len(names):
        raise DataError(
            f"Two of the sensitive attributes {', '.join(names)} have the same name; rename one."
        )
    if len(names) > 1 and ALL_TOGETHER in names:
        raise DataError(
            f"A sensitive attribute is called '{ALL_TOGETHER}', as are scores of all attributes "
            "together; rename it."
        )


def _coded(name: str, column: pd.Series) -> tuple[Any, tuple[str, ...] | None]:
    if bool(column.isna().any()):
        raise DataError(
            f"The sensitive attribute '{name}' has missing values; drop those rows first."
        )
    column = column.infer_objects()  # numbers in a column that could hold anything
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return years(column), None
    dtype = column.dtype
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        numbers = column.to_numpy(dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise DataError(
                f"The sensitive attribute '{name}' has infinite values; drop those rows first."
            )
        return numbers.copy(), None
    codes, levels = pd.factorize(column.astype("str"), sort=True)
    return codes.astype(np.float64), tuple(str(level) for level in levels)


def years(dates: pd.Series) -> Floats:
    """Dates as years with a fraction: 1 July 1990 is about 1990.5."""
    year: Floats = dates.dt.year.to_numpy(dtype=np.float64)
    length = np.where(dates.dt.is_leap_year, 366.0, 365.0)
    seconds = dates.dt.hour * 3600 + dates.dt.minute * 60 + dates.dt.second
    day = dates.dt.day_of_year.to_numpy(dtype=np.float64) - 1.0
    year += (day + seconds.to_numpy(dtype=np.float64) / 86_400) / length
    return year
