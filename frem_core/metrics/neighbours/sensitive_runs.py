"""A sensitive attribute whose values repeat: what of nearest neighbours depends on it alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from frem_core.metrics.neighbours.rising_values import RisingValues, Rows, count_within
from frem_core.types import Floats

# With fewer rows for each value of S than this, neighbours seldom have the same value.
_FEWEST_ALIKE = 8
# A group has about so many runs, and more where they are short, up to so many rows.
_GROUP_RUNS, _GROUP_ROWS = 5, 100
# Two bytes: such numbers numpy sorts by counting, many times faster than by comparing.
_Number = np.uint16


class SensitiveRuns:
    """S in rising order, and its runs of rows that are alike but for the noise.

    Rows "in the order of runs" rise by S as long as runs differ, and by something else in a run.

    Attributes:
        s: (N,) by row.
        repeats: whether rows are alike at all; all further attributes need that.
        number: (N,) of the run, in the order of runs.
        gap: (N,) distance to the nearest other run, in the order of runs.
        width: (N,) largest distance within the run, in the order of runs.
        edges: first place of every run, and the place behind the last one.
        lowest: smallest value of every run.
        highest: largest value of every run.
        groups: two ways to take runs together, the edges of one amidst the groups of the other.
        is_second: (runs,) whether the second way leaves more room around a run.
    """

    def __init__(self, s: Floats, *, same: float) -> None:
        self.s = s
        order: Rows = np.argsort(s, kind="stable")
        self._values = values = s[order]
        starts = np.flatnonzero(np.diff(values, prepend=-np.inf) > same)
        runs = len(starts)
        self.repeats = runs * _FEWEST_ALIKE <= len(s) and runs <= np.iinfo(_Number).max
        if not self.repeats:
            self._rising = RisingValues(values)
            return
        self.edges: Rows = np.append(starts, len(s))
        self._after_start: dict[int, Rows] = {}
        sizes = np.diff(self.edges)
        self.number = np.repeat(np.arange(runs, dtype=_Number), sizes)
        self._number_of_row = np.empty(len(s), dtype=_Number)
        self._number_of_row[order] = self.number
        self._alike: Rows = np.repeat(sizes, sizes)
        self.lowest, self.highest = values[starts], values[self.edges[1:] - 1]
        apart = self.lowest[1:] - self.highest[:-1]
        self.gap = np.minimum(np.append(np.inf, apart), np.append(apart, np.inf))[self.number]
        self.width = (self.highest - self.lowest)[self.number]
        share = np.minimum(1 / _GROUP_RUNS, sizes / _GROUP_ROWS)
        middle = share.cumsum() - share / 2
        self.groups = [self._grouped(middle), self._grouped(middle + 0.5)]
        self.is_second = self.groups[1].room > self.groups[0].room

    def _grouped(self, middle: Floats) -> "Groups":
        of_run = middle.astype(_Number)
        first = np.searchsorted(of_run, of_run)
        last = np.searchsorted(of_run, of_run, side="right")
        below = np.append(-np.inf, self.highest)[first]
        above = np.append(self.lowest, np.inf)[last]
        return Groups(
            of_row=of_run[self._number_of_row],
            start=self.edges[first][self.number],
            end=self.edges[last][self.number],
            room=np.minimum(self.lowest - below, above - self.highest),
        )

    def after_start(self, count: int) -> Rows:
        """The first so many places of every run."""
        if count not in self._after_start:
            places = self.edges[:-1, None] + np.arange(count)
            self._after_start[count] = np.unique(places.clip(max=len(self.s) - 1))
        return self._after_start[count]

    def bracket(self, low: Floats, high: Floats) -> tuple[Rows, Rows]:
        """Start and end of the runs in which all values from each low to its high one are."""
        first = np.searchsorted(self.highest, low)
        end = np.searchsorted(self.lowest, high, side="right")
        return self.edges[first], self.edges[end]

    def sorted(self, rows: Rows) -> Rows:
        """What brings rows into the order of runs, those of a run as they come."""
        by_run: Rows = np.argsort(self._number_of_row[rows], kind="stable")
        return by_run

    def within(self, s: Floats, radius: Floats) -> Rows:
        """How many rows lie within the radius of each row, itself included, in the order of runs.

        Most often these are all rows of the same value and no other, which needs no search.
        """
        if not self.repeats:
            return self._rising.within(s, radius)
        found = self._alike.copy()
        rest = np.flatnonzero((radius < self.width) | (radius >= self.gap))
        # Bisected: values of one run are too close together for a table.
        found[rest] = count_within(self._values, s[rest], radius[rest], self._values.searchsorted)
        return found


@dataclass(frozen=True)
class Groups:
    """Neighbouring runs taken together.

    Attributes:
        of_row: (N,) number of each row's group.
        start: (N,) first place of the group, for rows in the order of groups.
        end: (N,) the place behind its last one.
        room: (runs,) distance of a run to the nearest value outside its group.
    """

    of_row: NDArray[np.uint16]
    start: Rows
    end: Rows
    room: Floats

    def sorted(self, rows: Rows) -> Rows:
        """What brings rows into the order of groups, those of a group as they come."""
        by_group: Rows = np.argsort(self.of_row[rows], kind="stable")
        return by_group
