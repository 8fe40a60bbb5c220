"""What ways of cutting S into groups would have said: why a cut decides the verdict."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from frem_core.audit.cells import Cells, Scale
from frem_core.types import Floats

BIN_COUNTS = tuple(range(2, 21))
_LEVEL = 0.05


class Cuts:
    """Gaps between groups for any cut of S.

    Args:
        values: (n,).
        s: sensitive attribute in its own units, (n,).
        weights: of the rows, (n,).
        confidence: of intervals.
    """

    def __init__(self, values: Floats, s: Floats, weights: Floats, confidence: float) -> None:
        cells = Cells.along(s, weights, most=1000)
        self._x, self._mass = cells.position, cells.mass
        self._edges = _edges(s, cells)
        self._first = cells.sums(weights * values)
        self._squares = cells.sums(weights**2)
        self._q1, self._q2 = cells.sums(weights**2 * values), cells.sums(weights**2 * values**2)
        self._reach = float(ndtri((1 + confidence) / 2))
        self._scale = Scale(float(s.min()), float(s.max()))

    def single(self) -> pd.DataFrame:
        """Every single cut and the gap it shows, mean at or above it minus mean below.

        Columns ``cut``, ``gap``, ``low``, ``high``, ``p_value``, ``rows_below`` (a share).
        """
        parts = [np.cumsum(one)[:-1] for one in (self._mass, self._first)]
        below, first = parts
        total, all_first = self._mass.sum(), self._first.sum()
        lower, upper = first / below, (all_first - first) / (total - below)
        variance = self._variance(np.cumsum, lower, below) + self._variance(
            lambda one: one.sum() - np.cumsum(one), upper, total - below
        )
        gap, error = upper - lower, np.sqrt(variance)
        return pd.DataFrame(
            {
                "cut": self._edges,
                "gap": gap,
                "low": gap - self._reach * error,
                "high": gap + self._reach * error,
                "p_value": _p_value(gap, error),
                "rows_below": below / total,
            }
        )

    def _variance(self, gather, mean: Floats, mass: Floats) -> Floats:  # type: ignore[no-untyped-def]
        q0, q1, q2 = (gather(one)[:-1] for one in (self._squares, self._q1, self._q2))
        return np.asarray((q2 - 2 * mean * q1 + mean**2 * q0).clip(min=0.0) / mass**2)

    def binned(self, counts: Sequence[int] = BIN_COUNTS) -> pd.DataFrame:
        """Quantile and equal bins with their gap, largest minus smallest group mean.

        Columns ``kind``, ``bins``, ``groups``, ``gap``, ``p_value`` (Welch's test that all group
        means are equal), ``verdict``.
        """
        rows = []
        for kind in ("quantile", "equal width"):
            for count in counts:
                codes = self._codes(kind, count)
                gap, p_value = self._compare(codes)
                rows.append(
                    {
                        "kind": kind,
                        "bins": count,
                        "groups": len(np.unique(codes)),
                        "gap": gap,
                        "p_value": p_value,
                        "verdict": "significant" if p_value <= _LEVEL else "not significant",
                    }
                )
        return pd.DataFrame(rows)

    def _codes(self, kind: str, count: int) -> np.ndarray:
        if kind == "quantile":
            middle = (np.cumsum(self._mass) - 0.5 * self._mass) / self._mass.sum()
            return np.asarray(np.minimum((middle * count).astype(int), count - 1))
        unit = self._scale.to_unit(self._x)
        return np.asarray(np.minimum((unit * count).astype(int), count - 1))

    def _compare(self, codes: np.ndarray) -> tuple[float, float]:
        """Largest difference of group means, and Welch's test that there is none."""
        from scipy.stats import f as f_distribution

        _, codes = np.unique(codes, return_inverse=True)
        if codes.max() == 0:
            return 0.0, 1.0
        mass, first, q0, q1, q2 = (
            np.bincount(codes, one)
            for one in (self._mass, self._first, self._squares, self._q1, self._q2)
        )
        mean, rows = first / mass, np.maximum(mass**2 / q0, 1.0)
        spread = (q2 - 2 * mean * q1 + mean**2 * q0).clip(min=0.0) / mass**2
        variance = spread * rows / np.maximum(rows - 1, 1e-9)
        gap = float(np.ptp(mean))
        if (variance <= 0).any() or (rows < 2).any():
            return gap, float("nan")
        weight, k = 1 / variance, len(mean)
        centre = weight @ mean / weight.sum()
        between = weight @ (mean - centre) ** 2 / (k - 1)
        loss = ((1 - weight / weight.sum()) ** 2 / (rows - 1)).sum()
        statistic = between / (1 + 2 * (k - 2) / (k**2 - 1) * loss)
        return gap, float(f_distribution.sf(statistic, k - 1, (k**2 - 1) / (3 * loss)))


def _edges(s: Floats, cells: Cells) -> Floats:
    """The smallest value of every cell but the first: where a cut may be made."""
    smallest = np.full(len(cells), np.inf)
    np.minimum.at(smallest, cells.codes, s)
    return smallest[1:]


def _p_value(gap: Floats, error: Floats) -> Floats:
    z = np.divide(np.abs(gap), error, out=np.full_like(gap, np.inf), where=error > 0)
    return np.asarray(2 * ndtr(-np.where(gap == 0, 0.0, z)))
