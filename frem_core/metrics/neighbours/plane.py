"""Distances to nearest neighbours in a plane of which one coordinate often repeats."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from frem_core.metrics.neighbours.rising_values import RisingValues, Rows, rising_order
from frem_core.metrics.neighbours.sensitive_runs import Groups, SensitiveRuns
from frem_core.types import Floats

# Rows looked at on either side, for each neighbour asked for.
_WINDOW = 8
# With a larger share of unsure rows, a tree is faster at once.
_MOST_UNSURE = 0.3
# So many rows for each one of the table are looked at as fast as a tree is built and searched.
_TREE = 8
# Few points in a leaf are searched faster than many; fewer take longer to build.
_LEAF = 16
# Rows on the edge of a reach are in it, whatever the rounding.
_EDGE = 1 + 1e-9


class Plane:
    """Rows (x, s), whose distance is the larger of both differences.

    Attributes:
        by_x: (N,) rows by rising x.
        rising: x in that order.
        by_run: (N,) what brings that order into the order of runs; where no values of s repeat,
            the two are the same.
        x: (N,) in the order of runs.
        s: (N,) in the order of runs.
    """

    def __init__(self, x: Floats, runs: SensitiveRuns) -> None:
        self._runs = runs
        self.by_x = rising_order(x)
        self.rising = RisingValues(x[self.by_x])
        self._s_by_x = runs.s[self.by_x]
        self.by_run = runs.sorted(self.by_x) if runs.repeats else np.arange(len(x))
        self.x = self.rising.values[self.by_run]
        self.s = self._s_by_x[self.by_run]

    def neighbour_distance(self, n_neighbors: int) -> Floats:
        """Distance (N,) of every row to its n-th neighbour, in the order of runs.

        It is looked for in ever wider surroundings, until nothing outside can be nearer: among
        rows of the same run, then among some of the runs around, then among all within reach.
        """
        runs = self._runs
        if not runs.repeats:
            return self._from_tree(np.arange(len(self.x)), n_neighbors)
        distance = self._among_alike(n_neighbors)
        # Rows as near as the noise are told apart by it, also along s; and where they are as far
        # as another run, rows of that one may be nearer.
        is_unsure = (distance < runs.width) | (distance > runs.gap)
        unsure = np.flatnonzero(is_unsure)
        if len(unsure) > _MOST_UNSURE * len(distance):
            distance[unsure] = self._from_tree(unsure, n_neighbors)
            return distance
        is_second = runs.is_second[runs.number[unsure]]
        for groups, rows in zip(runs.groups, (unsure[~is_second], unsure[is_second]), strict=True):
            if len(rows):
                distance[rows], is_unsure[rows] = self._among_group(rows, groups, n_neighbors)
        unsure = np.flatnonzero(is_unsure)
        if len(unsure):
            distance[unsure] = self._in_reach(unsure, distance[unsure] * _EDGE, n_neighbors)
        return distance

    def _among_alike(self, n_neighbors: int) -> Floats:
        """Distance along x to the n-th neighbour in the same run; infinite where it has fewer.

        With j neighbours on the right and n - j on the left, the last of them is the further of
        both ends; the j that makes it nearest tells the distance.
        """
        count, padded = len(self.x), len(self.x) + 2 * n_neighbors
        # to_left[j][n + i]: from row i to the j-th on its left, which looks j to the right.
        to_left = [np.zeros(padded)] + [np.full(padded, np.inf) for _ in range(n_neighbors)]
        for step in range(1, n_neighbors + 1):
            own = to_left[step][n_neighbors : n_neighbors + count]
            np.subtract(self.x[step:], self.x[:-step], out=own[step:])
            own[self._runs.after_start(step)] = np.inf
        found = np.full(count, np.inf)
        for step in range(n_neighbors + 1):
            left = to_left[n_neighbors - step][n_neighbors : n_neighbors + count]
            right = to_left[step][n_neighbors + step : n_neighbors + step + count]
            np.minimum(found, np.maximum(left, right), out=found)
        return found

    def _among_group(
        self, rows: Rows, groups: Groups, n_neighbors: int
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Looks at the rows of a group that are nearest along x.

        Returns:
            The distance of each row to the n-th neighbour among these, and whether one that was
            not looked at may be nearer.
        """
        half = _WINDOW * n_neighbors
        by_group = groups.sorted(self.by_x)
        place_of = np.empty_like(by_group)
        place_of[by_group] = np.arange(len(by_group))
        place = place_of[self.by_run[rows]]
        along_x = _windows(self.rising.values[by_group], place, half)
        along_s = _windows(self._s_by_x[by_group], place, half)
        along_x -= self.x[rows, None]
        along_s -= self.s[rows, None]
        unseen = groups.room[self._runs.number[rows]]
        for goes_on, edge in (
            (place - half > groups.start[place], -along_x[:, 0]),
            (place + half + 1 < groups.end[place], along_x[:, -1]),
        ):
            unseen = np.where(goes_on, np.minimum(unseen, edge), unseen)
        # In place: fresh memory takes longer than the arithmetic.
        np.maximum(np.abs(along_x, out=along_x), np.abs(along_s, out=along_s), out=along_x)
        along_x.partition(n_neighbors, axis=1)
        found = along_x[:, n_neighbors]  # the first is the row itself
        return found, found > unseen

    def _in_reach(self, rows: Rows, reach: Floats, n_neighbors: int) -> Floats:
        """Distance of some rows to the n-th neighbour, which is known to be within reach.

        All that are near enough along x stand next to each other in one order, all that are near
        enough along s in another: the fewer are looked at.
        """
        x, s = self.x[rows], self.s[rows]
        left, right = self.rising.bracket(x - reach, x + reach)
        first, end = self._runs.bracket(s - reach, s + reach)
        is_fewer = right - left < end - first
        counts = np.where(is_fewer, right - left, end - first)
        if counts.sum() > _TREE * len(self.x):
            return self._from_tree(rows, n_neighbors)
        # One order after the other, so that one number tells order and place.
        starts = np.where(is_fewer, left, len(self.x) + first)
        place = np.arange(counts.sum()) + np.repeat(starts - counts.cumsum() + counts, counts)
        owner = np.repeat(np.arange(len(rows)), counts)
        along_x = np.concatenate([self.rising.values, self.x])[place] - x[owner]
        along_s = np.concatenate([self._s_by_x, self.s])[place] - s[owner]
        distance = np.maximum(np.abs(along_x), np.abs(along_s))
        near = np.flatnonzero(distance <= reach[owner])
        near = near[np.lexsort((distance[near], owner[near]))]
        itself = np.searchsorted(owner[near], np.arange(len(rows)))
        found: Floats = distance[near[itself + n_neighbors]]
        return found

    def _from_tree(self, rows: Rows, n_neighbors: int) -> Floats:
        points = np.column_stack([self.x, self.s])
        tree = cKDTree(points, leafsize=_LEAF, balanced_tree=False, compact_nodes=False)
        near = np.asarray(tree.query(points[rows], k=[n_neighbors + 1], p=np.inf)[0])  # (rows, 1)
        found: Floats = near[:, 0]
        return found


def _windows(values: Floats, place: Rows, half: int) -> Floats:
    """The values around each place, so many on either side; infinity behind the ends."""
    padded = np.empty(len(values) + 2 * half)
    padded[:half] = padded[-half:] = np.inf
    padded[half:-half] = values
    windows: Floats = sliding_window_view(padded, 2 * half + 1)[place]
    return windows
