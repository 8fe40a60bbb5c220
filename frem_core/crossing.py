"""How sensitive attributes hang together: their combinations in words, and who is in each."""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.attributes import Attributes
from frem_core.types import Floats

FEW_ROWS = 30
"""With fewer rows a combination says hardly anything."""

THIRDS = 3

# Attributes that are named at once, and the most places; beyond, the largest are kept.
_MOST_NAMED = 3
_MOST_PLACES = 1000


def named_parts(
    attributes: Attributes, place: int, parts: int = THIRDS
) -> tuple[list[str], NDArray[np.intp]]:
    """The categories of an attribute, or a number cut at its quantiles, in words.

    Args:
        attributes: of n people.
        place: which attribute.
        parts: how many parts of a number; cuts are rounded to figures that are easy to read.

    Returns:
        Words such as ``"age under 30"``, and the part of each person, (n,).
    """
    name, levels = attributes.names[place], attributes.levels[place]
    column = attributes.values[:, place]
    if levels is not None:
        plain = {"true": name, "false": f"not {name}"}  # of a yes/no column
        return [plain.get(level.lower(), level) for level in levels], column.astype(np.intp)
    low, high = float(column.min()), float(column.max())
    quantiles = np.quantile(column, np.linspace(0, 1, parts + 1)[1:-1]) if low < high else ()
    cuts = sorted({cut for one in quantiles if low < (cut := _readable(one, high - low)) <= high})
    if not cuts:
        return [f"any {name}"], np.zeros(len(column), dtype=np.intp)
    between = [f"{name} {a:g} to {b:g}" for a, b in pairwise(cuts)]
    words = [f"{name} under {cuts[0]:g}", *between, f"{name} from {cuts[-1]:g}"]
    return words, np.searchsorted(cuts, column, side="right")


def named_places(attributes: Attributes) -> tuple[list[str], NDArray[np.intp]]:
    """Every combination of categories and thirds of numbers in words, and each person's, (n,)."""
    total = np.zeros(len(attributes), dtype=np.intp)
    words = [""]
    order = sorted(range(len(attributes.names)), key=lambda place: attributes.levels[place] is None)
    for place in order:  # categories first: "Female, age under 30"
        own, codes = named_parts(attributes, place)
        words = [f"{before}, {one}" if before else one for before in words for one in own]
        total = total * len(own) + codes
    return words, total


def filled_places(attributes: Attributes, fewest: int) -> list[tuple[str, NDArray[np.intp]]]:
    """Places of one attribute, and of two or three together, in words, with the rows in each.

    Args:
        attributes: of n people.
        fewest: places with fewer rows are left out, and those where everybody is.
    """
    found: dict[bytes, tuple[str, NDArray[np.intp]]] = {}
    every = range(len(attributes.names))
    for size in every[:_MOST_NAMED]:
        for chosen in combinations(every, size + 1):
            words, codes = named_places(attributes.chosen(chosen))
            order = np.argsort(codes, kind="stable")
            starts = np.searchsorted(codes[order], np.arange(len(words) + 1))
            rows = np.diff(starts)
            large = np.flatnonzero((rows >= fewest) & (rows < len(codes)))
            for code in large:
                there = order[starts[code] : starts[code + 1]]
                found.setdefault(there.tobytes(), (words[code], there))  # fewer words came first
    return sorted(found.values(), key=lambda place: -len(place[1]))[:_MOST_PLACES]


def crossing(
    attributes: Attributes, first: int, second: int, outcome: Floats, *, parts: int = 5
) -> pd.DataFrame:
    """Who is in each combination of two attributes, and their mean outcome.

    Args:
        attributes: of n people.
        first: place of one attribute.
        second: place of another.
        outcome: (n,).
        parts: of a number.

    Returns:
        One row for each combination: ``first``, ``second`` (words), ``rows``, and ``mean`` of the
        outcome, NaN where nobody is.
    """
    words, codes = named_parts(attributes, first, parts)
    others, other_codes = named_parts(attributes, second, parts)
    cell = codes * len(others) + other_codes
    rows = np.bincount(cell, minlength=len(words) * len(others))
    total = np.bincount(cell, weights=outcome, minlength=len(rows))
    return pd.DataFrame(
        {
            "first": np.repeat(words, len(others)),
            "second": np.tile(others, len(words)),
            "rows": rows,
            "mean": np.divide(total, rows, out=np.full(len(rows), np.nan), where=rows > 0),
        }
    )


def association(attributes: Attributes, first: int, second: int) -> float:
    """How much two attributes tell about each other, from 0 to 1.

    The rank correlation of two numbers without its sign; the correlation ratio of ranks of a number
    and a category; Cramér's V of two categories.
    """
    a, b = attributes.values[:, first], attributes.values[:, second]
    numbers = [place in attributes.numbers for place in (first, second)]
    if all(numbers):
        return float(abs(np.corrcoef(pd.Series(a).rank(), pd.Series(b).rank())[0, 1]))
    if not any(numbers):
        table = pd.crosstab(a, b).to_numpy(dtype=np.float64)
        expected = table.sum(1, keepdims=True) * table.sum(0) / table.sum()
        least = max(1, min(table.shape) - 1)
        return float(np.sqrt(((table - expected) ** 2 / expected).sum() / table.sum() / least))
    number, group = (a, b) if numbers[0] else (b, a)
    ranks = pd.Series(number).rank()
    means = ranks.groupby(group).transform("mean")
    return float(np.sqrt(means.var(ddof=0) / ranks.var(ddof=0)))


def _readable(value: float, width: float) -> float:
    """Rounded to a hundredth of the width, or a little finer."""
    return float(np.round(value, 2 - int(np.ceil(np.log10(width)))))
