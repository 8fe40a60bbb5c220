"""Average ranks of several methods over several tables, as a test and as a picture."""

from dataclasses import dataclass
from html import escape
from math import ceil, sqrt

import pandas as pd
from scipy.stats import friedmanchisquare, studentized_range

_WIDTH, _MARGIN, _ROW = 760, 190, 22
_TEXT = 'font-family="Helvetica, Arial, sans-serif" fill="#222"'


@dataclass(frozen=True)
class Ranking:
    """Friedman's test and Nemenyi's critical difference.

    Attributes:
        ranks: average rank by method, best first.
        p_value: of Friedman's test that all methods are alike; NaN with fewer than three methods.
        critical: how far two average ranks must differ to count as different at 5 %.
        tables: over how many tables.
    """

    ranks: "pd.Series[float]"
    p_value: float
    critical: float
    tables: int


def ranking(scores: pd.DataFrame) -> Ranking:
    """Ranks methods (columns) on each table (rows); more is better.

    >>> scores = pd.DataFrame({"a": [3.0, 2, 5], "b": [2.0, 1, 4], "c": [1.0, 0, 3]})
    >>> found = ranking(scores)
    >>> found.ranks.to_dict(), round(found.p_value, 3), round(found.critical, 2)
    ({'a': 1.0, 'b': 2.0, 'c': 3.0}, 0.05, 1.91)
    """
    tables, methods = scores.shape
    ranks = scores.rank(axis=1, ascending=False).mean().sort_values()
    p_value = float("nan")
    if methods > 2:
        p_value = float(friedmanchisquare(*(scores[name] for name in scores)).pvalue)
    # Demšar (2006): the studentised range of infinitely many degrees of freedom, over √2.
    quantile = studentized_range.ppf(0.95, methods, 1e6) / sqrt(2)
    critical = float(quantile * sqrt(methods * (methods + 1) / (6 * tables)))
    return Ranking(ranks, p_value, critical, tables)


def picture(found: Ranking, title: str) -> str:
    """An SVG: methods along their average rank; a bar joins those that the test cannot tell."""
    names, values = list(found.ranks.index), found.ranks.to_list()
    last = len(names)
    half = ceil(last / 2)
    bars = _bars(values, found.critical)
    top = 92 + 9 * len(bars)
    height = top + _ROW * half + 20

    def x(rank: float) -> float:
        return _MARGIN + (rank - 1) / max(1, last - 1) * (_WIDTH - 2 * _MARGIN)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_WIDTH / 2}" y="20" text-anchor="middle" font-size="14" {_TEXT}>'
        f"{escape(title)}</text>",
        _line(x(1), 40, x(min(last, 1 + found.critical)), 40, 2),
        f'<text x="{x(1)}" y="34" font-size="11" {_TEXT}>critical difference '
        f"{found.critical:.2f}</text>",
        _line(x(1), 70, x(last), 70, 1),
    ]
    for rank in range(1, last + 1):
        parts.append(_line(x(rank), 65, x(rank), 70, 1))
        parts.append(
            f'<text x="{x(rank)}" y="60" text-anchor="middle" font-size="11" {_TEXT}>{rank}</text>'
        )
    for number, (first, second) in enumerate(bars):
        y = 80 + 9 * number
        parts.append(_line(x(values[first]) - 3, y, x(values[second]) + 3, y, 4))
    for place, (name, value) in enumerate(zip(names, values, strict=True)):
        left = place < half
        y = top + _ROW * (place if left else last - 1 - place)
        end = _MARGIN - 8 if left else _WIDTH - _MARGIN + 8
        anchor = "end" if left else "start"
        parts += [_line(x(value), 70, x(value), y, 1), _line(x(value), y, end, y, 1)]
        parts.append(
            f'<text x="{end + (-4 if left else 4)}" y="{y + 4}" text-anchor="{anchor}" '
            f'font-size="12" {_TEXT}>{escape(name)} ({value:.1f})</text>'
        )
    return "".join([*parts, "</svg>\n"])


def _bars(values: list[float], critical: float) -> list[tuple[int, int]]:
    """Longest runs of neighbours whose ends differ by less than the critical difference."""
    found: list[tuple[int, int]] = []
    for first, value in enumerate(values):
        second = max(place for place, other in enumerate(values) if other - value < critical)
        if second > first and not (found and found[-1][1] >= second):
            found.append((first, second))
    return found


def _line(x1: float, y1: float, x2: float, y2: float, width: float) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#222" '
        f'stroke-width="{width}"/>'
    )
