"""Dependence that is left between people who are alike in given columns."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from frem_core.audit.cells import Cells, Codes
from frem_core.audit.chances import p_value
from frem_core.audit.curve import Band, Curve
from frem_core.audit.groups import quantile_groups
from frem_core.audit.strength import score_intervals
from frem_core.errors import DataError
from frem_core.types import Floats
from frem_core.words import counted, per_cent

_GROUPS = {1: 10, 2: 5, 3: 3}  # of a factor of numbers, by the number of such factors
_MOST_LEVELS = 12
_FEWEST = 20  # rows of a stratum; smaller ones are pooled
_ROUNDING = 1e-8


@dataclass(frozen=True, eq=False)
class Strata:
    """Who is compared with whom.

    Attributes:
        codes: rows alike in every factor share a number, (n,).
        design: a 1 and every factor of numbers, centred within its stratum, (n, q): people of one
            stratum still differ in these, and values may follow them along a straight line.
        remarks: who is compared although they differ, in sentences.
    """

    codes: Codes
    design: Floats
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, factors: pd.DataFrame) -> "Strata":
        """Strata of some columns: levels of words, quantile groups of numbers.

        Strata of fewer than 20 rows are pooled into one.
        """
        if factors.isna().to_numpy().any():
            name = str(factors.columns[factors.isna().any().to_numpy()][0])
            raise DataError(
                f"The factor '{name}' has missing values; fill or drop these rows first."
            )
        columns = [factors[name] for name in factors.columns]
        numbers = [one for one in columns if _is_number(one)]
        groups = _GROUPS.get(len(numbers), 2)
        if numbers:  # as many as leave enough rows to each
            room = (len(factors) / (1.5 * _FEWEST)) ** (1 / len(numbers))
            groups = max(min(groups, int(room)), 1)
        codes = np.zeros(len(factors), dtype=np.intp)
        remarks = [_rare_levels(one) for one in columns if not _is_number(one)]
        for column in columns:
            own = _groups_of(column, groups) if _is_number(column) else _levels_of(column)
            _, codes = np.unique(codes * (int(own.max()) + 1) + own, return_inverse=True)
        small = np.bincount(codes) < _FEWEST
        remarks.append(_few_alike(int(small[codes].sum()), len(codes)))
        _, codes = np.unique(np.where(small[codes], codes.max() + 1, codes), return_inverse=True)
        design = [np.ones(len(codes))]
        for column in numbers:
            x = column.to_numpy(dtype=np.float64)
            x = x - (np.bincount(codes, x) / np.bincount(codes))[codes]
            if np.abs(x).max() > _ROUNDING * max(float(np.abs(column).max()), 1e-300):
                design.append(x / x.std())
        told = tuple(filter(None, remarks))
        return cls(np.asarray(codes, dtype=np.intp), np.column_stack(design), told)


def _rare_levels(column: pd.Series) -> str:
    counts = column.astype("str").value_counts()
    if len(counts) <= _MOST_LEVELS:
        return ""
    rare = float(counts.iloc[_MOST_LEVELS - 1 :].sum() / counts.sum())
    return (
        f"'{column.name}' has {len(counts):,} values: the {_MOST_LEVELS - 1} most frequent are "
        f"told apart, and people with any other one ({per_cent(rare)} of the rows) count as alike."
    )


def _few_alike(rows: int, of_all: int) -> str:
    if not rows:
        return ""
    return (
        f"{counted(rows, 'row')} ({per_cent(rows / of_all)}) with fewer than {_FEWEST} alike in "
        "every factor are compared with each other."
    )


def _is_number(column: pd.Series) -> bool:
    return bool(
        pd.api.types.is_numeric_dtype(column)
        and not pd.api.types.is_bool_dtype(column)
        and column.nunique() > _GROUPS[1]
    )


def _groups_of(column: pd.Series, groups: int) -> Codes:
    if groups == 1:
        return np.zeros(len(column), dtype=np.intp)
    return quantile_groups(column.to_numpy(dtype=np.float64), groups).codes


def _levels_of(column: pd.Series) -> Codes:
    codes, levels = pd.factorize(column.astype("str"))
    if len(levels) > _MOST_LEVELS:
        common = np.argsort(-np.bincount(codes))[: _MOST_LEVELS - 1]
        codes = np.where(np.isin(codes, common), codes, len(levels))
    _, dense = np.unique(codes, return_inverse=True)
    return np.asarray(dense, dtype=np.intp)


class AdjustedCurve:
    """The mean along S between alike people: ``E[v | S, stratum k, x] = a_k + b_k·x + g(S)``.

    Every stratum has a level and slopes of its own, g is the local fit to what is left, and all
    are found at once. So people are compared with others of their stratum only, also where strata
    reach over different parts of S. The level of the curve is that of all rows.

    Args:
        values: (n,).
        cells: of S in [0, 1].
        weights: of the rows, (n,).
        strata: of the rows.
        raw: the curve without factors; its span is used.
    """

    def __init__(
        self, values: Floats, cells: Cells, weights: Floats, strata: Strata, raw: Curve
    ) -> None:
        self._raw, self._cells, self._weights, self._strata = raw, cells, weights, strata
        self._count, self._q = int(strata.codes.max()) + 1, strata.design.shape[1]
        products = np.einsum("na,nb->nab", strata.design, strata.design)
        gram = self._by_stratum(weights[:, None, None] * products)  # (K, q, q)
        self._solve = np.linalg.pinv(gram, rcond=_ROUNDING, hermitian=True)
        self._where = strata.codes * len(cells) + cells.codes
        # Cell means less level and slopes of the strata, as sums over cells and over strata.
        design = self._by_both(weights[:, None] * strata.design)  # (K, C, q)
        design = design.transpose(1, 0, 2).reshape(len(cells), -1)  # (C, K·q)
        solve = np.zeros((design.shape[1],) * 2)
        for k, one in enumerate(self._solve):
            solve[k * self._q : (k + 1) * self._q, k * self._q : (k + 1) * self._q] = one
        fit = raw.weights / cells.mass
        mixing = np.eye(len(cells)) - fit @ design @ solve @ design.T
        left = np.linalg.pinv(mixing, rcond=_ROUNDING) @ fit
        whole = np.hstack([left, -left @ design @ solve])  # (C, C + K·q)
        whole -= raw.share @ whole
        whole[:, : len(cells)] += 1 / cells.mass.sum()
        self._matrix = whole
        self.fitted = whole @ self._sums(values)
        self._root = self._error_root(self._spread(values))

    def _by_stratum(self, values: Floats) -> Floats:
        return self._grouped(self._strata.codes, self._count, values)

    def _by_both(self, values: Floats) -> Floats:
        size = self._count * len(self._cells)
        grouped = self._grouped(self._where, size, values)
        return grouped.reshape(self._count, len(self._cells), *values.shape[1:])

    @staticmethod
    def _grouped(codes: Codes, count: int, values: Floats) -> Floats:
        """Sums by group along the first axis."""
        flat = values.reshape(len(codes), -1)
        sums = [np.bincount(codes, column, minlength=count) for column in flat.T]
        return np.asarray(np.stack(sums, axis=1).reshape(count, *values.shape[1:]))

    def _sums(self, values: Floats) -> Floats:
        """All that the fit needs to know of some values, (C + K·q,)."""
        weighed = self._weights * values
        of_strata = self._by_stratum(weighed[:, None] * self._strata.design)
        return np.concatenate([self._cells.sums(weighed), of_strata.ravel()])

    def _without_strata(self, values: Floats) -> Floats:
        """Values less level and slopes of their stratum."""
        sums = self._by_stratum((self._weights * values)[:, None] * self._strata.design)
        own = np.einsum("kab,kb->ka", self._solve, sums)[self._strata.codes]
        return np.asarray(values - (own * self._strata.design).sum(axis=1))

    def _spread(self, values: Floats) -> Floats:
        """Variance of single values around curve and strata, by cell."""
        left = self._without_strata(values - self.fitted[self._cells.codes])
        squares = self._cells.sums(self._weights**2 * left**2)
        used = self._count * self._q + float(np.trace(self._raw.weights))
        free = max(1 - used / self._raw.rows, 0.1)
        return self._raw.fits.spread(squares, self._raw.squares * free)

    def _error_root(self, spread: Floats) -> Floats:
        """A root of the covariance of the fit, (C, C)."""
        design, squares = self._strata.design, self._weights**2
        size = len(self._cells)
        among = np.zeros((self._matrix.shape[1],) * 2)
        among[np.arange(size), np.arange(size)] = spread * self._raw.squares
        cross = self._by_both(squares[:, None] * design) * spread[:, None]  # (K, C, q)
        cross = cross.transpose(1, 0, 2).reshape(size, -1)
        among[:size, size:], among[size:, :size] = cross, cross.T
        products = np.einsum("na,nb->nab", design, design)
        weighed = (squares * spread[self._cells.codes])[:, None, None] * products
        for k, one in enumerate(self._by_stratum(weighed)):
            here = slice(size + k * self._q, size + (k + 1) * self._q)
            among[here, here] = one
        values, vectors = np.linalg.eigh(self._matrix @ among @ self._matrix.T)
        return np.asarray((vectors * np.sqrt(values.clip(min=0.0))).T)

    def _noise(self, part: int) -> Floats:
        random = np.random.default_rng([self._raw.random_state, 7, part])
        size = max(self._raw.n_resamples, 200), len(self._root)
        return np.asarray(random.standard_normal(size) @ self._root)

    def band(self) -> Band:
        """The curve with its simultaneous band."""
        error = np.sqrt((self._root**2).sum(axis=0))
        apart = np.abs(self._noise(0)) / np.where(error > 0, error, np.inf)
        reach = np.quantile(apart.max(axis=1), self._raw.confidence) * error
        return Band(self.fitted, self.fitted - reach, self.fitted + reach)

    def _scores(self, fits: Floats) -> dict[str, Floats]:
        share, seen = self._raw.share, fits[:, self._raw.speaking]
        gap = (share * np.abs(fits - (fits @ share)[:, None])).sum(axis=1)
        return {"gap": gap, "range": np.ptp(seen, axis=1)}

    def scores(self, values: Floats, n_permutations: int, seed: int) -> pd.DataFrame:
        """``gap`` and ``range`` with interval, chance and p-value."""
        observed = self.observed
        centre = float(self._raw.share @ self.fitted)
        found = self.fitted - centre

        def sample(t: float, part: int) -> Mapping[str, Floats]:
            return self._scores(centre + t * found + self._noise(part + 1))

        def truth(t: float) -> Mapping[str, float]:
            exact = self._scores((centre + t * found)[None])
            return {name: float(one[0]) for name, one in exact.items()}

        confidence = self._raw.confidence
        ends = score_intervals(observed, sample, truth, confidence=confidence, room={"range": 1.0})
        nulls = self.by_chance(values, n_permutations, seed)
        rows = [
            (
                *(name, value, *ends[name], float(nulls[name].mean())),
                p_value(value, nulls[name], size=float(np.abs(values).max())),
            )
            for name, value in observed.items()
        ]
        return pd.DataFrame(rows, columns=["score", "value", "low", "high", "chance", "p_value"])

    @property
    def observed(self) -> dict[str, float]:
        """The scores of the data."""
        return {name: float(one[0]) for name, one in self._scores(self.fitted[None]).items()}

    def by_chance(self, values: Floats, count: int, seed: int) -> dict[str, Floats]:
        """Scores of what the strata leave of the values, shuffled among rows of one stratum.

        Weights may go along with values; with weights every row keeps its place, and the signs of
        what is left are drawn instead.
        """
        random = np.random.default_rng([seed, 8])
        codes, left = self._strata.codes, self._without_strata(values)
        order = np.argsort(codes, kind="stable")
        strata = np.split(left[order], np.cumsum(np.bincount(codes))[:-1])
        sums = np.empty((count, self._matrix.shape[1]))
        shuffled = np.empty_like(values)
        for b in range(count):
            if np.ptp(self._weights) > 0:
                shuffled = left * (random.integers(0, 2, len(left)) * 2.0 - 1.0)
            else:
                shuffled[order] = np.concatenate([random.permutation(one) for one in strata])
            sums[b] = self._sums(shuffled)
        return self._scores(sums @ self._matrix.T)
