"""The kill drill's own reckoning: what counts as a run that was done twice."""

import pandas as pd

from benchmarks.trust.drill import ended_again

RUNS = pd.DataFrame({"id": ["a", "b"], "finished_at": [1.0, 2.0]})


def test_another_end_than_before_counts() -> None:
    assert ended_again(RUNS, {"a": 1.0, "b": 2.0}) == 0
    assert ended_again(RUNS, {"a": 1.0, "b": 1.5}) == 1


def test_an_end_between_two_looks_does_not() -> None:
    assert ended_again(RUNS, {"a": 1.0}) == 0
    assert ended_again(RUNS, {}) == 0
