"""Combinations of attributes in words: who gets more or less than average."""

import numpy as np
import pandas as pd
from scipy.special import ndtri

from frem_core.audit.cells import Codes
from frem_core.audit.chances import p_value
from frem_core.crossing import FEW_ROWS
from frem_core.types import Floats


class Places:
    """Means of a value by place, against the mean of all.

    Args:
        values: (n,).
        codes: place of each row, (n,).
        weights: of the rows, (n,).
        words: what each place is called.
    """

    def __init__(self, values: Floats, codes: Codes, weights: Floats, words: list[str]) -> None:
        self._values, self._codes, self._weights = values, codes, weights
        self._words = words
        size = len(words)
        self._mass = np.bincount(codes, weights, minlength=size)
        self._squares = np.bincount(codes, weights**2, minlength=size)
        self._rows = np.bincount(codes, minlength=size)
        self._share = self._mass / self._mass.sum()
        self._judged = self._rows >= FEW_ROWS

    def _sums(self, values: Floats) -> Floats:
        return np.bincount(self._codes, values, minlength=len(self._words)).astype(np.float64)

    def _differences(self, values: Floats) -> tuple[Floats, Floats]:
        """Differences from the mean of all, and their standard errors, by place."""
        mass = np.where(self._rows > 0, self._mass, 1.0)  # places where nobody is
        means = self._sums(self._weights * values) / mass
        left = values - means[self._codes]
        rows = mass**2 / np.where(self._rows > 0, self._squares, 1.0)
        spare = np.maximum(rows - 1, 1.0) / np.maximum(rows, 1.0)
        variance = self._sums(self._weights**2 * left**2) / mass**2 / spare
        of_all = float(self._share**2 @ variance)
        error = variance * ((1 - self._share) ** 2 - self._share**2) + of_all
        return means - self._share @ means, np.sqrt(error.clip(min=0.0))

    def _largest(self, values: Floats) -> float:
        difference, error = self._differences(values)
        scale = max(float(np.abs(values).max()), 1e-300)
        known = np.maximum(error, 1e-9 * scale)[self._judged]
        return float(np.abs(difference[self._judged] / known).max())

    def compared(
        self, *, confidence: float, n_permutations: int, seed: int
    ) -> tuple[pd.DataFrame, float]:
        """Places of at least 30 rows, the one that is off most surely first, and a p-value.

        The intervals hold for all places at once (Šidák). The p-value is that of the largest
        difference in units of its error, against values shuffled among all rows.

        Returns:
            ``place, difference, low, high, mean, rows, share``, and the p-value; 1 where there are
            fewer than two places to compare.
        """
        judged = np.flatnonzero(self._judged)
        if len(judged) < 2:
            empty = ["place", "difference", "low", "high", "mean", "rows", "share"]
            return pd.DataFrame(columns=empty), 1.0
        difference, error = self._differences(self._values)
        reach = float(ndtri((1 + confidence ** (1 / len(judged))) / 2))
        overall = float(self._weights @ self._values / self._weights.sum())
        table = pd.DataFrame(
            {
                "place": [self._words[place] for place in judged],
                "difference": difference[judged],
                "low": (difference - reach * error)[judged],
                "high": (difference + reach * error)[judged],
                "mean": overall + difference[judged],
                "rows": self._rows[judged],
                "share": self._share[judged],
            }
        )
        sure = np.maximum(table["low"].to_numpy(), -table["high"].to_numpy())
        table = table.iloc[np.argsort(-sure, kind="stable")].reset_index(drop=True)
        random = np.random.default_rng([seed, 21])
        nulls = np.array(
            [self._largest(random.permutation(self._values)) for _ in range(n_permutations)]
        )
        return table, p_value(self._largest(self._values), nulls)
