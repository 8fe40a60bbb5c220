"""Every score with its interval, its chance level and its p-value."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from frem_core.audit.cells import Cells
from frem_core.audit.curve import CURVE_SCORES, Curve
from frem_core.audit.information import information_interval
from frem_core.audit.joint import JointTable
from frem_core.audit.whole_distribution import WholeDistribution
from frem_core.eipm import eipm, eipm_test
from frem_core.metrics import hgr, mutual_information
from frem_core.types import Floats

GAMMA: Final = 0.05
"""Bandwidth of EIPM on the scaled attribute."""
_ROUNDING: Final = 1e-9
_FEW: Final = 300

Row = tuple[float, ...]
"""value, low, high, chance, p-value, and what 95 % of shuffles stay below."""
_NOTHING: Row = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0)  # what does not vary follows nothing


class Chances:
    """Measures scores with what is known about their certainty.

    Args:
        resamples: behind each interval.
        permutations: shuffles behind each chance level and p-value.
        confidence: of intervals.
        seed: of all of it.
    """

    def __init__(self, resamples: int, permutations: int, confidence: float, seed: int) -> None:
        self.resamples, self.permutations = resamples, permutations
        self.confidence, self.seed = confidence, seed

    def curve(
        self, values: Floats, cells: Cells, weights: Floats, offset: Floats | None = None
    ) -> Curve:
        """The curve of some values."""
        return Curve(
            values,
            cells,
            weights,
            n_resamples=self.resamples,
            confidence=self.confidence,
            random_state=self.seed,
            offset=offset,
        )

    def of_curve(
        self,
        fit: Curve,
        values: Floats,
        cells: Cells,
        weights: Floats,
        *,
        even_spread: bool = True,
        wanted: Sequence[str] = CURVE_SCORES,
    ) -> dict[str, Row]:
        """The scores that are read off a curve.

        Args:
            fit: the curve of the values.
            values: (n,).
            cells: of S.
            weights: of the rows, (n,).
            even_spread: whether rows may be shuffled, see :meth:`by_chance`.
            wanted: which scores.
        """
        nulls = self.by_chance(fit, values, cells, weights, even_spread=even_spread)
        rows = {}
        for name, ends in fit.intervals(wanted).items():
            row = self._row(
                fit.observed[name],
                ends,
                nulls[name],
                falling=name == "ratio",
                size=fit.size,
            )
            rows[name] = (*fit.possible(name, *row[:4]), row[4], *fit.possible(name, row[5]))
        return rows

    def by_chance(
        self,
        fit: Curve,
        values: Floats,
        cells: Cells,
        weights: Floats,
        *,
        even_spread: bool = True,
    ) -> dict[str, Floats]:
        """Scores of a curve where the mean does not depend on S, (permutations,) each.

        Values are shuffled among the rows, which then weigh the same: exact where values have
        nothing to do with S. Where they may scatter more widely at some S although their mean is
        the same, or weights may go along with them, shuffling would make an even scatter of it,
        and p-values would be wrong. There every row keeps its place and its distance from the
        mean, and only the signs of the distances are drawn (a wild bootstrap).
        """
        random = np.random.default_rng([self.seed, 11])
        if even_spread:
            means = cells.shuffled_sums(values, self.permutations, random) / cells.rows
        else:
            apart = weights * (values - fit.overall)
            means = fit.overall + cells.signed_sums(apart, self.permutations, random) / cells.mass
        return fit.scores_of(means)

    def of_hgr(
        self, table: JointTable, p: Floats, s: Floats, sample_weight: ArrayLike | None
    ) -> Row:
        """Maximal correlation."""
        if np.ptp(p) == 0:
            return _NOTHING
        value = hgr(None, p, sensitive_features=s, sample_weight=sample_weight)
        random = np.random.default_rng([self.seed, 12])
        nulls = table.hgr(table.shuffled(self.permutations, random))
        ends = table.interval(
            n_resamples=self.resamples, confidence=self.confidence, seed=self.seed
        )
        coarse = float(table.hgr(table.table[None])[0])
        row = self._row(coarse, ends, nulls)
        return (value, *row[1:])

    def of_information(self, p: Floats, s: Floats) -> Row:
        """Mutual information."""
        value = mutual_information(None, p, sensitive_features=s)
        random = np.random.default_rng([self.seed, 13])
        nulls = np.array(
            [
                mutual_information(None, p, sensitive_features=random.permutation(s))
                for _ in range(self.permutations)
            ]
        )
        ends = information_interval(
            p,
            s,
            value=value,
            n_resamples=self.resamples,
            confidence=self.confidence,
            seed=self.seed,
        )
        return self._row(value, ends, nulls)

    def of_eipm(self, z: Floats, s: Floats, sigma: float | str, noise: str) -> Row:
        """Dependence of the whole distribution."""
        if (z == z[0]).all():
            return _NOTHING
        settings: dict[str, Any] = {"gamma": GAMMA, "sigma": sigma, "noise": noise}
        whole = WholeDistribution(z, s, **settings)
        ends = whole.interval(
            n_resamples=self.resamples, confidence=self.confidence, seed=self.seed
        )
        if len(s) <= _FEW:  # pairs of rows are few enough to look at each in every shuffle
            test = eipm_test(
                z, s, permutations=self.permutations, random_state=self.seed, **settings
            )
            return (test.statistic, *ends, test.floor, test.p_value, test.floor_upper)
        value = eipm(z, s, **settings)
        nulls = whole.shuffled(self.permutations, np.random.default_rng([self.seed, 15]))
        beyond, chance = p_value(whole.observed, nulls), whole.in_units(nulls)
        return (value, *ends, float(chance.mean()), beyond, float(np.quantile(chance, 0.95)))

    def _row(
        self,
        value: float,
        ends: tuple[float, ...],
        nulls: Floats,
        *,
        falling: bool = False,
        size: float = 0.0,
    ) -> Row:
        upper = np.quantile(nulls, 0.05 if falling else 0.95)
        chance = p_value(value, nulls, falling=falling, size=size)
        return (value, *ends, float(nulls.mean()), chance, float(upper))


def p_value(value: float, nulls: Floats, *, falling: bool = False, size: float = 0.0) -> float:
    """The share of scores, the data's among them, that are as extreme as that of the data.

    Shuffles that give the very same score count, also where rounding sets them apart: with few
    groups and decisions many do, and all of them where every value is the same.

    Args:
        value: the score of the data.
        nulls: the scores of shuffles.
        falling: whether small scores are the extreme ones.
        size: of the values that scores are made of, and with them their rounding.

    >>> p_value(0.1 + 0.2, np.array([0.3, 0.1, 0.0]))
    0.5
    """
    same = _ROUNDING * max(abs(value), float(np.abs(nulls).max()), size)
    beyond = nulls <= value + same if falling else nulls >= value - same
    return float((1 + beyond.sum()) / (1 + len(nulls)))
