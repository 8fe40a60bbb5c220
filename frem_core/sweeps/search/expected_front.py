"""What settings that were not trained would add to a front, judged by those that were.

Scores follow λ along a curve that is much the same for all other settings: these move it along λ
(with a larger γ the same λ does less) and bend it a little. A Gaussian process that expects this
says what to expect of a setting, and how sure that is, from a handful of trainings already.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from frem_core.sweeps.search.search_spec import WEIGHT
from frem_core.types import Floats

# Shares of the range of a setting (log scale) over which scores change much.
_LENGTH_OF_WEIGHT, _LENGTH = 0.2, 0.6
# Shares of the variance of scores: what settings beside λ bring about, and noise.
_OF_OTHERS, _NOISE = 0.3, 0.01
# How far other settings may move the curve along λ, as shares of the ranges, and how little is
# believed of that from few trainings.
_MOST_MOVED, _DOUBT = 0.6, 0.3
# Standard errors by which what is uncertain counts as better than expected: it is worth a look.
_OPTIMISM: Final = 0.3
_CELLS: Final = 200  # of the fairness axis, along which areas are summed


@dataclass(frozen=True)
class Trial:
    """A setting that was trained, or is being trained.

    Attributes:
        settings: values by setting.
        prediction: its prediction score, higher is better; None while it is trained.
        fairness: its fairness score, lower is fairer; None while it is trained.
        lead: by how much it beats the best constant, beyond two standard errors.
    """

    settings: Mapping[str, float]
    prediction: float | None = None
    fairness: float | None = None
    lead: float = 1.0

    @property
    def is_useful(self) -> bool:
        """Whether it is trained and beats the constant."""
        return self.fairness is not None and self.lead > 0


@dataclass(frozen=True, eq=False)
class ExpectedFront:
    """A front as it is, and what settings are expected to add to it.

    Attributes:
        space: lower and upper end by setting.
        tried: (n, d) the trained settings, each from 0 to 1 within its range.
        scores: (n, 3) their prediction, fairness and lead over the constant.
        at_most: what lies far above this fairness score adds nothing.
    """

    space: Mapping[str, tuple[float, float]]
    tried: Floats
    scores: Floats
    at_most: float | None = None

    @classmethod
    def of(
        cls,
        trials: Sequence[Trial],
        space: Mapping[str, tuple[float, float]],
        at_most: float | None = None,
    ) -> "ExpectedFront":
        """Learns from the finished ones of these trials."""
        done = [one for one in trials if one.prediction is not None and one.fairness is not None]
        scores = [(one.prediction, one.fairness, one.lead) for one in done]
        tried = np.array([_within(space, one.settings) for one in done])
        return cls(space, tried, np.array(scores, dtype=np.float64), at_most)

    def best_weights(
        self, shared: Mapping[str, float], weights: Floats, count: int
    ) -> tuple[list[float], float]:
        """Of these λ those that add most to the front, one after the other, and what all add.

        Args:
            shared: the settings beside λ.
            weights: candidates.
            count: how many to take.

        Returns:
            The λ, and the area that they are expected to add, in units of the scores.
        """
        places = np.array([_within(self.space, {WEIGHT: one, **shared}) for one in weights])
        mean, error = self._expected(places)
        prediction = mean[:, 0] + _OPTIMISM * error[:, 0]
        fairness = mean[:, 1] - _OPTIMISM * error[:, 1]
        useful = mean[:, 2] + _OPTIMISM * error[:, 2] > 0
        edges, reached = self._reached()
        chosen: list[float] = []
        added = 0.0
        dominated = (fairness[:, None] <= edges) & useful[:, None]  # (candidates, cells)
        width = edges[1] - edges[0]
        for _ in range(count):
            gains = np.where(dominated, np.maximum(prediction[:, None] - reached, 0.0), 0.0)
            areas = gains.sum(axis=1) * width
            best = int(areas.argmax())
            if areas[best] <= 0:
                break
            chosen.append(float(weights[best]))
            added += float(areas[best])
            reached = reached + gains[best]
        return chosen, added

    def _reached(self) -> tuple[Floats, Floats]:
        """The fairness axis in cells, and the best prediction so far within each of them."""
        prediction, fairness, lead = self.scores.T
        useful = lead > 0
        worst = float(fairness.max())
        if self.at_most is not None:
            worst = min(worst, 1.3 * self.at_most)
        edges = np.linspace(0.0, max(worst, 1e-9), _CELLS)
        # The best constant is worth nothing; below it models do not count.
        floor = float(np.median(prediction - lead))
        dominated = (fairness[useful, None] <= edges) & np.ones_like(edges, dtype=bool)
        values = np.where(dominated, prediction[useful, None], floor)
        return edges, np.maximum(values.max(axis=0, initial=floor), floor)

    def _expected(self, places: Floats) -> tuple[Floats, Floats]:
        """Mean and standard error (k, 3) of the scores at places (k, d)."""
        centre, spread = self.scores.mean(axis=0), self.scores.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        among = self._similarity(self.tried) + _NOISE * np.eye(len(self.tried))
        across = self._similarity(places)
        solved = np.linalg.solve(among, across.T)  # (n, k)
        mean = centre + spread * (solved.T @ ((self.scores - centre) / spread))
        left = np.clip(1.0 - (across.T * solved).sum(axis=0), 0.0, 1.0)
        return mean, np.sqrt(left)[:, None] * spread

    def _similarity(self, places: Floats) -> Floats:
        """How much scores at places (k, d) have in common with those of the trained ones (k, n)."""
        effect = places @ self._moves
        along = effect[:, None] - (self.tried @ self._moves)[None]
        weight = np.exp(-0.5 * (along / _LENGTH_OF_WEIGHT) ** 2)
        beside = (places[:, None] - self.tried[None])[..., ~self._is_weight]
        others = np.exp(-0.5 * (beside**2).sum(axis=-1) / _LENGTH**2)
        similarity: Floats = weight * (1 - _OF_OTHERS + _OF_OTHERS * others)
        return similarity

    @cached_property
    def _is_weight(self) -> NDArray[np.bool_]:
        return np.array([name == WEIGHT for name in self.space])

    @cached_property
    def _moves(self) -> Floats:
        """Where settings (d,) lie along the curve: λ counts 1, others as far as trainings tell.

        Unfairness is a falling logistic curve of that, fitted by least squares.
        """
        fairness = self.scores[:, 1]
        size = float(np.ptp(fairness)) or 1.0
        share = np.clip((fairness - fairness.min()) / size, 0.05, 0.95)
        level = np.log(share / (1 - share))
        columns = self.tried - self.tried.mean(axis=0)
        doubt = np.diag(np.where(self._is_weight, 0.0, _DOUBT))
        slopes = np.linalg.solve(
            columns.T @ columns + doubt + 1e-9 * np.eye(len(self.space)),
            columns.T @ (level - level.mean()),
        )
        falls = float(-slopes[self._is_weight].sum())
        if falls <= 0:
            return self._is_weight.astype(np.float64)
        moves = np.clip(-slopes / falls, -_MOST_MOVED, _MOST_MOVED)
        return np.where(self._is_weight, 1.0, moves)


def _within(space: Mapping[str, tuple[float, float]], settings: Mapping[str, float]) -> list[float]:
    """Settings as shares of their ranges (log scale); one that is missing is in the middle."""
    return [
        float(np.log(settings[name] / low) / np.log(high / low)) if name in settings else 0.5
        for name, (low, high) in space.items()
    ]
