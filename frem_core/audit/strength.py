"""How strong a dependence may be: an interval for a score that is never below 0 by itself.

A score such as ΔGDP is a length: noise makes it larger, never smaller, so that a plain bootstrap
interval lies too high and leaves 0 out even where nothing depends on anything. Here the question
is turned round. The dependence that was found is made t times as strong, from t = 0 (none)
upwards; for each t samples of the same size are drawn and scored, noise and all. The interval
holds the t for which the score that was observed is nothing unusual. At t = 0 only large scores
are unusual, further out both sides count alike (as Feldman and Cousins, 1998, have it), so that
the interval leaves out 0 where a test at the same level finds something.
"""

from collections.abc import Callable, Container, Mapping

import numpy as np

from frem_core.types import Floats

_POINTS = 11
_REACH = 4.0  # standard deviations around what was found within which strengths are tried
_PILOTS = (0.0, 0.5, 1.0, 2.0, 4.0)
_STRONGEST = 12.0
_FAR = 1.64  # standard deviations from 0 at which both sides count alike

Sample = Callable[[float, int], Mapping[str, Floats]]
Truth = Callable[[float], Mapping[str, float]]


def score_intervals(
    observed: Mapping[str, float],
    sample: Sample,
    truth: Truth,
    *,
    confidence: float,
    falling: Container[str] = (),
) -> dict[str, tuple[float, float]]:
    """Returns the ends of the interval of every score.

    Args:
        observed: the scores of the data.
        sample: scores of many samples at a strength t, (B,) each; the second argument is a seed.
        truth: the scores of the dependence itself at a strength t, without noise.
        confidence: e.g. 0.95.
        falling: scores that fall as the dependence grows stronger, such as a ratio.
    """
    pilots = [sample(t, k) for k, t in enumerate(_PILOTS)]
    none, first, last = pilots[0], _STRONGEST, 0.0
    for name, value in observed.items():
        low, high = _region(value, np.array([one[name] for one in pilots]))
        first, last = min(first, low), max(last, high)
    strengths = np.linspace(first, last, _POINTS)
    if first > 0:
        strengths = np.concatenate([[0.0], strengths])
    draws = [none, *(sample(float(t), len(_PILOTS) + k) for k, t in enumerate(strengths[1:]))]
    truths = [truth(float(t)) for t in strengths]
    ends = {}
    for name, value in observed.items():
        sign = -1.0 if name in falling else 1.0
        low, high = _interval(
            sign * value,
            sign * np.array([one[name] for one in draws]),
            sign * np.array([one[name] for one in truths]),
            strengths,
            1.0 - confidence,
        )
        ends[name] = (low, high) if sign > 0 else (-high, -low)
    return ends


def _region(observed: float, pilots: Floats) -> tuple[float, float]:
    """The strengths that may have given the observed score, generously."""
    means, spread = np.abs(pilots.mean(axis=1) - pilots[0].mean()), pilots.std(axis=1).max()
    rising = np.maximum.accumulate(means)
    reached = abs(observed - float(pilots[0].mean()))
    centre, far, near = (
        float(np.interp(level, rising, _PILOTS))
        for level in (reached, reached + _REACH * spread, reached - _REACH * spread)
    )
    if reached + _REACH * spread > rising[-1]:
        slope = rising[-1] / _PILOTS[-1]
        far = (reached + _REACH * spread) / slope if slope > 0 else _STRONGEST
    return max(0.0, near), min(max(far, centre + 0.05), _STRONGEST)


def _interval(
    observed: float, draws: Floats, truths: Floats, strengths: Floats, error: float
) -> tuple[float, float]:
    if truths[-1] <= truths[0]:
        return float(truths[0]), float(truths[0])
    below, above = _usual(draws, error)
    t = np.linspace(strengths[0], strengths[-1], 801)
    truth = np.interp(t, strengths, truths)
    q_low, q_high = (_between(t, strengths, one) for one in (below, above))
    possible = np.flatnonzero((q_low <= observed) & (observed <= q_high))
    if len(possible) == 0 and observed > q_high.max():  # more than all that was tried
        return float(truth[0]), float(truth[-1])
    if len(possible) == 0:  # hardly any noise: usual scores lie between two strengths
        nearest = int(np.maximum(q_low - observed, observed - q_high).argmin())
        possible = np.array([max(nearest - 1, 0), min(nearest + 1, len(t) - 1)])
    return float(truth[possible[0]]), float(truth[possible[-1]])


def _usual(draws: Floats, error: float) -> tuple[Floats, Floats]:
    """The range of usual scores at each strength."""
    shift = (draws.mean(axis=1) - draws[0].mean()) / max(float(draws[0].std()), 1e-300)
    lower = (error / 2) * np.clip(shift / _FAR, 0, 1)
    above = [np.quantile(row, 1 - error + low) for row, low in zip(draws, lower, strict=True)]
    below = [np.quantile(row, low) for row, low in zip(draws, lower, strict=True)]
    below[0] = -np.inf  # nothing is too small to be chance
    return np.array(below), np.array(above)


def _between(t: Floats, strengths: Floats, quantiles: Floats) -> Floats:
    """Quantiles along t: those of a few hundred draws jump about, the true ones are smooth."""
    known = np.isfinite(quantiles)
    fitted = np.polynomial.Polynomial.fit(strengths[known], quantiles[known], 3)(t)
    # At 0, where the curve bends, the many draws themselves are better than a polynomial.
    if known[0] and len(strengths) > 1:
        near = np.clip(1 - t / strengths[1], 0, 1)
        fitted = near * quantiles[0] + (1 - near) * fitted
    else:
        fitted = np.where(t <= 0, -np.inf, fitted)
    return np.asarray(fitted)
