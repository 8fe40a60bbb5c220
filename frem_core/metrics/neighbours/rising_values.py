"""Numbers in rising order, and a table that tells almost at once where another one belongs."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from frem_core.types import Floats

Rows = NDArray[np.intp]

# Cells of the table for each value: most then hold none or one.
_FINENESS = 3
# Values in one cell are walked along, more than this many bisected.
_CROWD = 4
# More than a sum or difference of two numbers errs by, relative to their sizes.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)
# From here on sorting by digits is faster.
_MANY = 2_000


def rising_order(values: Floats) -> Rows:
    """What sorts the values, as ``numpy.argsort`` does.

    Numbers of two bytes numpy sorts by counting instead of comparing: four such digits of the bits
    of a float take two thirds of the time.
    """
    if len(values) < _MANY:
        return np.argsort(values)
    bits = values.view(np.int64)
    # The bits of positive floats rise with them, those of negative ones fall.
    digits = bits ^ ((bits >> 63) | np.int64(-(2**63)))
    order: Rows = np.argsort(digits.astype(np.uint16), kind="stable")
    for _ in range(3):
        digits >>= 16
        order = order[np.argsort(digits.astype(np.uint16)[order], kind="stable")]
    return order


class RisingValues:
    """Values (N,) in rising order.

    Their range is cut into cells of one width. Bisection guesses wrong at every other step, which
    a processor takes long to make good; the first value of a cell is looked up.
    """

    def __init__(self, values: Floats) -> None:
        self.values = values
        self._cells = _FINENESS * len(values)
        self._scale = self._cells / (float(values[-1] - values[0]) or 1.0)
        counts = np.bincount(self._cell(values), minlength=self._cells)
        self._start: Rows = np.zeros(self._cells + 1, dtype=np.intp)
        np.cumsum(counts, out=self._start[1:])
        self._is_crowded = counts > _CROWD

    def _cell(self, numbers: Floats) -> Rows:
        # Never falls where numbers rise, whatever the rounding.
        place = (numbers - self.values[0]) * self._scale
        cell: Rows = place.clip(0, self._cells - 1, out=place).astype(np.intp)
        return cell

    def bracket(self, low: Floats, high: Floats) -> tuple[Rows, Rows]:
        """Start and end of values among which are all from each low to its high number."""
        return self._start[self._cell(low)], self._start[self._cell(high) + 1]

    def within(self, centre: Floats, radius: Floats) -> Rows:
        """How many values lie within the radius of each centre, which is one of them."""
        return count_within(self.values, centre, radius, self._at_most)

    def _at_most(self, numbers: Floats) -> Rows:
        """How many values are below each number, or a few less."""
        cell = self._cell(numbers)
        found = self._start[cell]
        crowded = np.flatnonzero(self._is_crowded[cell])
        found[crowded] = np.searchsorted(self.values, numbers[crowded])
        return found


def count_within(
    values: Floats, centre: Floats, radius: Floats, place: Callable[[Floats], Rows]
) -> Rows:
    """How many of the rising values lie within the radius of each centre, which is one of them.

    Sums and differences round; what counts is the rounded distance, as a tree computes it.

    Args:
        values: (N,).
        centre: (k,).
        radius: (k,).
        place: tells how many values are below some numbers, or a few less.
    """
    # Both ends are looked for a little too low, so that all that may be wrong is to walk up.
    rounding = _ROUNDING * (np.abs(centre) + radius)
    low = place(centre - radius - rounding)
    high = place(centre + radius - rounding)
    low += centre - values[low] > radius  # for most that is enough
    rows = np.flatnonzero(centre - values[low] > radius)
    while len(rows):
        low[rows] += 1
        rows = rows[centre[rows] - values[low[rows]] > radius[rows]]
    endless = np.append(values, np.inf)
    high += endless[high] - centre <= radius
    rows = np.flatnonzero(endless[high] - centre <= radius)
    while len(rows):
        high[rows] += 1
        rows = rows[endless[high[rows]] - centre[rows] <= radius[rows]]
    return high - low
