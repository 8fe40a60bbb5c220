"""Where along S something is found, and where nothing can be said."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from frem_core.audit.cells import Cells, Scale
from frem_core.audit.curve import FEWEST_ROWS, Band, Curve


@dataclass(frozen=True)
class Region:
    """A stretch of S where the mean differs from the overall mean beyond doubt.

    Attributes:
        start: first value of S.
        end: last value of S.
        share: of the rows in it.
        difference: the largest difference from the overall mean in it.
        low: lower end of its interval.
        high: upper end.
        at: the value of S where that is.
    """

    start: float
    end: float
    share: float
    difference: float
    low: float
    high: float
    at: float


def curve_table(
    fit: Curve,
    band: Band,
    scale: Scale,
    cells: Cells,
    limits: tuple[float, float] = (-np.inf, np.inf),
) -> pd.DataFrame:
    """``s, mean, low, high, rows`` of a curve with its band, within what is possible."""
    return pd.DataFrame(
        {
            "s": scale.from_unit(fit.x),
            "mean": np.clip(band.mean, *limits),
            "low": np.clip(band.low, *limits),
            "high": np.clip(band.high, *limits),
            "rows": np.bincount(cells.codes, minlength=len(cells)),
        }
    )


def worst_region(differences: pd.DataFrame, cells: Cells, fit: Curve) -> Region | None:
    """The stretch around the most certain difference from the overall mean, or None.

    Values of S about which the data say little are left out, as in the scores.
    """
    low, high, mean = (differences[name].to_numpy() for name in ("low", "high", "mean"))
    s, share = differences["s"].to_numpy(), cells.mass / cells.mass.sum()
    sure = np.where(low > 0, 1, np.where(high < 0, -1, 0)) * fit.speaking
    if not sure.any():
        return None
    nearest = np.where(sure > 0, low, np.where(sure < 0, -high, -np.inf))
    peak = int(nearest.argmax())
    start = end = peak
    while start > 0 and sure[start - 1] == sure[peak]:
        start -= 1
    while end < len(s) - 1 and sure[end + 1] == sure[peak]:
        end += 1
    return Region(
        start=float(s[start]),
        end=float(s[end]),
        share=float(share[start : end + 1].sum()),
        difference=float(mean[peak]),
        low=float(low[peak]),
        high=float(high[peak]),
        at=float(s[peak]),
    )


def middle(curve: pd.DataFrame, share: float) -> tuple[float, float, float]:
    """Ends of the middle that holds this share of the rows, and how much of S's range it takes."""
    s, rows = curve["s"].to_numpy(), curve["rows"].to_numpy()
    below = np.cumsum(rows) / rows.sum()
    first, last = s[np.searchsorted(below, [(1 - share) / 2, (1 + share) / 2])]
    return float(first), float(last), float((last - first) / (s[-1] - s[0]))


def silent_rows(fit: Curve, cells: Cells, scale: Scale) -> Mapping[str, Any]:
    """How many rows lie where too few speak, and where that is."""
    few = fit.effective < FEWEST_ROWS
    s, rows = scale.from_unit(fit.x), np.bincount(cells.codes, minlength=len(cells))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], few.astype(int), [0]])))
    where = [[float(s[a]), float(s[b - 1])] for a, b in edges.reshape(-1, 2)]
    count = int(rows[few].sum())
    return {"rows": count, "share": count / int(rows.sum()), "where": where}
