"""EIPM with its certainty: whether the whole distribution of predictions changes along S."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from scipy.sparse import csr_array

from frem_core.audit.cells import Cells, Codes
from frem_core.audit.curve import MOST_GROUPS
from frem_core.audit.local_fit import LocalFits
from frem_core.audit.strength import score_intervals
from frem_core.eipm.units import median_scale
from frem_core.kernels import get_kernel
from frem_core.types import Floats

_CELLS = 48
_FEWEST_IN_CELL = 5
_SMALL = 1e-6  # eigenvalues of κ below this share of the largest are noise
_FREQUENCIES = 64  # of the features that stand for a representation of several columns


@dataclass(frozen=True, eq=False)
class _Features:
    """Features of Z whose inner products are κ: exact for one column, random ones for several.

    Attributes:
        table: (levels, D).
        level: which row of the table each row of Z has, (n,).
    """

    table: Floats
    level: Codes

    @classmethod
    def of(cls, z: Floats, sigma: float | str) -> "_Features":
        rows = torch.from_numpy(z)
        scale = float(median_scale(rows[None])) if isinstance(sigma, str) else float(sigma)
        if z.shape[1] > 1:
            feature_map = get_kernel("rbf").feature_map(z.shape[1], _FREQUENCIES, 0)
            mapped = feature_map((rows - rows.mean(dim=0)) / scale)
            return cls(np.asarray(mapped.numpy() * np.sqrt(feature_map.weight)), np.arange(len(z)))
        cells = Cells.along(z[:, 0], np.ones(len(z)), _CELLS)
        kernel = np.exp(-0.5 * ((cells.position[:, None] - cells.position) / scale) ** 2)
        values, vectors = np.linalg.eigh(kernel)
        kept = values > _SMALL * values[-1]
        return cls(vectors[:, kept] * np.sqrt(values[kept]), cells.codes)

    def sums(self, codes: Codes, count: int) -> Floats:
        """Sums of the features by cell, (count, D), each row being in the cell of its code."""
        levels = len(self.table)
        if levels == len(self.level):
            ones = np.ones(len(codes))
            member = csr_array((ones, (codes, self.level)), shape=(count, levels))
            return np.asarray(member @ self.table)
        counts = np.bincount(codes * levels + self.level, minlength=count * levels)
        return np.asarray(counts.reshape(count, levels) @ self.table)


class WholeDistribution:
    """Means of features of Z along S, from which EIPM is read for the data, shuffles and samples.

    Rows enter through sums by cell of S, so that a shuffle costs one count of the rows. Without
    noise EIPM is the root of a mean square; what is taken off is the same for every shuffle, so
    that shuffles and samples are compared by the mean square itself.

    Args:
        z: (n, m).
        s: scaled to [0, 1], (n,).
        gamma: bandwidth on S.
        sigma: scale on Z, or "median".
        noise: "kept" or "removed".
    """

    def __init__(
        self, z: Floats, s: Floats, *, gamma: float, sigma: float | str, noise: str
    ) -> None:
        self._features = _Features.of(z, sigma)
        # Rows of the same cell tell how large the noise is: there must be some in each.
        most = min(_CELLS, max(len(s) // _FEWEST_IN_CELL, MOST_GROUPS))
        self._cells = Cells.along(s, np.ones(len(s)), most)
        position, self._mass = self._cells.position, self._cells.mass
        self._share = self._mass / self._mass.sum()
        near = np.exp(-0.5 * ((position[:, None] - position) / gamma) ** 2) * self._share
        self._near = near / near.sum(axis=1, keepdims=True)
        self._squared = noise == "removed"
        self._means = self._means_of(self._cells.codes)
        self._overall = self._share @ self._means

    def _means_of(self, codes: Codes) -> Floats:
        return self._features.sums(codes, len(self._cells)) / self._mass[:, None]

    def _read(self, apart: Floats, share: Floats) -> Floats:
        """EIPM, or the mean square, from differences smoothed along S, (…, C, D) → (…)."""
        squares = (apart * apart).sum(axis=-1)
        lengths = squares if self._squared else np.sqrt(squares)
        return np.asarray((share * lengths).sum(axis=-1))

    def _length(self, found: Floats) -> Floats:
        """What has no noise, in units of EIPM."""
        return np.sqrt(found) if self._squared else found

    @cached_property
    def observed(self) -> float:
        """Of the data, as shuffles are read."""
        return float(self._read(self._near @ (self._means - self._overall), self._share))

    @cached_property
    def noise(self) -> float:
        """What chance alone adds to the mean square."""
        per_cell = (self._near - self._share) ** 2 @ (1 / self._mass)
        return float(self._share @ per_cell * (self._root**2).sum())

    def shuffled(self, count: int, random: np.random.Generator) -> Floats:
        """The same with S shuffled among the rows, (count,)."""
        codes, near = self._cells.codes, self._near
        return np.array(
            [
                self._read(near @ (self._means_of(one) - self._overall), self._share)
                for one in (random.permutation(codes) for _ in range(count))
            ]
        )

    def in_units(self, values: Floats) -> Floats:
        """Shuffled values as EIPM: without noise the signed root of what is left."""
        if not self._squared:
            return values
        left = values - self.noise
        return np.asarray(np.sign(left) * np.sqrt(np.abs(left)))

    @cached_property
    def _root(self) -> Floats:
        """A root of the features' covariance around their means along S, (D, D)."""
        table, level = self._features.table, self._features.level
        second = table.T @ (table * np.bincount(level, minlength=len(table))[:, None])
        between = self._means.T @ (self._means * self._mass[:, None])
        free = max(len(level) - len(self._cells), 1)
        values, vectors = np.linalg.eigh((second - between) / free)
        return np.asarray((vectors * np.sqrt(values.clip(min=0.0))).T)

    def interval(self, *, n_resamples: int, confidence: float, seed: int) -> tuple[float, float]:
        """Ends of the interval: samples move the means by noise with the features' covariance."""
        mass, share, size = self._mass, self._share, self._means.shape
        fits = LocalFits(
            self._cells.position,
            mass,
            rows=float(mass.sum()),
            within=float((self._root**2).sum()),
            smooth=len(self._cells) > MOST_GROUPS,
        )
        # The noise of single cells is no part of the dependence that is made stronger or weaker.
        smooth = fits.together(self._means)
        found = self._near @ (smooth - share @ smooth)  # (C, D)

        def sample(t: float, part: int) -> Mapping[str, Floats]:
            random = np.random.default_rng([seed, 4, part])
            moved = random.standard_normal((n_resamples, *size)) @ self._root
            moved /= np.sqrt(mass)[:, None]
            moved -= np.einsum("c,bcd->bd", share, moved)[:, None]
            drawn = random.poisson(mass, (n_resamples, len(mass))) / mass.sum()
            return {"eipm": self._read(t * found + self._near @ moved, drawn)}

        def truth(t: float) -> Mapping[str, float]:
            return {"eipm": float(self._length(self._read(t * found, share)))}

        observed = {"eipm": self.observed}
        return score_intervals(observed, sample, truth, confidence=confidence)["eipm"]
