"""Groups of rows with a similar sensitive attribute, and how columns differ between them.

The groups are only a way to *look* at a continuous attribute; no estimator of this project bins S.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from frem_core.errors import ConfigError
from frem_core.words import in_units

_NORMAL_975 = 1.959963984540054  # the 97.5 % point of the standard normal: 95 % intervals
_WHISKER_REACH = 1.5  # Tukey's rule, in inter-quartile ranges
MOST_BARS = 60
OTHER_LEVELS = "all other values"


@dataclass(frozen=True)
class QuantileGroups:
    """Rows in groups of about equal size along S.

    Attributes:
        codes: group of each row, 0 … number of groups − 1, shape (n,).
        table: one row per group: ``group`` (its label), ``low``, ``high`` (smallest and largest
            value of its members, own units) and ``rows``.
    """

    codes: NDArray[np.intp]
    table: pd.DataFrame

    @property
    def labels(self) -> list[str]:
        """The groups' labels in increasing order of S."""
        return [str(label) for label in self.table["group"]]


def quantile_groups(sensitive: ArrayLike, n_groups: int = 5) -> QuantileGroups:
    """Cuts S at its quantiles into at most ``n_groups`` groups of about equal size.

    Rows with the same value always share a group. Where many rows share one value some borders
    coincide and there are fewer groups than asked for.

    >>> quantile_groups([1, 2, 3, 4, 5, 6], 3).labels
    ['1–2', '3–4', '5–6']
    """
    if n_groups < 1:
        raise ConfigError(f"The number of groups is {n_groups}; choose 1 or more.")
    values = np.asarray(sensitive, dtype=np.float64)
    borders = np.quantile(values, np.arange(1, n_groups) / n_groups)
    _, codes = np.unique(np.searchsorted(borders, values, side="left"), return_inverse=True)
    members = pd.Series(values).groupby(codes)
    low, high = np.asarray(members.min(), np.float64), np.asarray(members.max(), np.float64)
    table = pd.DataFrame(
        {"group": _labels(low, high), "low": low, "high": high, "rows": members.size().to_numpy()}
    )
    return QuantileGroups(codes.astype(np.intp), table)


def box_statistics(
    values: ArrayLike, groups: QuantileGroups, *, are_days: bool = False
) -> pd.DataFrame:
    """Five-number summary of a numeric column in each group; missing values are left out.

    Whiskers reach to the furthest value within 1.5 inter-quartile ranges of the box. A group
    without any value is left out.

    Args:
        values: (n,).
        groups: of the n rows.
        are_days: since 1 January 1970, as dates in features are counted: returned as dates again.

    Returns:
        One row per group: ``group``, ``rows``, ``lower_whisker``, ``q1``, ``median``, ``q3``,
        ``upper_whisker``, ``mean``.
    """
    numbers = np.asarray(values, dtype=np.float64)
    summaries = []
    for code, label in enumerate(groups.labels):
        members = numbers[groups.codes == code]
        members = members[np.isfinite(members)]
        if members.size:
            summaries.append({"group": label, **_five_numbers(members)})
    table = pd.DataFrame(summaries)
    if are_days and not table.empty:
        for name in table.columns.drop(["group", "rows"]):
            table[name] = pd.to_datetime(table[name], unit="D").dt.round("s")
    return table


def level_shares(
    values: pd.Series, groups: QuantileGroups, *, most_levels: int = 6
) -> pd.DataFrame:
    """Share of each value of a categorical column in each group.

    The most frequent values are listed; the rest are pooled as "all other values".

    Returns:
        One row per group and level: ``group``, ``level``, ``share`` (0–1), ``rows``; the shares of
        one group sum to 1.
    """
    text = values.astype("str").reset_index(drop=True)
    frequent = text.value_counts()
    kept = list(frequent.index[: most_levels if len(frequent) <= most_levels else most_levels - 1])
    pooled = text.where(text.isin(kept), OTHER_LEVELS)
    levels = kept if len(kept) == len(frequent) else [*kept, OTHER_LEVELS]
    counts = pd.crosstab(groups.codes, pooled.to_numpy()).reindex(columns=levels, fill_value=0)
    shares = counts.div(counts.sum(axis=1), axis=0)
    return pd.DataFrame(
        {
            "group": np.repeat(groups.labels, len(levels)),
            "level": levels * len(groups.labels),
            "share": shares.to_numpy().ravel(),
            "rows": counts.to_numpy().ravel(),
        }
    )


def outcome_by_group(target: ArrayLike, groups: QuantileGroups) -> pd.DataFrame:
    """Mean of the outcome in each group with a 95 % interval.

    For outcomes that are only 0 and 1 the mean is the positive rate and the interval is Wilson's;
    otherwise it is mean ± 1.96 standard errors.

    Returns:
        One row per group: ``group``, ``rows``, ``mean``, ``low``, ``high``.
    """
    outcome = pd.Series(np.asarray(target, dtype=np.float64))
    members = outcome.groupby(groups.codes)
    rows, mean = np.asarray(members.size(), np.float64), np.asarray(members.mean(), np.float64)
    if outcome.isin([0.0, 1.0]).all():
        low, high = _wilson(mean, rows)
    else:
        reach = _NORMAL_975 * members.std().fillna(0.0).to_numpy() / np.sqrt(rows)
        low, high = mean - reach, mean + reach
    return pd.DataFrame(
        {"group": groups.labels, "rows": rows.astype(int), "mean": mean, "low": low, "high": high}
    )


def _five_numbers(members: NDArray[np.float64]) -> dict[str, float]:
    q1, median, q3 = np.quantile(members, [0.25, 0.5, 0.75])
    reach = _WHISKER_REACH * (q3 - q1)
    inside = members[(members >= q1 - reach) & (members <= q3 + reach)]
    return {
        "rows": int(members.size),
        # With interpolated quartiles the furthest inside value can lie within the box.
        "lower_whisker": min(float(inside.min()), float(q1)),
        "q1": float(q1),
        "median": float(median),
        "q3": float(q3),
        "upper_whisker": max(float(inside.max()), float(q3)),
        "mean": float(members.mean()),
    }


def _wilson(
    rate: NDArray[np.float64], rows: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    squared = _NORMAL_975**2
    centre = (rate + squared / (2 * rows)) / (1 + squared / rows)
    reach = np.sqrt(rate * (1 - rate) / rows + squared / (4 * rows**2)) * _NORMAL_975
    reach = reach / (1 + squared / rows)
    return centre - reach, centre + reach


def _labels(low: NDArray[np.float64], high: NDArray[np.float64]) -> list[str]:
    """Shortest labels that tell all groups apart."""
    between = " to " if low[0] < 0 else "–"  # a dash beside a minus sign cannot be read
    for digits in (3, 4, 6, 9, 17):
        labels = [
            in_units(a, digits)
            if a == b
            else f"{in_units(a, digits)}{between}{in_units(b, digits)}"
            for a, b in zip(low, high, strict=True)
        ]
        if len(set(labels)) == len(labels):
            break
    return labels


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
