"""Data sets whose curves are known: decisions, numbers, errors, weights and factors along S."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

Array = np.ndarray
Shape = Callable[[Array], Array]
Random = np.random.Generator


@dataclass(frozen=True, eq=False)
class Drawn:
    """One data set: values (n,), S in [0, 1] (n,), weights (n,).

    Factors where there are; what was taken off yes or no where that is known.
    """

    values: Array
    s: Array
    weights: Array
    factors: pd.DataFrame | None = None
    offset: Array | None = None


@dataclass(frozen=True)
class Setting:
    """Data whose truth is known.

    Attributes:
        shape: the true mean along S; with factors, what is left beside them.
        draw: a data set of about so many rows.
        density: S of the people that are meant, many of them, for means over S.
        shuffles: whether rows may be shuffled for chance, as the audit decides.
    """

    shape: Shape
    draw: Callable[[int, Random], Drawn]
    density: Array
    shuffles: bool = True


_EVEN: Final = np.linspace(0, 1, 2001)


def _flat(s: Array) -> Array:
    return np.full_like(s, 0.3)


def _line(s: Array) -> Array:
    return 0.2 + 0.3 * s


def _wave(s: Array) -> Array:
    return 0.4 + 0.2 * np.sin(2 * np.pi * s)


def _nothing(s: Array) -> Array:
    return np.zeros_like(s)


def _decisions(shape: Shape) -> Callable[[int, Random], Drawn]:
    def draw(rows: int, random: Random) -> Drawn:
        s = random.random(rows)
        return Drawn((random.random(rows) < shape(s)).astype(float), s, np.ones(rows))

    return draw


def _growing_spread(rows: int, random: Random) -> Drawn:
    s = random.random(rows)
    return Drawn(_line(s) + random.normal(0, 0.1, rows) * (0.5 + s), s, np.ones(rows))


def _five_groups(rows: int, random: Random) -> Drawn:
    s = random.integers(0, 5, rows) / 4
    return Drawn((random.random(rows) < _line(s)).astype(float), s, np.ones(rows))


def _false_positives(s: Array) -> Array:
    return 0.1 + 0.15 * s**2


def _among_negatives(rows: int, random: Random) -> Drawn:
    """Decisions among those whose true outcome is negative, of whom there are fewer at high S."""
    s = random.random(2 * rows)
    s = s[random.random(len(s)) > 0.2 + 0.5 * s]
    return Drawn((random.random(len(s)) < _false_positives(s)).astype(float), s, np.ones(len(s)))


def _too_low(s: Array) -> Array:
    return 0.15 * s


def _calibration(wrong: Shape) -> Callable[[int, Random], Drawn]:
    """Outcome minus probability: it scatters the more the nearer the probability is to 1/2."""

    def draw(rows: int, random: Random) -> Drawn:
        s = random.random(rows)
        p = 0.1 + 0.4 * s**2
        y = random.random(rows) < p + wrong(s)
        return Drawn(y - p, s, np.ones(rows), offset=p)

    return draw


def _uneven_weights(rows: int, random: Random) -> Drawn:
    one = _growing_spread(rows, random)
    return Drawn(one.values, one.s, np.exp(random.normal(0, 0.7, rows)))


def _selected(slope: float) -> Callable[[int, Random], Drawn]:
    """Who is in the sample depends on S and on the value; the weights make up for it."""

    def draw(rows: int, random: Random) -> Drawn:
        s = random.random(5 * rows)
        v = 0.25 + 0.5 * random.random(len(s)) + slope * (s - 0.5)
        chance = 0.05 + 0.45 * np.abs(s - v)
        seen = random.random(len(s)) < chance
        return Drawn(v[seen], s[seen], 1 / chance[seen])

    return draw


def _level(height: float) -> Shape:
    return lambda s: 0.5 + height * (s - 0.5)


def _four_levels(left: Shape) -> Callable[[int, Random], Drawn]:
    def draw(rows: int, random: Random) -> Drawn:
        skill = random.integers(0, 4, rows)
        s = np.clip(0.15 + 0.17 * skill + random.normal(0, 0.12, rows), 0, 1)
        v = 0.12 * skill + left(s) + random.normal(0, 0.1, rows)
        return Drawn(v, s, np.ones(rows), pd.DataFrame({"skill": skill}))

    return draw


def _bent_factor(left: Shape) -> Callable[[int, Random], Drawn]:
    def draw(rows: int, random: Random) -> Drawn:
        x = random.normal(size=rows)
        s = 1 / (1 + np.exp(-(x + random.normal(size=rows))))
        v = 0.15 * np.sin(1.5 * x) + left(s) + random.normal(0, 0.1, rows)
        return Drawn(v, s, np.ones(rows), pd.DataFrame({"x": x}))

    return draw


def _seen(draw: Callable[[int, Random], Drawn]) -> Array:
    """S of many people, where its distribution has no simple form."""
    return np.sort(draw(100_000, np.random.default_rng(1)).s)


SETTINGS: Final[dict[str, Setting]] = {
    "false positives, decisions among negatives": Setting(
        _false_positives, _among_negatives, _seen(_among_negatives)
    ),
    "calibration, off along a line": Setting(_too_low, _calibration(_too_low), _EVEN, False),
    "weights by themselves, numbers": Setting(_line, _uneven_weights, _EVEN, False),
    "weights against selection, numbers": Setting(_level(0.2), _selected(0.2), _EVEN, False),
    "factor of four levels, line left": Setting(
        lambda s: 0.3 * s,
        _four_levels(lambda s: 0.3 * s),
        _seen(_four_levels(lambda s: 0.3 * s)),
    ),
    "factor of numbers with a bent influence, line left": Setting(
        lambda s: 0.3 * s,
        _bent_factor(lambda s: 0.3 * s),
        _seen(_bent_factor(lambda s: 0.3 * s)),
    ),
    "five groups, decisions": Setting(_line, _five_groups, np.repeat(np.arange(5) / 4, 400)),
    "flat, decisions": Setting(_flat, _decisions(_flat), _EVEN),
    "line, numbers of growing spread": Setting(_line, _growing_spread, _EVEN),
    "wave, decisions": Setting(_wave, _decisions(_wave), _EVEN),
}
"""Where bands and intervals must hold the truth."""


def _unrelated(rows: int, random: Random) -> Drawn:
    s, p = random.random((2, rows))
    return Drawn(p, s, np.ones(rows))


def _two_small_groups(rows: int, random: Random) -> Drawn:
    """Decisions in two groups of few rows: many shuffles give the very same score."""
    s = random.integers(0, 2, rows // 10).astype(float)
    return Drawn((random.random(len(s)) < 0.3).astype(float), s, np.ones(len(s)))


NOTHING_THERE: Final[dict[str, Setting]] = {
    "numbers": Setting(_nothing, _unrelated, _EVEN),
    "calibration": Setting(_nothing, _calibration(_nothing), _EVEN, False),
    "weights against selection": Setting(_nothing, _selected(0.0), _EVEN, False),
    "factor of four levels": Setting(_nothing, _four_levels(_nothing), _EVEN),
    "factor of numbers": Setting(_nothing, _bent_factor(_nothing), _EVEN),
    "two groups of 40, decisions": Setting(_nothing, _two_small_groups, _EVEN),
}
"""Where the mean is the same everywhere, and nothing should be found."""
