"""Mutual information from nearest neighbours: scikit-learn's numbers in a fraction of its time."""

from functools import lru_cache

import numpy as np
from scipy.special import digamma

from frem_core.metrics.neighbours.plane import Plane
from frem_core.metrics.neighbours.rising_values import Rows
from frem_core.metrics.neighbours.sensitive_runs import SensitiveRuns
from frem_core.types import Floats

# Ties are broken by noise of this relative size, as in scikit-learn.
_NOISE = 1e-10
# Values of s closer than this many sizes of the noise are one value.
_SAME = 1e3
# Times this, a number rounds to the next lower one: numpy.nextafter in a tenth of its time.
_NEXT_LOWER = 1 - 2.0**-53
# Noise is kept for the next call up to so many numbers: 8 MB.
_MOST_KEPT = 2**20


def neighbour_information(
    columns: Floats, s: Floats, *, n_neighbors: int, random_state: int
) -> Floats:
    """Estimates MI(X_k, S) in nats for every column k, at least 0.

    The estimator of Kraskov, Stögbauer and Grassberger (2004): with ε_i the distance of row i to
    its n-th neighbour in the plane (x, s) by the larger of both differences, and n_x, n_s the
    rows nearer than ε_i in x and in s alone,
    ``MI = ψ(n) + ψ(N) - mean ψ(n_x + 1) - mean ψ(n_s + 1)``. The values equal those of
    scikit-learn's ``mutual_info_regression``, which searches trees for everything. Here x and s
    are sorted once: rows nearer than ε are then counted where they stand, and where values of S
    repeat, most neighbours stand next to each other among the rows of the same value.

    Args:
        columns: (N, m), none of them constant.
        s: (N,), not constant.
        n_neighbors: n.
        random_state: seed of the noise that breaks ties.
    """
    level = s / s.std()
    scaled = columns / columns.std(axis=0)
    sizes = _NOISE * np.maximum(1, np.abs(scaled).mean(axis=0))
    size = _NOISE * max(1.0, float(np.abs(level).mean()))
    draw = _kept_standard_normal if scaled.size <= _MOST_KEPT else _standard_normal
    noise, noise_of_s = draw(len(s), len(sizes), random_state)
    runs = SensitiveRuns(level + size * noise_of_s, same=_SAME * size)
    psi = digamma(np.arange(len(s) + 1))
    found = []
    for x, own_size, own_noise in zip(np.ascontiguousarray(scaled.T), sizes, noise, strict=True):
        in_x, in_s = _nearer_rows(x + own_size * own_noise, runs, n_neighbors)
        # Row by row and in this order, so that not even the rounding differs.
        means = psi[in_x].mean(), psi[in_s].mean()
        found.append(psi[-1] + psi[n_neighbors] - means[0] - means[1])
    return np.asarray(found).clip(min=0.0)


def _standard_normal(n_rows: int, n_columns: int, random_state: int) -> tuple[Floats, Floats]:
    """Noise for all columns (m, N) and for s (N,), drawn as scikit-learn does."""
    random = np.random.RandomState(random_state)
    noise = np.ascontiguousarray(random.standard_normal((n_rows, n_columns)).T)
    noise_of_s = random.standard_normal(n_rows)
    noise.flags.writeable = noise_of_s.flags.writeable = False  # every caller may get the same
    return noise, noise_of_s


# One run after the other is evaluated on as many rows: training and test, Z and predictions.
_kept_standard_normal = lru_cache(maxsize=4)(_standard_normal)


def _nearer_rows(x: Floats, runs: SensitiveRuns, n_neighbors: int) -> tuple[Rows, Rows]:
    """Rows (N,) that are nearer than ε in x, and in s; each row itself is one of them."""
    plane = Plane(x, runs)
    # ε is the distance of a row, and that row is not nearer than ε: hence the next lower number.
    radius = plane.neighbour_distance(n_neighbors) * _NEXT_LOWER
    in_x, in_s, along_x = np.empty_like(plane.by_x), np.empty_like(plane.by_x), np.empty_like(x)
    in_s[plane.by_x[plane.by_run]] = runs.within(plane.s, radius)
    along_x[plane.by_run] = radius
    in_x[plane.by_x] = plane.rising.within(plane.rising.values, along_x)
    return in_x, in_s
