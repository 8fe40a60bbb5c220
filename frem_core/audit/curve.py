"""E[v | S] along the sensitive attribute: the fit, its band, and scores read off it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from frem_core.audit.cells import Cells
from frem_core.audit.local_fit import LocalFits
from frem_core.audit.strength import score_intervals
from frem_core.metrics.sensitive_grid import GRID, gdp_bandwidth
from frem_core.types import Floats

MOST_GROUPS: Final = 10
"""With at most so many different values of S, each one stands for itself: nothing is smoothed."""
FEWEST_ROWS: Final = 30
"""Effective rows below which a value along S says nothing by itself."""
CURVE_SCORES: Final = ("gap", "range", "ratio", "gdp")
_ROOM = 0.3  # for what noise raises a range by, where the straight fit tells about how much
_POWER_DRAWS = 600
_ROUNDING = 1e-12
_COARSE = 5  # every so many points of GDP's grid will do for resamples


@dataclass(frozen=True, eq=False)
class Band:
    """A curve between two others that hold it everywhere at once, with the stated confidence."""

    mean: Floats
    low: Floats
    high: Floats


class Curve:
    """The mean of a value along S.

    Rows enter through sums by cell of S only, so that what comes after costs the same for a
    thousand rows and for a million.

    Args:
        values: (n,), e.g. predictions.
        cells: of S scaled to [0, 1].
        weights: of the rows, (n,).
        n_resamples: how many resamples each interval rests on.
        confidence: of intervals and bands.
        random_state: seed of the resamples.
        offset: (n,), where values are yes or no less something known, such as outcomes less the
            probabilities they were given.

    Attributes:
        x: positions along S in [0, 1], (C,).
        share: of the weight at each, (C,).
        fitted: the estimate of E[v | S], (C,).
        overall: the mean of all values.
        effective: rows that effectively speak at each position, (C,).
        spread: variance of single values around the curve, (C,).
    """

    def __init__(
        self,
        values: Floats,
        cells: Cells,
        weights: Floats,
        *,
        n_resamples: int = 200,
        confidence: float = 0.95,
        random_state: int = 0,
        offset: Floats | None = None,
    ) -> None:
        self.x, self.mass = cells.position, cells.mass
        self.share = cells.mass / cells.mass.sum()
        self.n_resamples, self.confidence, self.random_state = n_resamples, confidence, random_state
        self.rows = float(weights.sum() ** 2 / (weights**2).sum())
        self.means = cells.sums(weights * values) / cells.mass
        self.squares = cells.sums(weights**2)
        self.is_smooth = not (cells.is_exact and len(cells) <= MOST_GROUPS)
        within = float((weights * values**2).sum() / weights.sum() - self.share @ self.means**2)
        self.fits = LocalFits(
            self.x, cells.mass, rows=self.rows, within=max(within, 0.0), smooth=self.is_smooth
        )
        self.chosen = int(self.fits.choose(self.means[None])[0])
        self.weights = self.fits.weights[self.chosen]
        self.size, varies = float(np.abs(values).max()), bool(np.ptp(values) > 0)
        self.fitted = self.weights @ self.means if varies else np.full(len(cells), values[0])
        self.overall = float(self.share @ self.means) if varies else float(values[0])
        self.effective = 1.0 / ((self.weights**2) @ (self.squares / self.mass**2))
        self.is_binary = bool(np.isin(values, (0.0, 1.0)).all())
        self._offset: Floats | None = np.zeros(len(cells)) if self.is_binary else None
        if offset is not None and np.isin(np.round(values + offset, 9), (0.0, 1.0)).all():
            self._offset = self.weights @ (cells.sums(weights * offset) / cells.mass)
        self._is_even = bool(np.ptp(weights) <= 1e-9 * weights.max())
        varies = varies or self.is_binary  # no event among a few rows does not mean there are none
        self.spread = self._spread_of(values, cells, weights) * varies
        self.variance = self.spread * self.squares / self.mass**2  # of each cell's mean
        self.can_have_ratio = bool(values.min() >= 0 and self.overall > 0)
        self._trials = cells.rows if self.is_binary and self._is_even else None

    def _spread_of(self, values: Floats, cells: Cells, weights: Floats) -> Floats:
        """Variance of single values around the curve, averaged over neighbours along S."""
        first = cells.sums(weights**2 * values)
        second = cells.sums(weights**2 * values**2)
        alone = self.squares / self.mass**2  # 1 where a cell holds a single row
        if self._is_even and self.squares @ (1 - alone) > 0.5 * self.squares.sum():
            # Rows of the same cell differ by noise alone, whatever the curve is. With weights
            # the heaviest row draws the mean of its cell to itself and would seem too exact.
            centre, counted = self.means, self.squares * (1 - alone)
        else:
            own = np.clip(np.diag(self.weights) * alone, 0, 0.9)
            centre, counted = self.fitted, self.squares * (1 - own) ** 2
        squares = (second - 2 * centre * first + centre**2 * self.squares).clip(min=0.0)
        spread = self.fits.spread(squares, counted)
        if self.is_binary:
            rate = (self.effective * self.fitted.clip(0, 1) + 1) / (self.effective + 2)
            spread = np.maximum(spread, rate * (1 - rate))
        return spread

    @cached_property
    def _noise(self) -> Floats:
        """Errors of the cell means in resamples, (B, C)."""
        random = np.random.default_rng([self.random_state, 1])
        shape = max(self.n_resamples, 200), len(self.x)
        return random.standard_normal(shape) * np.sqrt(self.variance)

    def band(self, *, of_difference: bool = False) -> Band:
        """The estimate with a band that holds the whole true curve with the stated confidence.

        Resamples choose their own span, as the data did; so the band has room for the choice.

        Args:
            of_difference: from the overall mean, instead of the curve itself.
        """
        centre = self.share if of_difference else np.zeros_like(self.share)
        contrasts = [one - centre for one in self.fits.weights]
        errors = [np.sqrt(one**2 @ self.variance) for one in contrasts]
        # The bent fit follows noise too much to stand for the truth that resamples come from.
        assumed = self.fits.straight_fit(self.means, self.chosen)
        chosen = self.fits.choose(assumed + self._noise)
        widest = np.empty(len(chosen))
        mean = self.fitted - (self.overall if of_difference else 0.0)
        truth = assumed - centre @ assumed if of_difference else assumed
        for place in np.unique(chosen):
            here = chosen == place
            apart = (assumed + self._noise[here]) @ contrasts[place].T - truth
            error = np.where(errors[place] > 0, errors[place], np.inf)
            widest[here] = np.abs(apart / error).max(axis=1)
        wide = float(np.quantile(widest, self.confidence))
        if self._offset is not None and self.is_smooth and not of_difference:
            return self._band_of_shares(mean, self._offset, wide, errors[self.chosen])
        return Band(mean, mean - wide * errors[self.chosen], mean + wide * errors[self.chosen])

    def _band_of_shares(self, mean: Floats, offset: Floats, wide: float, error: Floats) -> Band:
        """Wilson's: a share near 0 or 1 scatters the more the further away from there it truly is.

        The error counts for as many rows as would give it.
        """
        share = (mean + offset).clip(0.0, 1.0)
        rows = share * (1 - share) / np.maximum(error, 1e-300) ** 2
        squared = wide**2 / np.where(rows > 1.0, rows, self.effective)
        centre = (share + squared / 2) / (1 + squared)
        reach = np.sqrt(squared * share * (1 - share) + squared**2 / 4) / (1 + squared)
        low, high = centre - reach - offset, centre + reach - offset
        return Band(mean, np.minimum(low, mean), np.maximum(high, mean))

    def against_rest(self, inside: np.ndarray) -> Band:
        """Differences of the curve at some positions from the mean of all others, with a band."""
        rest = np.where(inside, 0.0, self.share)
        contrast = self.weights[inside] - rest / rest.sum()
        mean, error = contrast @ self.means, np.sqrt(contrast**2 @ self.variance)
        apart = np.abs(self._noise @ contrast.T) / np.where(error > 0, error, np.inf)
        reach = np.quantile(apart.max(axis=1), self.confidence) * error
        return Band(mean, mean - reach, mean + reach)

    @cached_property
    def speaking(self) -> np.ndarray:
        """Positions whose values count in scores: all groups, or those with enough rows."""
        enough = self.effective >= FEWEST_ROWS
        if not self.is_smooth or not enough.any():
            return np.ones_like(enough)
        return np.asarray(enough)

    def scores_of(self, means: Floats, shares: Floats | None = None) -> dict[str, Floats]:
        """Every score for many sets of cell means, (B, C) → (B,) each."""
        return self._read(self.fits.fit(means, self.fits.choose(means)), means, shares)

    def _read(self, fits: Floats, means: Floats, shares: Floats | None) -> dict[str, Floats]:
        share = self.share if shares is None else shares
        overall = (share * means).sum(axis=1, keepdims=True)
        seen = fits[:, self.speaking]
        top, bottom = seen.max(axis=1), seen.min(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(top > 0, bottom / top, np.nan)  # below 0 for fits that overshoot
        pull = (share * (means - overall)) @ self._grid.T
        gdp = np.abs(pull).sum(axis=1) / (share @ self._grid.T).sum(axis=-1)
        return {
            "gap": (share * np.abs(fits - overall)).sum(axis=1),
            "range": top - bottom,
            "ratio": ratio,
            "gdp": gdp,
        }

    @cached_property
    def _grid(self) -> Floats:
        h = gdp_bandwidth(max(int(self.rows), 1), None)
        return np.asarray(np.exp(-0.5 * ((GRID[::_COARSE, None] - self.x) / h) ** 2))

    @cached_property
    def observed(self) -> dict[str, float]:
        """The scores of the data, computed as those of resamples."""
        return {name: float(one[0]) for name, one in self.scores_of(self.means[None]).items()}

    def intervals(self, wanted: Sequence[str] = CURVE_SCORES) -> Mapping[str, tuple[float, ...]]:
        """Ends of the interval of some scores; values below 0 have no ratio.

        Samples for the range come from the straight fit. The bent one has humps that noise made:
        around these, noise raises samples at more places than it raised the data.
        """
        possible = [name for name in wanted if name != "ratio" or self.can_have_ratio]
        if not self.is_smooth:
            return self._intervals(possible, self.fitted, {"range": 1.0, "ratio": 1.0})
        others = [name for name in possible if name != "range"]
        ends = self._intervals(others, self.fitted, {"ratio": 1.0}) if others else {}
        if "range" in possible:
            straight = self.fits.straight_fit(self.means, self.chosen)
            ends |= self._intervals(["range"], straight, {"range": _ROOM})
        return {name: ends[name] for name in possible}

    def _intervals(
        self, names: Sequence[str], shape: Floats, room: Mapping[str, float]
    ) -> dict[str, tuple[float, ...]]:
        found = shape - self.share @ shape
        size = len(self._noise), len(self.x)

        def curve(t: float) -> Floats:
            moved = self.overall + t * found
            return np.asarray(moved.clip(0.0, 1.0) if self.is_binary else moved)

        def sample(t: float, seed: int) -> Mapping[str, Floats]:
            random = np.random.default_rng([self.random_state, 2, seed])
            means = self._drawn_means(curve(t), size, random)
            drawn = random.poisson(self.rows * self.share, size)  # S is drawn anew as well
            shares = drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1)
            return self.scores_of(means, shares)

        def truth(t: float) -> Mapping[str, float]:
            centre = curve(t)[None]
            return {name: float(one[0]) for name, one in self._read(centre, centre, None).items()}

        observed = {name: self.observed[name] for name in names}
        ends = score_intervals(
            observed, sample, truth, confidence=self.confidence, falling=("ratio",), room=room
        )
        return {name: self.possible(name, *one) for name, one in ends.items()}

    def _drawn_means(
        self, curve: Floats, size: tuple[int, int], random: np.random.Generator
    ) -> Floats:
        """Cell means of samples whose true curve this is, (B, C).

        Yes or no is drawn as such: near 0 a share scatters less, and more upwards than downwards.
        """
        if self._trials is not None:
            return np.asarray(random.binomial(self._trials, curve, size) / self._trials)
        return np.asarray(curve + random.standard_normal(size) * np.sqrt(self.variance))

    def possible(self, name: str, *values: float) -> tuple[float, ...]:
        """Values of a score within what it can be: a ratio from 0, a range of shares up to 1."""
        most = 1.0 if name == "range" and self.is_binary else np.inf
        possible = (float(np.clip(one, 0.0, most)) for one in values)
        tiny = _ROUNDING * (1.0 if name == "ratio" else self.size)
        return tuple(one if abs(one) > tiny else 0.0 for one in possible)

    def smallest_effect(self, *, power: float = 0.8, level: float = 0.05) -> float:
        """The difference between both ends of S that a straight line needs to be found.

        Found means: the test of the mean gap rejects at ``level``; the effect is found with
        probability ``power``. Where all values are the same it is 0.
        """
        if self.spread.max() <= _ROUNDING * self.size**2:
            return 0.0
        line = self.x - self.share @ self.x
        random = np.random.default_rng([self.random_state, 9])
        noise = random.standard_normal((_POWER_DRAWS, len(self.x))) * np.sqrt(self.variance)
        # With finitely many shuffles a p-value below the level is a little rarer.
        needed = np.quantile(self.scores_of(noise)["gap"], 1 - 0.9 * level)
        low, high = 0.0, 6.0 * float(np.sqrt(self.spread.mean())) + 1e-12

        def found(effect: float) -> float:
            return float((self.scores_of(effect * line + noise)["gap"] > needed).mean())

        for _ in range(20):
            if found(high) > power:
                break
            high *= 2
        for _ in range(14):
            middle = (low + high) / 2
            low, high = (low, middle) if found(middle) >= power else (middle, high)
        return high
