"""The sensitive attribute on one scale, cut into cells so fine that nothing is lost to them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from frem_core.errors import ConfigError, DataError
from frem_core.types import Floats

Codes = NDArray[np.intp]

MOST_CELLS = 100
"""Half of them hold equally many rows, half are equally wide: crowds and tails both show."""


@dataclass(frozen=True)
class Scale:
    """The rule by which every score sees S: ``(s - low) / (high - low)``.

    Attributes:
        low: the value that stands for 0; the smallest one by default.
        high: the value that stands for 1; the largest one by default.
    """

    low: float
    high: float

    @classmethod
    def of(cls, s: Floats, given: tuple[float, float] | None = None) -> "Scale":
        """The scale of these values, or the one that is given."""
        low, high = (float(s.min()), float(s.max())) if given is None else given
        if not low < high:
            if given is None:
                raise DataError(
                    f"The sensitive attribute is {low:g} in every row; nothing can depend on it."
                )
            raise ConfigError(f"sensitive_range is {given}; give (smallest, largest).")
        outside = int(((s < low) | (s > high)).sum())
        if outside:
            raise DataError(
                f"{outside} sensitive values lie outside sensitive_range {given}: they run from "
                f"{s.min():g} to {s.max():g}. Widen the range, or leave it out."
            )
        return cls(float(low), float(high))

    def to_unit(self, s: Floats) -> Floats:
        """Values in [0, 1]."""
        return np.clip((s - self.low) / (self.high - self.low), 0.0, 1.0)

    def from_unit(self, x: Floats) -> Floats:
        """Values in their own units."""
        return self.low + x * (self.high - self.low)


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows by cell along one column.

    Attributes:
        position: mean value of the rows of each cell, rising, (C,).
        codes: cell of each row, (n,).
        mass: sum of weights of each cell, (C,).
        is_exact: whether every cell holds one value only.
    """

    position: Floats
    codes: Codes
    mass: Floats
    is_exact: bool

    @classmethod
    def along(cls, x: Floats, weights: Floats, most: int = MOST_CELLS) -> "Cells":
        """Cells of a column: its distinct values, or as many cells as are allowed."""
        values, codes = np.unique(x, return_inverse=True)
        is_exact = len(values) <= most
        if not is_exact:
            inner = np.linspace(0, 1, most // 2 + 1)[1:-1]
            even = x.min() + inner * np.ptp(x)
            edges = np.unique(np.concatenate([np.quantile(values[codes], inner), even]))
            _, codes = np.unique(np.searchsorted(edges, x, side="right"), return_inverse=True)
        mass = np.bincount(codes, weights).astype(np.float64)
        position = values if is_exact else np.bincount(codes, weights * x) / mass
        return cls(position, codes, mass, is_exact)

    def __len__(self) -> int:
        return len(self.position)

    def sums(self, values: Floats) -> Floats:
        """Sums of values by cell, (C,)."""
        sums = np.bincount(self.codes, values, minlength=len(self))
        return sums.astype(np.float64)

    @cached_property
    def rows(self) -> Codes:
        """How many rows each cell holds, whatever they weigh, (C,)."""
        return np.bincount(self.codes, minlength=len(self))

    def shuffled_sums(self, values: Floats, count: int, random: np.random.Generator) -> Floats:
        """Sums by cell of values shuffled among all rows, (count, C).

        Of two different values a shuffle need not be made: how many rows of each cell get the
        larger one is drawn at once.
        """
        low, high = float(values.min()), float(values.max())
        is_high = values == high
        if (is_high | (values == low)).all():
            drawn = random.multivariate_hypergeometric(
                self.rows, int(is_high.sum()), size=count, method="marginals"
            )
            return np.asarray(low * self.rows + (high - low) * drawn)
        # Shuffling the cells of the rows is the same, and they are far smaller than values.
        small = self.codes.astype(np.min_scalar_type(len(self)))
        shuffles = (random.permutation(small) for _ in range(count))
        return np.array([np.bincount(one, values, minlength=len(self)) for one in shuffles])

    def signed_sums(self, values: Floats, count: int, random: np.random.Generator) -> Floats:
        """Sums by cell of values, each with a sign that is drawn, (count, C)."""
        rows, total, sums = len(values), self.sums(values), np.empty((count, len(self)))
        for one in sums:
            bits = np.frombuffer(random.bytes(rows // 8 + 1), dtype=np.uint8)
            one[:] = 2 * self.sums(values * np.unpackbits(bits, count=rows)) - total
        return sums
