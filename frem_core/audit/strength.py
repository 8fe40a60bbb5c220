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
_ENDS = (
    0.0,
    0.1,
    0.2,
    0.35,
    0.5,
    0.65,
    0.8,
    0.9,
    1.1,
    1.25,
    1.5,
    1.8,
    2.2,
    3.0,
    4.0,
    6.0,
    8.0,
    12.0,
)
_STRONGEST = _ENDS[-1]
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
    room: Mapping[str, float] | None = None,
) -> dict[str, tuple[float, float]]:
    """Returns the ends of the interval of every score.

    Args:
        observed: the scores of the data.
        sample: scores of many samples at a strength t, (B,) each; the second argument is a seed.
        truth: the scores of the dependence itself at a strength t, without noise.
        confidence: e.g. 0.95.
        falling: scores that fall as the dependence grows stronger, such as a ratio.
        room: for scores that compare extremes, how much of what noise raises them by the upper end
            makes room for, 0 to 1. Noise raises extremes where several places are about equally far
            out, and hardly where one is ahead. The more the dependence that samples are drawn from
            is itself shaped by noise, the less it tells which of both is the case: 1 where it is
            the noisy estimate, less where it is a smoother one.
    """
    pilots = [sample(t, k) for k, t in enumerate(_PILOTS)]
    drawn: dict[tuple[float, float], tuple[Floats, list[Mapping[str, Floats]]]] = {}
    ends = {}
    for name, value in observed.items():
        sign = -1.0 if name in falling else 1.0
        # Where one score is wide, others would be read coarsely: only alike ones share strengths.
        region = _region(value, np.array([one[name] for one in pilots]))
        if region not in drawn:
            strengths, first = np.linspace(*region, _POINTS), len(_PILOTS) + len(drawn) * _POINTS
            samples = [sample(float(t), first + k) for k, t in enumerate(strengths)]
            drawn[region] = strengths, samples
        strengths, samples = drawn[region]
        low, high = _interval(
            sign * value,
            sign * pilots[0][name],
            sign * np.array([one[name] for one in samples]),
            sign * np.array([truth(float(t))[name] for t in strengths]),
            strengths,
            1.0 - confidence,
            room=(room or {}).get(name, 0.0),
        )
        ends[name] = (low, high) if sign > 0 else (-high, -low)
    return ends


def _region(observed: float, pilots: Floats) -> tuple[float, float]:
    """The strengths that may have given the observed score, generously, between two of a few."""
    means, spreads = np.abs(pilots.mean(axis=1) - pilots[0].mean()), pilots.std(axis=1)
    rising = np.maximum.accumulate(means)
    reached = abs(observed - float(pilots[0].mean()))
    centre = float(np.interp(reached, rising, _PILOTS))
    spread = float(max(np.interp(centre, _PILOTS, spreads), spreads[0]))
    far, near = (
        float(np.interp(level, rising, _PILOTS))
        for level in (reached + _REACH * spread, reached - _REACH * spread)
    )
    if reached + _REACH * spread > rising[-1]:
        slope = rising[-1] / _PILOTS[-1]
        far = (reached + _REACH * spread) / slope if slope > 0 else _STRONGEST
    first, last = np.searchsorted(_ENDS, [max(near, 0.0) + 1e-12, max(far, centre + 0.05)])
    return _ENDS[first - 1], _ENDS[min(last, len(_ENDS) - 1)]


def _interval(
    observed: float,
    none: Floats,
    draws: Floats,
    truths: Floats,
    strengths: Floats,
    error: float,
    *,
    room: float,
) -> tuple[float, float]:
    if truths[-1] <= truths[0]:
        return float(truths[0]), float(truths[0])
    below, above = _usual(none, draws, error)
    below -= room * np.clip(draws.mean(axis=1) - truths, 0.0, None)
    if strengths[0] == 0:
        below[0] = -np.inf  # nothing is too small to be chance
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


def _usual(none: Floats, draws: Floats, error: float) -> tuple[Floats, Floats]:
    """The range of usual scores at each strength."""
    shift = (draws.mean(axis=1) - none.mean()) / max(float(none.std()), 1e-300)
    lower = (error / 2) * np.clip(shift / _FAR, 0, 1)
    # This kind of quantile is exceeded by a further draw as often as it says, on average.
    pairs = [
        np.quantile(row, [low, 1 - error + low], method="weibull")
        for row, low in zip(draws, lower, strict=True)
    ]
    below, above = np.array(pairs).T
    return below, above


def _between(t: Floats, strengths: Floats, quantiles: Floats) -> Floats:
    """Quantiles along t: those of a few hundred draws jump about, the true ones are smooth."""
    known = np.isfinite(quantiles)
    fitted = np.polynomial.Polynomial.fit(strengths[known], quantiles[known], 3)(t)
    if strengths[0] > 0:
        return np.asarray(fitted)
    if not known[0]:
        return np.where(t <= 0, -np.inf, fitted)
    # At 0, where the curve bends, the many draws themselves are better than a polynomial.
    near = np.clip(1 - t / strengths[1], 0, 1)
    return np.asarray(near * quantiles[0] + (1 - near) * fitted)
