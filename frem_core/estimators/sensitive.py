"""Reads what users hand over as ``sensitive_features``."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frem_core.attributes import Attributes, read_attributes
from frem_core.datasets import MinMax
from frem_core.errors import DataError
from frem_core.metrics.inputs import check_rows, number_column

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
        given: what users gave: a column, or a DataFrame or (n, k) in which text, booleans and
            categories count as categories.
        rows: of X.
        estimator: its name in messages.
        may_be_constant: whether one value in all rows will do.

    Raises:
        DataError: they are missing, do not fit the rows, do not vary, or none is a number.
    """
    if given is None:
        raise DataError(_MISSING.format(name=estimator))
    shape = np.shape(given)
    one = len(shape) != 2 or shape[1] == 1
    if one:
        values = sensitive_values(
            given, rows=rows, estimator=estimator, may_be_constant=may_be_constant
        )
        return Attributes(("s",), values.reshape(-1, 1), (None,))
    check_rows({"X": rows, "sensitive_features": shape[0]})
    attributes = read_attributes(given, rows)
    if not attributes.numbers:
        raise DataError(
            f"None of the sensitive_features {', '.join(attributes.names)} is a number; give at "
            "least one continuous attribute."
        )
    for name, column in zip(attributes.names, attributes.values.T, strict=True):
        if column.min() == column.max():
            raise DataError(
                f"The sensitive attribute '{name}' is the same in every row; leave it out."
            )
    return attributes


def scaled_attributes(attributes: Attributes) -> Attributes | None:
    """Numbers scaled to [0, 1] by their range, where there are several attributes; else None."""
    if len(attributes.names) == 1:
        return None
    values = attributes.values.copy()
    for place in attributes.numbers:
        values[:, place] = MinMax.fit(values[:, place]).transform(values[:, place])
    return replace(attributes, values=values)
