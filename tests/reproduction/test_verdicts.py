"""Verdicts and the statistics behind them, against cases worked out by hand."""

from math import nan

import pandas as pd
import pytest

from frem_core.reproduction import FrontComparison, Verdict, compare_fronts, verdicts


def comparison(
    low: float, high: float, *, seeds: int = 5, other_area: float = 1.0
) -> FrontComparison:
    return FrontComparison(
        ours="frem",
        other="mmd:median",
        prediction="accuracy",
        fairness="gdp",
        area=other_area + (low + high) / 2,
        other_area=other_area,
        low=low,
        high=high,
        wins=0,
        seeds=seeds,
    )


BETTER, WORSE, UNDECIDED = comparison(0.1, 0.3), comparison(-0.3, -0.1), comparison(-0.1, 0.2)


@pytest.mark.parametrize(
    ("comparisons", "verdict"),
    [
        ([BETTER, BETTER], Verdict.REPRODUCED),
        ([BETTER, UNDECIDED], Verdict.PARTLY),
        ([BETTER, BETTER, WORSE], Verdict.PARTLY),
        ([BETTER, WORSE], Verdict.NOT),
        ([UNDECIDED], Verdict.NOT),
        ([], Verdict.OPEN),
        ([BETTER, comparison(nan, nan, seeds=1)], Verdict.OPEN),
    ],
)
def test_superiority(comparisons: list[FrontComparison], verdict: Verdict) -> None:
    assert verdicts.superiority(comparisons) is verdict


def test_inferiority_is_superiority_seen_from_the_other_side() -> None:
    assert verdicts.inferiority([WORSE]) is Verdict.REPRODUCED
    assert verdicts.inferiority([WORSE, UNDECIDED]) is Verdict.PARTLY
    assert verdicts.inferiority([BETTER]) is Verdict.NOT


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.09, 0.09, Verdict.REPRODUCED),
        (-0.04, 0.20, Verdict.PARTLY),
        (0.11, 0.30, Verdict.NOT),
    ],
)
def test_equivalence_looks_at_shares_of_the_area(low: float, high: float, verdict: Verdict) -> None:
    assert verdicts.equivalence([comparison(low, high)]) is verdict
    smaller = comparison(low / 10, high / 10, other_area=0.1)
    assert verdicts.equivalence([smaller]) is verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.09, 0.09, Verdict.REPRODUCED),
        (0.11, 0.30, Verdict.REPRODUCED),  # better than comparable
        (-0.15, 0.05, Verdict.PARTLY),
        (-0.25, 0.01, Verdict.NOT),
    ],
)
def test_not_worse_allows_a_margin(low: float, high: float, verdict: Verdict) -> None:
    assert verdicts.not_worse([comparison(low, high)]) is verdict
    assert verdicts.not_worse([comparison(low / 10, high / 10, other_area=0.1)]) is verdict
    assert verdicts.not_worse([comparison(low, high, seeds=1)]) is Verdict.OPEN
    assert verdicts.not_worse([BETTER, comparison(low, high)]) is verdict


def test_no_gain() -> None:
    assert verdicts.no_gain([WORSE, UNDECIDED]) is Verdict.REPRODUCED
    assert verdicts.no_gain([BETTER, UNDECIDED]) is Verdict.PARTLY
    assert verdicts.no_gain([BETTER]) is Verdict.NOT


def test_a_falling_trend_must_hold_beyond_two_standard_errors() -> None:
    assert verdicts.falling_trend([-0.9, -1.0, -0.95]) is Verdict.REPRODUCED
    assert verdicts.falling_trend([-0.4, -0.5, -0.45]) is Verdict.PARTLY
    assert verdicts.falling_trend([-1.0, 0.5, 0.2]) is Verdict.NOT
    assert verdicts.falling_trend([-1.0]) is Verdict.OPEN


def test_parts_that_are_not_tested_do_not_count() -> None:
    assert verdicts.together([Verdict.REPRODUCED, Verdict.OPEN]) is Verdict.REPRODUCED
    assert verdicts.together([Verdict.REPRODUCED, Verdict.NOT]) is Verdict.PARTLY
    assert verdicts.together([Verdict.OPEN]) is Verdict.OPEN


class TestCompareFronts:
    """Two weights, three seeds; areas are sums of rectangles."""

    runs = pd.DataFrame(
        {
            "series": ["a", "a", "b"] * 3,
            "weight": [1.0, 2.0, 1.0] * 3,
            "seed": [0, 0, 0, 1, 1, 1, 2, 2, 2],
            "accuracy": [0.9, 0.7, 0.8] * 3,
            "gdp": [0.3, 0.1, 0.3, 0.3, 0.1, 0.3, 0.3, 0.1, 0.5],
        }
    )

    def compare(self, ours: str, other: str) -> FrontComparison:
        return compare_fronts(
            self.runs, ours, other, prediction="accuracy", fairness="gdp", reference=(0.5, 0.5)
        )

    def test_areas_are_those_of_the_means(self) -> None:
        found = self.compare("a", "b")
        # a: 0.4 × 0.2 and 0.2 × 0.4 that share 0.2 × 0.2; b: 0.3 × (0.5 − 1.1/3).
        assert found.area == pytest.approx(0.08 + 0.08 - 0.04)
        assert found.other_area == pytest.approx(0.3 * (0.5 - 1.1 / 3))
        assert (found.wins, found.seeds) == (3, 3)
        assert found.outcome == "better"

    def test_the_interval_spans_the_best_and_the_worst_seeds(self) -> None:
        found = self.compare("a", "b")
        # Against seed 0 or 1 alone: 0.12 − 0.3 × 0.2; against seed 2 alone: 0.12 − 0.
        assert found.low == pytest.approx(0.06, abs=1e-12)
        assert found.high == pytest.approx(0.12, abs=1e-12)

    def test_turned_round_it_is_worse(self) -> None:
        found = self.compare("b", "a")
        assert found.outcome == "worse"
        assert found.wins == 0

    def test_a_series_without_runs_has_no_seeds(self) -> None:
        found = self.compare("a", "nobody")
        assert found.seeds == 0
        assert found.outcome == "open"
