"""The distribution of a sensitive attribute as a small table of bars."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

MOST_BARS = 60


def histogram(values: ArrayLike, *, most_bars: int = MOST_BARS) -> pd.DataFrame:
    """Counts rows per bar, in the attribute's own units.

    Whole numbers get bars of a whole width that are centred on them, so that an age of 30 is never
    split between two bars. Other values follow the Freedman–Diaconis rule, at least 10 bars.

    Args:
        values: finite numbers, shape (n,), n ≥ 1.
        most_bars: no more bars than this.

    Returns:
        One row per bar: ``low``, ``high`` (its borders) and ``rows``.

    >>> histogram([1, 2, 2, 4]).to_dict("list")
    {'low': [0.5, 1.5, 2.5, 3.5], 'high': [1.5, 2.5, 3.5, 4.5], 'rows': [1, 2, 0, 1]}
    """
    numbers = np.asarray(values, dtype=np.float64)
    edges = _bar_borders(numbers, most_bars)
    rows, edges = np.histogram(numbers, bins=edges)
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "rows": rows})


def _bar_borders(numbers: np.ndarray, most_bars: int) -> np.ndarray:
    low, high = float(numbers.min()), float(numbers.max())
    if np.all(numbers == np.round(numbers)) and high - low < 2**31:
        width = int(np.ceil((high - low + 1) / most_bars))
        n_bars = int(np.ceil((high - low + 1) / width))
        return low - 0.5 + width * np.arange(n_bars + 1)
    suggested = len(np.histogram_bin_edges(numbers[:: max(1, len(numbers) // 100_000)], "fd")) - 1
    return np.linspace(low, high, int(np.clip(suggested, 10, most_bars)) + 1)
