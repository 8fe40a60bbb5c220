"""Scores moved until they no longer follow S: each to the barycentre of all along S.

The repair is fair regression by optimal transport (Chzhen et al., 2020; Gouic et al., 2020) for a
continuous attribute: a score's rank among people of about the same S is kept, and its value
becomes what that rank has on average over all S. Nobody overtakes anybody of the same S. It needs
S of every person whose score is to be repaired, also at prediction time.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from frem_core.audit.cells import Cells, Scale
from frem_core.audit.curve import MOST_GROUPS, Curve
from frem_core.audit.local_fit import local_weights
from frem_core.errors import ConfigError, DataError
from frem_core.metrics.inputs import check_rows, number_column, row_weights
from frem_core.types import Floats

_RANKS: Floats = np.linspace(0, 1, 401)
_VALUES = 400  # cells of the scores
_SPAN = 0.1  # share of the rows among which a rank is looked up
STRENGTHS: Floats = np.linspace(0, 1, 11)


@dataclass(frozen=True, eq=False)
class Repair:
    """A repair that can be applied to further rows.

    Attributes:
        scale: of S.
        position: cells of S in [0, 1], (C,).
        quantiles: of the scores at each cell, (C, ranks).
        barycentre: what each rank becomes, (ranks,).
    """

    scale: Scale
    position: Floats
    quantiles: Floats
    barycentre: Floats

    @classmethod
    def fit(
        cls,
        y_pred: ArrayLike,
        *,
        sensitive_features: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> "Repair":
        """Learns the distribution of scores along S.

        Args:
            y_pred: scores, (n,): probabilities or numbers, no decisions.
            sensitive_features: S, (n,).
            sample_weight: what each row counts, (n,).

        Raises:
            DataError: rows do not match, or the scores are decisions already.
        """
        p, s = number_column(y_pred, "y_pred"), number_column(sensitive_features, "S")
        check_rows({"y_pred": len(p), "sensitive_features": len(s)}, fewest=10)
        if len(np.unique(p[:1000])) <= 2 and np.isin(p, (p.min(), p.max())).all():
            raise DataError(
                "These predictions take two values only. Decisions have no ranks to keep; repair "
                "the scores behind them, then decide."
            )
        given = row_weights(sample_weight, len(p))
        weights = np.ones(len(p)) if given is None else given
        p, s, weights = p[weights > 0], s[weights > 0], weights[weights > 0]
        scale = Scale.of(s)
        along = Cells.along(scale.to_unit(s), weights)
        across = Cells.along(p, weights, _VALUES)
        shape = len(along), len(across)
        places = along.codes * shape[1] + across.codes
        counted = np.bincount(places, weights, minlength=shape[0] * shape[1])
        counts: Floats = counted.reshape(shape).astype(np.float64)
        if not (along.is_exact and len(along) <= MOST_GROUPS):
            nearby = local_weights(along.position, along.mass, _SPAN, 0) / along.mass
            counts = nearby @ counts
        middle = np.cumsum(counts, axis=1) - 0.5 * counts
        ranks = middle / counts.sum(axis=1, keepdims=True)
        quantiles = np.array([np.interp(_RANKS, own, across.position) for own in ranks])
        share = along.mass / along.mass.sum()
        return cls(scale, along.position, quantiles, share @ quantiles)

    def transform(
        self, y_pred: ArrayLike, *, sensitive_features: ArrayLike, strength: float = 1.0
    ) -> Floats:
        """Repaired scores.

        Args:
            y_pred: scores, (n,).
            sensitive_features: S of the same rows, (n,).
            strength: from 0, none, to 1, full.
        """
        if not 0 <= strength <= 1:
            raise ConfigError(f"strength is {strength}; give a number from 0 (none) to 1 (full).")
        p, s = number_column(y_pred, "y_pred"), number_column(sensitive_features, "S")
        check_rows({"y_pred": len(p), "sensitive_features": len(s)})
        x = np.clip((s - self.scale.low) / (self.scale.high - self.scale.low), 0, 1)
        right = np.clip(np.searchsorted(self.position, x), 1, max(len(self.position) - 1, 1))
        left = right - 1
        right = np.minimum(right, len(self.position) - 1)
        gap = self.position[right] - self.position[left]
        part = np.divide(x - self.position[left], gap, out=np.zeros(len(x)), where=gap > 0)
        part = part.clip(0, 1)
        rank = (1 - part) * self._ranks(p, left) + part * self._ranks(p, right)
        moved = np.interp(rank, _RANKS, self.barycentre)
        return np.asarray((1 - strength) * p + strength * moved)

    def _ranks(self, p: Floats, cell: np.ndarray) -> Floats:
        """Rank of each score in the distribution of a cell, (n,)."""
        ranks = np.empty(len(p))
        order = np.argsort(cell, kind="stable")
        edges = np.flatnonzero(np.diff(cell[order], prepend=-1, append=len(self.position)))
        for start, end in pairwise(edges):
            rows = order[start:end]
            own = self.quantiles[cell[rows[0]]]
            # Ties get the middle of their ranks.
            low = np.interp(p[rows], own, _RANKS)
            high = 1 - np.interp(-p[rows], -own[::-1], _RANKS)
            ranks[rows] = 0.5 * (low + high)
        return ranks


def repair_costs(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike,
    sample_weight: ArrayLike | None = None,
    threshold: float = 0.5,
) -> pd.DataFrame:
    """What each strength of a repair leaves of the dependence, and what it costs.

    Args:
        y_true: true outcomes, (n,), or None.
        y_pred: scores, (n,).
        sensitive_features: S, (n,).
        sample_weight: what each row counts, (n,).
        threshold: from which a score is a positive decision.

    Returns:
        ``strength``, ``gap`` (mean distance from the average along S), ``moved`` (mean change of a
        score), ``crossed`` (share of people on the other side of the threshold) and, with true
        outcomes, ``error``: share of wrong decisions for two classes, else mean absolute error.
    """
    repair = Repair.fit(y_pred, sensitive_features=sensitive_features, sample_weight=sample_weight)
    p, s = number_column(y_pred, "y_pred"), number_column(sensitive_features, "S")
    given = row_weights(sample_weight, len(p))
    weights = np.ones(len(p)) if given is None else given
    kept = weights > 0
    y = None if y_true is None else number_column(y_true, "y_true")[kept]
    p, s, weights = p[kept], s[kept], weights[kept]
    cells = Cells.along(repair.scale.to_unit(s), weights)
    full = repair.transform(p, sensitive_features=s)
    rows = []
    for strength in STRENGTHS:
        moved = (1 - strength) * p + strength * full
        row = {
            "strength": float(strength),
            "gap": Curve(moved, cells, weights).observed["gap"],
            "moved": float(np.average(np.abs(moved - p), weights=weights)),
            "crossed": float(np.average((moved > threshold) != (p > threshold), weights=weights)),
        }
        if y is not None:
            two = bool(np.isin(y, (0.0, 1.0)).all())
            wrong = (moved > threshold) != (y == 1) if two else np.abs(moved - y)
            row["error"] = float(np.average(wrong, weights=weights))
        rows.append(row)
    return pd.DataFrame(rows)
