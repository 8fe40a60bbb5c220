"""Mutual information from nearest neighbours: scikit-learn's numbers in a fraction of its time."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree
from scipy.special import digamma

from frem_core.types import Floats

Rows = NDArray[np.intp]

# Ties are broken by noise of this relative size, as in scikit-learn.
_NOISE = 1e-10
# Values of s closer than this many sizes of the noise are one value.
_SAME = 1e3
# Only few rows are looked up in a tree: a coarse one is built faster than it is slower to search.
_LEAF = 32


def neighbour_information(
    columns: Floats, s: Floats, *, n_neighbors: int, random_state: int
) -> Floats:
    """Estimates MI(X_k, S) in nats for every column k, at least 0.

    The estimator of Kraskov, Stögbauer and Grassberger (2004): with ε_i the distance of row i to
    its n-th neighbour in the plane (x, s) by the larger of both differences, and n_x, n_s the
    rows nearer than ε_i in x and in s alone,
    ``MI = ψ(n) + ψ(N) - mean ψ(n_x + 1) - mean ψ(n_s + 1)``. The values equal those of
    scikit-learn's ``mutual_info_regression``, which searches trees for everything. Here x and s
    are sorted once: rows nearer than ε are then counted by bisection, and where values of S
    repeat, most neighbours stand next to each other among the rows of the same value.

    Args:
        columns: (N, m), none of them constant.
        s: (N,), not constant.
        n_neighbors: n.
        random_state: seed of the noise that breaks ties.
    """
    random = np.random.RandomState(random_state)
    scaled = columns / columns.std(axis=0)
    scaled += (
        _NOISE * np.maximum(1, np.abs(scaled).mean(axis=0)) * random.standard_normal(scaled.shape)
    )
    level = s / s.std()
    noise = _NOISE * max(1.0, float(np.abs(level).mean()))
    level = level + noise * random.standard_normal(len(level))
    sensitive = _SensitiveOrder(level, same=_SAME * noise)
    psi = digamma(np.arange(1, len(s) + 1))
    found = []
    for x in np.ascontiguousarray(scaled.T):
        in_x, in_s = _nearer_rows(x, sensitive, n_neighbors)
        # Row by row and in this order, so that not even the rounding differs.
        means = psi[in_x - 1].mean(), psi[in_s - 1].mean()
        found.append(psi[-1] + psi[n_neighbors - 1] - means[0] - means[1])
    return np.asarray(found).clip(min=0.0)


class _SensitiveOrder:
    """S in rising order, and where its values repeat.

    Attributes:
        order: rows by rising S.
        values: S in that order.
        run: (N,) number of the repeated value of each row; None when hardly any repeats.
        gap: (N,) distance of each row to the nearest other value.
        width: (N,) what the noise makes of rows of one value: their largest distance.
        rows_alike: (N,) how many rows have the value of each row.
    """

    def __init__(self, s: Floats, *, same: float) -> None:
        self.s = s
        self.order: Rows = np.argsort(s, kind="stable")
        self.values = s[self.order]
        starts = np.flatnonzero(np.diff(self.values, prepend=-np.inf) > same)
        self.run: NDArray[np.uint16] | None = None
        if len(starts) * 8 > len(s) or len(starts) > np.iinfo(np.uint16).max:
            return
        ends = np.append(starts[1:], len(s)) - 1
        # Two bytes: these numpy sorts by counting, many times faster than by comparing.
        number = np.repeat(np.arange(len(starts), dtype=np.uint16), ends - starts + 1)
        self.run = np.empty(len(s), dtype=np.uint16)
        self.run[self.order] = number
        below = np.append(-np.inf, self.values[ends[:-1]])[number]
        above = np.append(self.values[starts[1:]], np.inf)[number]
        self.gap = np.empty(len(s))
        self.gap[self.order] = np.minimum(self.values - below, above - self.values)
        self.width = (self.values[ends] - self.values[starts])[self.run]
        self.rows_alike: Rows = (ends - starts + 1)[self.run]

    def within(self, radius: Floats) -> Rows:
        """How many rows (N,) lie within each row's radius, itself included.

        Most often these are all rows of the same value and no other, which needs no search.
        """
        if self.run is None:
            found = np.empty_like(self.order)
            rest = self.order
        else:
            found = self.rows_alike.copy()
            rest = self.order[((radius < self.width) | (radius >= self.gap))[self.order]]
        found[rest] = _within(self.values, self.s[rest], radius[rest])
        return found


def _nearer_rows(x: Floats, sensitive: _SensitiveOrder, n_neighbors: int) -> tuple[Rows, Rows]:
    """Rows (N,) that are nearer than ε in x, and in s; each row itself is one of them."""
    by_x: Rows = np.argsort(x)
    # ε is the distance of a row, and that row is not nearer than ε: hence the next lower number.
    radius = np.nextafter(_neighbour_distance(x, by_x, sensitive, n_neighbors), 0)
    rising, in_x = x[by_x], np.empty_like(by_x)
    in_x[by_x] = _within(rising, rising, radius[by_x])
    return in_x, sensitive.within(radius)


def _within(values: Floats, centre: Floats, radius: Floats) -> Rows:
    """How many of the rising values lie within the radius of each centre, which is one of them."""
    low = np.searchsorted(values, centre - radius, side="left")
    high = np.searchsorted(values, centre + radius, side="right")
    # Sum and difference round; what counts is the rounded distance, as a tree computes it.
    last = len(values) - 1
    while (wrong := centre - values[low] > radius).any():
        low += wrong
    while (wrong := (low > 0) & (centre - values[np.maximum(low - 1, 0)] <= radius)).any():
        low -= wrong
    while (wrong := values[high - 1] - centre > radius).any():
        high -= wrong
    while (wrong := (high <= last) & (values[np.minimum(high, last)] - centre <= radius)).any():
        high += wrong
    return high - low


def _neighbour_distance(
    x: Floats, by_x: Rows, sensitive: _SensitiveOrder, n_neighbors: int
) -> Floats:
    """Distance (N,) of every row to its n-th neighbour in the plane (x, s)."""
    if sensitive.run is None:
        everyone: Rows = by_x
        return _from_tree(x, sensitive.s, everyone, n_neighbors)
    distance, is_sure = _among_same(x, by_x, sensitive, n_neighbors)
    unsure = sensitive.order[~is_sure[sensitive.order]]  # neighbours after each other
    if len(unsure):
        distance[unsure] = _from_tree(x, sensitive.s, unsure, n_neighbors)[unsure]
    return distance


def _from_tree(x: Floats, s: Floats, rows: Rows, n_neighbors: int) -> Floats:
    points = np.column_stack([x, s])
    tree = KDTree(points, leafsize=_LEAF, balanced_tree=False, compact_nodes=False)
    distance = np.full(len(x), np.nan)
    near = np.asarray(tree.query(points[rows], k=[n_neighbors + 1], p=np.inf)[0])  # (rows, 1)
    distance[rows] = near[:, 0]
    return distance


def _among_same(
    x: Floats, by_x: Rows, sensitive: _SensitiveOrder, n_neighbors: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Distance to the n-th neighbour among rows of the same S, and whether that is the answer.

    In the order of x within one value of S, the n nearest are among the n rows on either side,
    unless a row further out is as near as they are, or another value of S is.
    """
    assert sensitive.run is not None
    order = by_x[np.argsort(sensitive.run[by_x], kind="stable")]
    u, s, run = x[order], sensitive.s[order], sensitive.run[order]
    count = len(x)
    beyond = np.full(count, np.inf)
    near = np.full((2 * n_neighbors, count), np.inf)
    for step in range(1, n_neighbors + 2):
        alike = run[step:] == run[:-step]
        across = u[step:] - u[:-step]
        if step > n_neighbors:
            across = np.where(alike, across, np.inf)
            np.minimum(beyond[:-step], across, out=beyond[:-step])
            np.minimum(beyond[step:], across, out=beyond[step:])
        else:
            both = np.where(alike, np.maximum(across, np.abs(s[step:] - s[:-step])), np.inf)
            near[2 * step - 2, :-step] = both
            near[2 * step - 1, step:] = both
    found = np.partition(near, n_neighbors - 1, axis=0)[n_neighbors - 1]
    sure = (found <= beyond) & (found <= sensitive.gap[order])
    distance, is_sure = np.empty(count), np.empty(count, dtype=bool)
    distance[order], is_sure[order] = found, sure
    return distance, is_sure
