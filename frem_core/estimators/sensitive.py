"""Reads what users hand over as ``sensitive_features``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from frem_core.errors import DataError
from frem_core.metrics.inputs import check_rows, number_column

_MISSING = (
    "{name}.fit needs sensitive_features, one number per row: fit(X, y, sensitive_features=age). "
    "Inside a Pipeline or a search pass it to their fit; with "
    "sklearn.set_config(enable_metadata_routing=True) also call "
    "set_fit_request(sensitive_features=True) on {name}."
)


def sensitive_values(given: Any, *, rows: int, estimator: str) -> NDArray[np.float64]:
    """Returns the sensitive attribute in its own units, (n,).

    Raises:
        DataError: it is missing, not one finite number per row, or does not vary.
    """
    if given is None:
        raise DataError(_MISSING.format(name=estimator))
    shape = np.shape(given)
    if len(shape) == 2 and shape[1] > 1:
        raise DataError(
            f"sensitive_features has {shape[1]} columns; FREM takes one continuous attribute. "
            "Give one column."
        )
    s = number_column(given, "sensitive_features")
    check_rows({"X": rows, "sensitive_features": len(s)})
    if s.min() == s.max():
        raise DataError(
            f"sensitive_features is {s[0]:g} in every row; without variation there is nothing to "
            "be fair about. Give a column that varies."
        )
    return s
