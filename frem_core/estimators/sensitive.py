"""Reads what users hand over as ``sensitive_features``."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.attributes import Attributes, read_attributes
from frem_core.errors import DataError
from frem_core.extras import naming_the_extra
from frem_core.metrics.inputs import check_rows, number_column

ONLY = "s"
"""What a single sensitive attribute is called, whatever its column is."""

_MISSING = (
    "{name}.fit needs sensitive_features, one number per row: fit(X, y, sensitive_features=age). "
    "Inside a Pipeline or a search pass it to their fit; with "
    "sklearn.set_config(enable_metadata_routing=True) also call "
    "set_fit_request(sensitive_features=True) on {name}."
)


def sensitive_values(
    given: Any, *, rows: int, estimator: str, may_be_constant: bool = False
) -> NDArray[np.float64]:
    """Returns the sensitive attribute in its own units, (n,).

    Args:
        given: what users gave.
        rows: of X.
        estimator: its name in messages.
        may_be_constant: whether one value in all rows will do.

    Raises:
        DataError: it is missing, not one finite number per row, or does not vary.
    """
    if given is None:
        raise DataError(_MISSING.format(name=estimator))
    shape = np.shape(given)
    if len(shape) == 2 and shape[1] > 1:
        raise DataError(
            f"sensitive_features has {shape[1]} columns; here one continuous attribute is needed. "
            "Give one column."
        )
    s = number_column(given, "sensitive_features")
    check_rows({"X": rows, "sensitive_features": len(s)})
    if s.min() == s.max() and not may_be_constant:
        raise DataError(
            f"sensitive_features is {s[0]:g} in every row; without variation there is nothing to "
            "be fair about. Give a column that varies."
        )
    return s


def sensitive_attributes(
    given: Any, *, rows: int, estimator: str, may_be_constant: bool = False
) -> Attributes:
    """Returns one or several sensitive attributes in their own units.

    Args:
        given: what users gave: a column, or a DataFrame, (n, k) or a list of columns, in which
            text, booleans and categories count as categories.
        rows: of X.
        estimator: its name in messages.
        may_be_constant: whether one value in all rows will do.

    Raises:
        DataError: they are missing, do not fit the rows, do not vary, or none is a number.
    """
    if given is None:
        raise DataError(_MISSING.format(name=estimator))
    given = as_pandas(given)
    if not are_several(given, rows):
        values = sensitive_values(
            given, rows=rows, estimator=estimator, may_be_constant=may_be_constant
        )
        return Attributes((ONLY,), values.reshape(-1, 1), (None,))
    if not isinstance(given, list | tuple):
        check_rows({"X": rows, "sensitive_features": len(given)})
    attributes = read_attributes(given, rows)
    if not attributes.numbers:
        raise DataError(
            f"None of the sensitive_features {', '.join(attributes.names)} is a number; give at "
            "least one continuous attribute."
        )
    for name, column in zip(attributes.names, attributes.values.T, strict=True):
        if column.min() == column.max() and not may_be_constant:
            raise DataError(
                f"The sensitive attribute '{name}' is the same in every row; leave it out."
            )
    return attributes


def as_pandas(given: Any) -> Any:
    """A table or column of another library (polars, Arrow) as one of pandas; others as they are."""
    if isinstance(given, pd.DataFrame | pd.Series) or not hasattr(given, "to_pandas"):
        return given
    with naming_the_extra():  # their own way to pandas is through pyarrow
        return given.to_pandas()


def check_same_order(X: Any, given: Any) -> None:
    """Raises a DataError when both name their rows, the same ones in another order.

    Rows are matched by position, as everywhere in scikit-learn: people would silently get the
    attribute of others.
    """
    rows, own = (getattr(one, "index", None) for one in (X, given))
    if not (isinstance(rows, pd.Index) and isinstance(own, pd.Index)) or rows.equals(own):
        return
    if len(rows) == len(own) and rows.is_unique and own.is_unique and own.isin(rows).all():
        raise DataError(
            "sensitive_features has the rows of X in another order; give "
            "sensitive_features.loc[X.index] or, if they belong together as they stand, "
            "sensitive_features.to_numpy()."
        )


def are_several(given: Any, rows: int) -> bool:
    """Whether users gave more than one attribute: more than one column, or a list of columns."""
    if isinstance(given, list | tuple) and len(given) > 1 and np.ndim(given[0]):
        return {len(column) for column in given} == {rows} or len(given[0]) > 1
    shape = np.shape(given)
    return len(shape) == 2 and shape[1] > 1


def column_name(given: Any) -> str:
    """What a single attribute is called in messages and limits: its column, where it has one."""
    name = given.columns[0] if isinstance(given, pd.DataFrame) else getattr(given, "name", None)
    return ONLY if name is None else str(name)
