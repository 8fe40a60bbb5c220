"""The rows a leakage probe is fitted and scored on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frem_core.errors import ConfigError, DataError
from frem_core.metrics.inputs import check_rows, number_column, number_table
from frem_core.types import Floats

FEWEST_ROWS = 20


@dataclass(frozen=True, eq=False)
class ProbeRows:
    """Representation (n, m), sensitive values (n,) and features (n, d) or None, row by row."""

    z: Floats
    s: Floats
    x: Floats | None

    @classmethod
    def check(cls, z: Any, s: Any, x: ArrayLike | None = None) -> "ProbeRows":
        """Builds rows from arrays; gaps and unequal lengths raise a DataError."""
        table, sensitive = number_table(z, "z"), number_column(s, "s")
        features = None if x is None else number_table(x, "x")
        lengths = {"z": len(table), "s": len(sensitive)}
        check_rows(lengths if features is None else lengths | {"x": len(features)})
        return cls(table, sensitive, features)

    def take(self, rows: NDArray[np.intp]) -> "ProbeRows":
        """Returns the given rows."""
        return ProbeRows(self.z[rows], self.s[rows], None if self.x is None else self.x[rows])

    def split(self, held_out_share: float, random_state: int) -> tuple["ProbeRows", "ProbeRows"]:
        """Returns (rows to fit on, rows held out), drawn at random."""
        if not 0 < held_out_share < 1:
            raise ConfigError(
                f"held_out_share={held_out_share} is not allowed; give a share between 0 and 1."
            )
        order = np.random.default_rng(random_state).permutation(len(self.s))
        cut = round(held_out_share * len(order))
        return self.take(order[cut:]), self.take(order[:cut])


def check_probe_rows(known: ProbeRows, other: ProbeRows) -> None:
    """Raises a DataError unless models fitted on ``known`` can be scored on ``other``."""
    if (known.x is None) != (other.x is None):
        raise DataError("x is given for one part only; give it for both parts or for neither.")
    for name in ("z", "x"):
        first, second = getattr(known, name), getattr(other, name)
        if first is not None and first.shape[1] != second.shape[1]:
            raise DataError(
                f"{name} has {first.shape[1]} columns to fit on, but {second.shape[1]} held out."
            )
    for rows, purpose in ((known, "fit on"), (other, "score on")):
        if len(rows.s) < FEWEST_ROWS:
            raise DataError(
                f"There are {len(rows.s)} rows to {purpose}, but the probe needs at least "
                f"{FEWEST_ROWS}."
            )
        if rows.s.min() == rows.s.max():
            raise DataError(
                f"The sensitive attribute is {rows.s[0]:g} in all rows to {purpose}; there is "
                "nothing to predict."
            )
