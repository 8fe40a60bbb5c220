"""Maximal correlation with its certainty, from how predictions spread at each S."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from frem_core.audit.cells import Cells
from frem_core.audit.strength import score_intervals
from frem_core.types import Floats

_CELLS = 48
_DAMPING = 1e-10


class JointTable:
    """Rows counted by cell of S and cell of the prediction; HGR is read off it.

    Args:
        p: predictions, (n,).
        s: sensitive attribute, (n,).
        weights: of the rows, (n,).
        bandwidth: of the density, in standard deviations; by default that of :func:`hgr`.
    """

    def __init__(
        self, p: Floats, s: Floats, weights: Floats, bandwidth: float | None = None
    ) -> None:
        across, along = (Cells.along(one, weights, _CELLS) for one in (p, s))
        self.codes, self.n_cells = (along.codes, across.codes), (len(along), len(across))
        self.weights = weights
        self.rows = float(weights.sum() ** 2 / (weights**2).sum())
        self._bandwidth = self.rows ** (-1 / 6) if bandwidth is None else bandwidth
        centres = np.linspace(-2.5, 2.5, int(min(50, 5 / self._bandwidth)))
        places = [self._standardised(one) for one in (along, across)]
        self._along, self._across = (self._kernel(x, centres) for x in places)
        self._near = [self._kernel(x, x) for x in places]
        self.table = self.count(*self.codes)

    def _standardised(self, cells: Cells) -> Floats:
        share = cells.mass / cells.mass.sum()
        centred = cells.position - share @ cells.position
        return np.asarray(centred / np.sqrt(max(float(share @ centred**2), 1e-300)))

    def _kernel(self, x: Floats, centres: Floats) -> Floats:
        return np.asarray(np.exp(-0.5 * ((x[:, None] - centres) / self._bandwidth) ** 2))

    def count(self, along: NDArray[np.intp], across: NDArray[np.intp]) -> Floats:
        """The table of shares for these cells of the rows, (cells of S, cells of p)."""
        counts = np.bincount(
            along * self.n_cells[1] + across, self.weights, minlength=int(np.prod(self.n_cells))
        )
        return np.asarray(counts.reshape(self.n_cells) / self.weights.sum())

    def shuffled(self, count: int, random: np.random.Generator) -> Floats:
        """Tables of shares with predictions shuffled among the rows, (count, …).

        Where rows weigh the same, a table with these margins is drawn instead (Patefield, 1981):
        that takes as long for a million rows as for a thousand.
        """
        along, across = self.codes
        if np.ptp(self.weights) == 0:
            from scipy.stats import random_table  # takes longer to import than all the rest

            margins = (np.bincount(one) for one in self.codes)
            tables = random_table(*margins).rvs(count, random_state=random)
            return np.asarray(tables / len(along))
        small = across.astype(np.min_scalar_type(self.n_cells[1]))
        shuffles = (random.permutation(small) for _ in range(count))
        return np.array([self.count(along, one) for one in shuffles])

    def hgr(self, tables: Floats) -> Floats:
        """Maximal correlation of many tables, (B, cells of S, cells of p) → (B,)."""
        joint = self._along.T @ tables @ self._across  # (B, centres, centres)
        joint = joint / joint.sum(axis=(1, 2), keepdims=True) + _DAMPING
        scale = np.sqrt(joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True))
        q = joint / scale
        q -= scale  # takes the first singular value, 1, away
        if min(q.shape[1:]) < 2:
            return np.zeros(len(tables))
        return np.asarray(np.sqrt(_largest(q @ q.transpose(0, 2, 1))))

    def interval(self, *, n_resamples: int, confidence: float, seed: int) -> tuple[float, float]:
        """Ends of the interval of HGR."""
        alone = np.outer(self.table.sum(axis=1), self.table.sum(axis=0))
        # Powers of how much likelier each pair is than alone: 0 unties them, 2 ties them doubly.
        smooth = self._near[0] @ self.table @ self._near[1].T + _DAMPING
        tie = smooth * smooth.sum() / np.outer(smooth.sum(axis=1), smooth.sum(axis=0))

        def at(t: float) -> Floats:
            stronger = alone * tie**t
            return np.asarray(stronger / stronger.sum())

        def sample(t: float, part: int) -> Mapping[str, Floats]:
            random = np.random.default_rng([seed, 3, part])
            return {"hgr": self.hgr(_drawn_tables(at(t), self.rows, n_resamples, random))}

        def truth(t: float) -> Mapping[str, float]:
            # Unrelated by construction: what the density's rounding leaves is no correlation.
            return {"hgr": float(self.hgr(at(t)[None])[0]) if t > 0 else 0.0}

        observed = {"hgr": float(self.hgr(self.table[None])[0])}
        return score_intervals(observed, sample, truth, confidence=confidence)["hgr"]


def _drawn_tables(shares: Floats, rows: float, count: int, random: np.random.Generator) -> Floats:
    """Tables of as many rows as there are, drawn row by row or, where that is less, by cell."""
    if rows > 2 * shares.size:
        return random.poisson(rows * shares, (count, *shares.shape)).astype(np.float64)
    size = max(round(rows), 1)
    where = np.searchsorted(np.cumsum(shares.ravel()), random.random((count, size)))
    where = np.minimum(where, shares.size - 1) + shares.size * np.arange(count)[:, None]
    counts = np.bincount(where.ravel(), minlength=count * shares.size)
    return counts.reshape(count, *shares.shape).astype(np.float64)


def _largest(matrices: Floats) -> Floats:
    """Largest eigenvalue of symmetric matrices, (B, k, k) → (B,), by squaring them."""
    scale = np.einsum("bii->b", matrices)
    power = matrices / np.maximum(scale, 1e-300)[:, None, None]
    for _ in range(6):
        power = power @ power
        power /= np.maximum(np.einsum("bii->b", power), 1e-300)[:, None, None]
    # Of the 64th power hardly more than the first direction is left.
    clearest = np.einsum("bii->bi", power).argmax(axis=1)
    vector = power[np.arange(len(power)), :, clearest]
    vector /= np.maximum(np.linalg.norm(vector, axis=1), 1e-300)[:, None]
    return np.asarray(np.einsum("bi,bij,bj->b", vector, matrices, vector).clip(min=0.0))
