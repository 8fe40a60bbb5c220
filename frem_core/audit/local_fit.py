"""Local regression along the cells of the sensitive attribute, and how smooth it should be."""

import numpy as np

from frem_core.types import Floats

SPANS = (0.07, 0.1, 0.15, 0.22, 0.33, 0.5)
"""Shares of the rows that a fit looks at around a point; the data choose among them."""
SPREAD_SPAN = 0.3
"""The share over which the spread of values is averaged: it changes slowly."""
_FEWEST_IN_SPAN = 75  # rows: a bent fit needs some thirty effective ones
_DEAR = 1.4  # what a degree of freedom costs; at 1 cross-validation follows noise too often
_WIDER = 1.05  # so that the last row in reach has some weight


def local_weights(x: Floats, mass: Floats, span: float, degree: int) -> Floats:
    """Weights of every cell in a local polynomial fit at every cell, (C, C).

    At a point the nearest rows that make up ``span`` of all are fitted by least squares, with
    weights ``1 - (distance / reach)²``: loess. A reach in rows instead of units of S fits crowds
    and tails alike. Degree 2 is exact for parabolas also at the ends.

    Args:
        x: rising positions, (C,).
        mass: rows of each, (C,).
        span: share of the mass in reach.
        degree: 0, 1 or 2; where too few cells are in reach for it, 0.
    """
    distance = np.abs(x[:, None] - x)
    order = np.argsort(distance, axis=1, kind="stable")
    covered = np.cumsum(mass[order], axis=1) / mass.sum()
    needed = np.maximum((covered < span * (1 - 1e-9)).sum(axis=1), degree + 2)
    last = np.take_along_axis(order, np.minimum(needed, len(x) - 1)[:, None], axis=1)
    reach = np.take_along_axis(distance, last, axis=1) * _WIDER
    g = (x - x[:, None]) / reach
    k0 = np.clip(1 - g * g, 0, None) * mass
    m0 = k0.sum(axis=1)
    constant = k0 / m0[:, None]
    if degree == 0:
        return np.asarray(constant)
    k1 = k0 * g
    k2 = k1 * g
    m1, m2 = k1.sum(axis=1), k2.sum(axis=1)
    if degree == 1:
        det = m0 * m2 - m1 * m1
        can = det > 1e-10 * m0 * m2
        det = np.where(can, det, 1.0)[:, None]
        fitted = (k0 * m2[:, None] - k1 * m1[:, None]) / det
        return np.asarray(np.where(can[:, None], fitted, constant))
    k3 = k2 * g
    m3, m4 = k3.sum(axis=1), (k3 * g).sum(axis=1)
    a0, a1, a2 = m2 * m4 - m3 * m3, m2 * m3 - m1 * m4, m1 * m3 - m2 * m2
    det = m0 * a0 + m1 * a1 + m2 * a2
    can = det > 1e-9 * m0 * m2 * m4
    det = np.where(can, det, 1.0)[:, None]
    fitted = (k0 * a0[:, None] + k1 * a1[:, None] + k2 * a2[:, None]) / det
    return np.asarray(np.where(can[:, None], fitted, constant))


class LocalFits:
    """Fits of cell means over all spans; the best span is found anew for every set of means.

    Few cells are not smoothed at all: their means are what is asked for.

    Args:
        x: rising positions, (C,).
        mass: rows of each, (C,).
        rows: how many rows there effectively are.
        within: mean squared deviation of rows from their cell's mean.
        smooth: whether to smooth; otherwise every cell stands for itself.
    """

    def __init__(
        self, x: Floats, mass: Floats, *, rows: float, within: float, smooth: bool
    ) -> None:
        self._share = mass / mass.sum()
        self._rows, self._within = rows, within
        if smooth:
            spans = [span for span in SPANS if span * rows >= _FEWEST_IN_SPAN] or [SPANS[-1]]
            self._straight = [local_weights(x, mass, span, 1) for span in spans]
            self.weights = [local_weights(x, mass, span, 2) for span in spans]
            self._level = local_weights(x, mass, SPREAD_SPAN, 0)
            self._trend = local_weights(x, mass, SPREAD_SPAN, 1)
        else:
            self._straight = self.weights = [np.eye(len(x))]
            self._level = self._trend = np.eye(len(x))
        self._price = [
            (1 - min(0.9, _DEAR * float(np.trace(one)) / max(rows, 1.0))) ** 2
            for one in self._straight
        ]

    def spread(self, squares: Floats, counted: Floats) -> Floats:
        """Variance along S from sums of squares by cell and how many rows they count for."""
        known = counted > 0
        own = np.divide(squares, counted, out=np.zeros_like(squares), where=known)
        # Cells without an own estimate are left to their neighbours.
        level = _known_average(self._level, own, known)
        trend = _known_average(self._trend, own, known)
        return np.maximum(trend, 0.5 * level)

    def choose(self, means: Floats) -> np.ndarray:
        """Place of the best span for every row of means, (B, C) → (B,).

        The span is best for a straight local fit by generalised cross-validation. What is shown
        is the bent fit of that span, whose bias is of a lower order: so bands need no room for it.
        """
        if len(self.weights) == 1:
            return np.zeros(len(means), dtype=np.intp)
        losses = []
        for weights, price in zip(self._straight, self._price, strict=True):
            misfit = means - means @ weights.T
            losses.append((self._within + (misfit * misfit) @ self._share) / price)
        return np.asarray(np.argmin(losses, axis=0))

    def straight_fit(self, means: Floats, place: int) -> Floats:
        """The straight local fit of one span, (C,)."""
        return np.asarray(self._straight[place] @ means)

    def together(self, means: Floats) -> Floats:
        """The fits of several columns of cell means by the one span that suits all, (C, D)."""
        losses = [
            (self._within + self._share @ ((means - weights @ means) ** 2).sum(axis=1)) / price
            for weights, price in zip(self._straight, self._price, strict=True)
        ]
        return np.asarray(self.weights[int(np.argmin(losses))] @ means)

    def fit(self, means: Floats, chosen: np.ndarray) -> Floats:
        """The fits of these spans, (B, C)."""
        fits = np.empty_like(means)
        for place in np.unique(chosen):
            here = chosen == place
            fits[here] = means[here] @ self.weights[place].T
        return fits


def _known_average(weights: Floats, values: Floats, known: np.ndarray) -> Floats:
    total = weights @ known
    sums = weights @ (values * known)
    return np.asarray(np.divide(sums, total, out=np.zeros(len(total)), where=total > 0))
