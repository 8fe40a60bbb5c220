"""Ranks the columns of a table by how much they tell about the sensitive attribute."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.audit.groups import quantile_groups

ROWS_USED = 20_000
_FEWEST_BINS, _MOST_BINS = 3, 20
_RARE_LEVEL = 5  # a level with fewer rows says nothing on its own and is pooled
_CHANCE_DRAWS = 10
_BENDING = 0.5  # |rank correlation| below this share of the dependence: no single direction

Codes = NDArray[np.intp]


def rank_dependence(
    features: pd.DataFrame,
    sensitive: ArrayLike,
    *,
    rows_used: int = ROWS_USED,
    random_state: int = 0,
) -> pd.DataFrame:
    """Ranks features by their maximal correlation with S beyond what chance gives.

    Maximal correlation (Hirschfeld–Gebelein–Rényi) is the largest correlation any transformation
    of the feature and any transformation of S can reach: 0 exactly when they are independent, 1
    when one determines the other, and |ρ| for a normal pair. It sees bent relations and needs no
    order among categories. With the feature and S cut into bins it is the second singular value of

        Q_kl = P(X=k, S=l) / √(P(X=k) P(S=l)).

    Even unrelated columns give a little more than 0, the more so the more categories they have.
    That chance level c is measured by shuffling S, and ``strength = max(0, (r − c) / (1 − c))``.

    Args:
        features: columns of numbers, booleans or categories, n rows; missing values are a bin.
        sensitive: S in any units, shape (n,).
        rows_used: at most this many randomly chosen rows are looked at.
        random_state: seed of that choice and of the shuffles.

    Returns:
        One row per feature, strongest first: ``feature``, ``strength``, ``maximal_correlation``,
        ``chance``, ``rank_correlation`` (Spearman; NaN for categories), ``direction`` ("rises",
        "falls", "bends", "category" or "none"). ``attrs["rows_used"]`` says how many rows were
        looked at.
    """
    generator = np.random.default_rng(random_state)
    s = np.asarray(sensitive, dtype=np.float64)
    if len(s) > rows_used:
        chosen = np.sort(generator.choice(len(s), rows_used, replace=False))
        features, s = features.iloc[chosen], s[chosen]
    s_codes = quantile_groups(s, _bin_count(len(s))).codes
    shuffles = [generator.permutation(s_codes) for _ in range(_CHANCE_DRAWS)]
    s_ranks = np.asarray(pd.Series(s).rank(), dtype=np.float64)
    scores = [
        {"feature": name, **_score(column, s_codes, shuffles, s_ranks)}
        for name, column in features.items()
    ]
    ranking = pd.DataFrame(scores, columns=list(_COLUMNS))
    ranking = ranking.sort_values("strength", ascending=False, kind="stable", ignore_index=True)
    ranking.attrs["rows_used"] = len(s)
    return ranking


_COLUMNS = (
    "feature",
    "strength",
    "maximal_correlation",
    "chance",
    "rank_correlation",
    "direction",
)


def _score(
    column: pd.Series, s_codes: Codes, shuffles: list[Codes], s_ranks: NDArray[np.float64]
) -> dict[str, object]:
    numeric = pd.api.types.is_numeric_dtype(column)
    codes = _number_bins(column) if numeric else _level_bins(column)
    observed, *by_chance = _maximal_correlations(codes, [s_codes, *shuffles])
    chance = float(np.mean(by_chance))
    strength = max(0.0, (observed - chance) / (1.0 - chance)) if chance < 1.0 else 0.0
    rank_correlation = _rank_correlation(column, s_ranks) if numeric else float("nan")
    return {
        "strength": strength,
        "maximal_correlation": observed,
        "chance": chance,
        "rank_correlation": rank_correlation,
        "direction": _direction(numeric, rank_correlation, observed) if strength else "none",
    }


def _maximal_correlations(codes: Codes, against: list[Codes]) -> list[float]:
    """Second singular value of Q for one binned column against several binnings of S."""
    n_rows, n_levels, n_bins = len(codes), int(codes.max()) + 1, int(against[0].max()) + 1
    if n_levels < 2 or n_bins < 2:
        return [0.0] * len(against)
    joint = np.stack(
        [np.bincount(codes * n_bins + other, minlength=n_levels * n_bins) for other in against]
    ).reshape(len(against), n_levels, n_bins)
    share = joint / n_rows
    # The marginals do not change when S is shuffled.
    scale = np.sqrt(np.outer(share[0].sum(axis=1), share[0].sum(axis=0)))
    singular = np.linalg.svd(share / scale, compute_uv=False)
    return [float(min(1.0, value)) for value in singular[:, 1]]


def _number_bins(column: pd.Series) -> Codes:
    numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    known = np.isfinite(numbers)
    codes = np.zeros(len(numbers), dtype=np.intp)
    if known.any():
        codes[known] = 1 + quantile_groups(numbers[known], _bin_count(int(known.sum()))).codes
    return _without_gaps(codes)


def _level_bins(column: pd.Series) -> Codes:
    codes, _ = pd.factorize(column.astype("str"))
    frequency = np.bincount(codes)
    return _without_gaps(np.where(frequency[codes] < _RARE_LEVEL, len(frequency), codes))


def _without_gaps(codes: NDArray[np.integer]) -> Codes:
    _, dense = np.unique(codes, return_inverse=True)
    return np.asarray(dense, dtype=np.intp)


def _bin_count(n_rows: int) -> int:
    """About n^(1/3) bins: fine enough for bends, coarse enough to keep chance small."""
    return int(np.clip(round(n_rows ** (1 / 3)), _FEWEST_BINS, _MOST_BINS))


def _rank_correlation(column: pd.Series, s_ranks: NDArray[np.float64]) -> float:
    ranks = column.astype("float64").rank().to_numpy()
    known = np.isfinite(ranks)
    if known.sum() < 2 or np.ptp(ranks[known]) == 0 or np.ptp(s_ranks[known]) == 0:
        return 0.0
    return float(np.corrcoef(ranks[known], s_ranks[known])[0, 1])


def _direction(numeric: bool, rank_correlation: float, observed: float) -> str:
    if not numeric:
        return "category"
    if abs(rank_correlation) < _BENDING * observed:
        return "bends"
    return "rises" if rank_correlation > 0 else "falls"
