"""Rules that turn statistics into verdicts; stated once, the same for every claim."""

from collections.abc import Sequence
from math import isnan

import numpy as np

from frem_core.reproduction.front_comparison import FrontComparison
from frem_core.reproduction.report import Verdict

MARGIN = 0.10
"""Two fronts count as alike when their hypervolumes differ by at most this share."""


def superiority(comparisons: Sequence[FrontComparison]) -> Verdict:
    """Judges "ours is better than each of them" by the intervals of the hypervolume differences.

    Reproduced when all intervals lie above 0; partly when more of them lie above than below 0;
    not otherwise. Without two seeds each there is no interval and no verdict.
    """
    if not comparisons or any(one.seeds < 2 for one in comparisons):
        return Verdict.OPEN
    better = sum(one.outcome == "better" for one in comparisons)
    worse = sum(one.outcome == "worse" for one in comparisons)
    if better == len(comparisons):
        return Verdict.REPRODUCED
    return Verdict.PARTLY if better > worse else Verdict.NOT


def inferiority(comparisons: Sequence[FrontComparison]) -> Verdict:
    """Judges "the others are better than ours" by the same intervals."""
    if not comparisons or any(one.seeds < 2 for one in comparisons):
        return Verdict.OPEN
    worse = sum(one.outcome == "worse" for one in comparisons)
    better = sum(one.outcome == "better" for one in comparisons)
    if worse == len(comparisons):
        return Verdict.REPRODUCED
    return Verdict.PARTLY if worse > better else Verdict.NOT


def equivalence(comparisons: Sequence[FrontComparison], margin: float = MARGIN) -> Verdict:
    """Judges "it makes no difference" by intervals of the relative hypervolume differences.

    Reproduced when all intervals lie within ± margin; partly when all estimates do; not otherwise.
    """
    if not comparisons or any(one.seeds < 2 for one in comparisons):
        return Verdict.OPEN

    def within(*values: float) -> bool:
        return all(abs(value) <= margin for value in values)

    if all(within(one.relative(one.low), one.relative(one.high)) for one in comparisons):
        return Verdict.REPRODUCED
    if all(within(one.relative(one.difference)) for one in comparisons):
        return Verdict.PARTLY
    return Verdict.NOT


def not_worse(comparisons: Sequence[FrontComparison], margin: float = MARGIN) -> Verdict:
    """Judges "ours is comparable to each of them": no more than a margin behind, or ahead.

    Reproduced when no interval reaches below −margin of the other's hypervolume; partly when no
    estimate does; not otherwise.
    """
    if not comparisons or any(one.seeds < 2 for one in comparisons):
        return Verdict.OPEN
    if all(one.low >= -margin * one.other_area for one in comparisons):
        return Verdict.REPRODUCED
    close = all(one.difference >= -margin * one.other_area for one in comparisons)
    return Verdict.PARTLY if close else Verdict.NOT


def falling_trend(correlations: Sequence[float]) -> Verdict:
    """Judges "it falls as λ grows" by one rank correlation per seed.

    Reproduced when the mean plus two standard errors lies below −0.5; partly when below 0.
    """
    if len(correlations) < 2 or any(isnan(value) for value in correlations):
        return Verdict.OPEN
    values = np.asarray(correlations)
    upper = float(values.mean() + 2 * values.std(ddof=1) / np.sqrt(len(values)))
    if upper < -0.5:
        return Verdict.REPRODUCED
    return Verdict.PARTLY if upper < 0 else Verdict.NOT


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict for a claim with several parts, such as two datasets.

    Parts that are not tested yet are left out; agreeing parts keep their word; others are partly.
    """
    tested = {one for one in verdicts if one is not Verdict.OPEN}
    if not tested:
        return Verdict.OPEN
    return tested.pop() if len(tested) == 1 else Verdict.PARTLY


def no_gain(comparisons: Sequence[FrontComparison]) -> Verdict:
    """Judges "it does not get better" by the intervals of the hypervolume differences.

    Reproduced when no interval lies above 0; not when all do; partly otherwise.
    """
    if not comparisons or any(one.seeds < 2 for one in comparisons):
        return Verdict.OPEN
    gains = sum(one.outcome == "better" for one in comparisons)
    if gains == 0:
        return Verdict.REPRODUCED
    return Verdict.NOT if gains == len(comparisons) else Verdict.PARTLY
