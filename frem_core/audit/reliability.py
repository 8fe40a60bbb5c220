"""How many rows speak at each value of the sensitive attribute, and which bandwidth that allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike

from frem_core.errors import ConfigError
from frem_core.kernels import get_kernel
from frem_core.metrics.inputs import number_column
from frem_core.types import Floats

FEWEST_ROWS: Final = 30
"""Effective rows below which a value along S is mostly noise."""
FEWEST_IN_BATCH: Final = 5
"""The same within a training batch, whose noise averages out over many batches."""
GAMMAS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.5, 1.0)
"""Bandwidths that are looked at for a suggestion, on S scaled to [0, 1]."""

_CELLS = 2000  # values of S that are told apart; far finer than the smallest bandwidth
_MOST_POINTS = 200


@dataclass(frozen=True)
class GammaSuggestion:
    """A bandwidth and why.

    Attributes:
        gamma: the smallest bandwidth looked at for which enough rows speak almost everywhere.
        is_enough: whether they do; otherwise ``gamma`` is the largest one looked at.
        limit: what rules out smaller ones: ``"rows"`` (too few in the data), ``"batch"`` (too
            few in a training batch) or ``"none"`` (the smallest one is fine already).
        enough_rows: share of rows at whose value at least 30 rows speak.
        enough_in_batch: share of rows at whose value at least 5 rows of a batch speak.
    """

    gamma: float
    is_enough: bool
    limit: str
    enough_rows: float
    enough_in_batch: float


def effective_rows(
    sensitive: ArrayLike,
    *,
    gamma: float,
    kernel: str = "rbf",
    sensitive_range: tuple[float, float] | None = None,
) -> pd.DataFrame:
    r"""Returns how many rows effectively speak at values along S.

    With ``w_j = K_γ(s, s_j) / Σ_l K_γ(s, s_l)``, on S scaled to [0, 1], it is ``1 / Σ_j w_j²``:
    n rows of equal weight count as n, one row that outweighs all others as one.

    Args:
        sensitive: values of S in their own units, (n,).
        gamma: bandwidth γ on S scaled to [0, 1].
        kernel: name of the kernel on S.
        sensitive_range: what is scaled to [0, 1]; the smallest and largest value by default.

    Returns:
        One row per value, rising: ``s`` in its own units, ``rows`` (rows with that value, or
        nearest to it) and ``effective_n``. The values are the distinct ones, or 200 even steps
        where there are more.

    Example:
        >>> effective_rows(np.repeat([20.0, 40.0, 60.0], [10, 30, 20]), gamma=0.05)
              s  rows  effective_n
        0  20.0    10         10.0
        1  40.0    30         30.0
        2  60.0    20         20.0
    """
    values, counts, low, width = _cells(sensitive, sensitive_range)
    points = values
    if len(values) > _MOST_POINTS:
        points = np.linspace(values[0], values[-1], _MOST_POINTS)
    nearest = np.abs(values[:, None] - points).argmin(axis=1)
    rows = np.bincount(nearest, weights=counts, minlength=len(points)).astype(np.int64)
    speaking = _effective(points, values, counts, gamma, kernel)
    return pd.DataFrame({"s": low + width * points, "rows": rows, "effective_n": speaking})


def share_with_enough(
    sensitive: ArrayLike,
    *,
    gamma: float,
    fewest: float = FEWEST_ROWS,
    kernel: str = "rbf",
    sensitive_range: tuple[float, float] | None = None,
) -> float:
    """Returns the share of rows at whose own value at least ``fewest`` rows effectively speak.

    Args:
        sensitive: as for `effective_rows`.
        gamma: see there.
        fewest: what is enough.
        kernel: see there.
        sensitive_range: see there.
    """
    values, counts, _, _ = _cells(sensitive, sensitive_range)
    return _share(values, counts, gamma, kernel, fewest)


def suggest_gamma(
    sensitive: ArrayLike,
    *,
    batch_size: int,
    kernel: str = "rbf",
    sensitive_range: tuple[float, float] | None = None,
    candidates: Sequence[float] = GAMMAS,
    share: float = 0.99,
) -> GammaSuggestion:
    """Suggests the smallest bandwidth at which nearly every row has enough others near it.

    A small bandwidth looks closely and blurs little; it must still find enough rows. "Enough"
    means: for 99 % of the rows at least 30 rows of the data speak at their value, and at least 5
    of a training batch.

    Args:
        sensitive: values of S in their own units, (n,), of the rows that are judged.
        batch_size: how many of them a training batch has.
        kernel: name of the kernel on S.
        sensitive_range: as for `effective_rows`.
        candidates: bandwidths to look at.
        share: of the rows that must have enough.

    Example:
        >>> from frem_core.datasets import load_dataset
        >>> suggest_gamma(load_dataset("crime").sensitive, batch_size=200).gamma
        0.05
    """
    if not candidates:
        raise ConfigError("No bandwidth was given to look at; give e.g. 0.02, 0.05, 0.1.")
    values, counts, _, _ = _cells(sensitive, sensitive_range)
    # A batch is a random part of the rows: so is what speaks in it.
    in_batch = FEWEST_IN_BATCH * max(float(counts.sum()) / batch_size, 1.0)
    limit = "none"
    shares = (0.0, 0.0)
    for gamma in sorted(candidates):
        shares = (
            _share(values, counts, gamma, kernel, FEWEST_ROWS),
            _share(values, counts, gamma, kernel, in_batch),
        )
        if min(shares) >= share:
            return GammaSuggestion(gamma, True, limit, *shares)
        limit = "rows" if shares[0] < share else "batch"
    return GammaSuggestion(max(candidates), False, limit, *shares)


def _cells(
    sensitive: ArrayLike, sensitive_range: tuple[float, float] | None
) -> tuple[Floats, Floats, float, float]:
    """Distinct scaled values (U,), rows of each (U,), and what scales them back."""
    s = number_column(sensitive, "sensitive")
    low, high = sensitive_range or (float(s.min()), float(s.max()))
    width = high - low if high > low else 1.0
    scaled = ((s - low) / width).clip(0, 1)
    values, counts = np.unique(scaled, return_counts=True)
    if len(values) > _CELLS:
        values, counts = np.unique(np.round(scaled * (_CELLS - 1)), return_counts=True)
        values = values / (_CELLS - 1)
    return values, counts.astype(np.float64), low, width


def _effective(points: Floats, values: Floats, counts: Floats, gamma: float, kernel: str) -> Floats:
    """``1 / Σ_j w_j²`` at each point; 0 where no row is in reach of a compact kernel."""
    gaps = torch.from_numpy((points[:, None] - values) / gamma)  # (points, U)
    # As logarithms: far from all rows a Gaussian's weights would all underflow to 0.
    logits = get_kernel(kernel).log_sensitive(gaps) + torch.from_numpy(np.log(counts))
    shares = torch.softmax(logits, dim=1).nan_to_num_(nan=0.0).numpy()
    squares = (shares**2 / counts).sum(axis=1)
    return np.asarray(np.divide(1.0, squares, out=np.zeros_like(squares), where=squares > 0))


def _share(values: Floats, counts: Floats, gamma: float, kernel: str, fewest: float) -> float:
    # A hair less: rows that speak exactly alike must not fail by rounding.
    enough = _effective(values, values, counts, gamma, kernel) >= fewest * (1 - 1e-9)
    return float(counts[enough].sum() / counts.sum())
