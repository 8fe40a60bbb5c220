"""What both simulation targets share: replicates, and RMSE differences with intervals."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from frem_core.simulation import (
    PAPER_DESIGNS,
    PAPER_SAMPLES,
    Cell,
    EstimatorGrid,
    collect,
    simulate,
)

REPLICATES, QUICK_REPLICATES = 1000, 20
_RESAMPLES = 1000


@dataclass(frozen=True)
class RmseGap:
    """RMSE of the best setting of one estimator minus that of another, in one cell.

    Attributes:
        case: the design.
        n: rows of a sample.
        ours: best setting of the proposed estimator.
        other: best setting of the other.
        value: the difference; negative means that ours is more accurate.
        low: lower end of the 95 % bootstrap interval over replicates.
        high: upper end.
    """

    case: str
    n: int
    ours: float
    other: float
    value: float
    low: float
    high: float


def replicates(
    design: str, estimators: tuple[str, ...], *, quick: bool, kept: Path
) -> pd.DataFrame:
    """Simulates, or reads what was simulated before with the same settings.

    Args:
        design: ``"gaussian"`` or ``"multivariate"``.
        estimators: names.
        quick: few replicates.
        kept: folder for the estimates.
    """
    count = QUICK_REPLICATES if quick else REPLICATES
    path = kept / f"simulation-{design}-{count}.parquet"
    if path.is_file():
        return pd.read_parquet(path)
    cells = [Cell(case, n) for case in PAPER_DESIGNS[design] for n in PAPER_SAMPLES[design]]
    grid = EstimatorGrid(estimators=estimators)
    estimates = collect(list(simulate(cells, grid, replicates=count, seed=0, jobs=1)))
    kept.mkdir(parents=True, exist_ok=True)
    estimates.to_parquet(path)
    return estimates


def rmse_gaps(estimates: pd.DataFrame, other: str, *, seed: int = 0) -> list[RmseGap]:
    """Compares the proposed estimator with another in every cell.

    Each takes the setting with the smallest RMSE, which favours both alike. Replicates are
    resampled with replacement, the same for both; the settings stay as chosen.
    """
    table = estimates.assign(square=(estimates["estimate"] - estimates["truth"]) ** 2)
    gaps = []
    for (case, n), cell in table.groupby(["case", "n"], sort=False):
        ours, others = (_best(cell, name) for name in ("proposed", other))
        a, b = (
            cell_of.sort_values("replicate")["square"].to_numpy() for _, cell_of in (ours, others)
        )
        draws = np.random.default_rng(seed).integers(0, len(a), (_RESAMPLES, len(a)))
        gap = np.sqrt(a[draws].mean(axis=1)) - np.sqrt(b[draws].mean(axis=1))
        low, high = np.quantile(gap, [0.025, 0.975])
        value = np.sqrt(a.mean()) - np.sqrt(b.mean())
        gaps.append(
            RmseGap(str(case), int(n), ours[0], others[0], float(value), float(low), float(high))  # type: ignore[call-overload]
        )
    return gaps


def _best(cell: pd.DataFrame, estimator: str) -> tuple[float, pd.DataFrame]:
    own = cell[cell["estimator"] == estimator]
    setting = own.groupby("setting")["square"].mean().idxmin()
    return float(setting), own[own["setting"] == setting]  # type: ignore[arg-type]


def gap_table(gaps: list[RmseGap], other: str) -> pd.DataFrame:
    """The gaps as texts, in units of 10⁻²."""
    rows = [
        {
            "case": gap.case,
            "n": gap.n,
            "proposed, best γ": f"{gap.ours:g}",
            f"{other}, best setting": f"{gap.other:g}",
            "difference of RMSE ×10² [95 %]": f"{100 * gap.value:+.2f} "
            f"[{100 * gap.low:+.2f}, {100 * gap.high:+.2f}]",
        }
        for gap in gaps
    ]
    return pd.DataFrame(rows)
