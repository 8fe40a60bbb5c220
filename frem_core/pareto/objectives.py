"""What counts as better: each objective has a direction, and everything else follows."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from frem_core.errors import ConfigError, DataError, did_you_mean
from frem_core.types import Floats

Direction = Literal["max", "min"]
Objectives = Mapping[str, Direction]


def signs(directions: Sequence[Direction]) -> Floats:
    """Returns +1 for ``"max"`` and −1 for ``"min"``: what to multiply by so that more is better."""
    for direction in directions:
        if direction not in ("max", "min"):
            raise ConfigError(f"A direction is 'max' or 'min', not {direction!r}.")
    return np.array([1.0 if direction == "max" else -1.0 for direction in directions])


def gains(points: ArrayLike, directions: Sequence[Direction]) -> Floats:
    """Returns points (n, k) with every column turned so that more is better."""
    values = np.asarray(points, dtype=float)
    if values.ndim != 2 or values.shape[1] != len(directions):
        raise DataError(
            f"Points must have the shape (n, {len(directions)}), one column per direction; "
            f"these have {values.shape}."
        )
    return values * signs(directions)


def columns(frame: pd.DataFrame, names: Sequence[str]) -> Floats:
    """Returns columns of a table as numbers (n, k); an absent one raises a ConfigError."""
    require(frame, names)
    return frame[list(names)].to_numpy(dtype=float, na_value=np.nan)


def require(frame: pd.DataFrame, names: Sequence[str]) -> None:
    """Raises a ConfigError for the first of the columns that a table does not have."""
    for name in names:
        if name not in frame.columns:
            raise ConfigError(
                f"The table has no column '{name}'." + did_you_mean(name, map(str, frame.columns))
            )
