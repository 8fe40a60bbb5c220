"""The kill drill's own reckoning: what counts as done twice, and what a kill costs."""

import pandas as pd

from benchmarks.trust.drill import Drill, added_up, ended_again, timed

RUNS = pd.DataFrame({"id": ["a", "b"], "finished_at": [1.0, 2.0]})


def test_another_end_than_before_counts() -> None:
    assert ended_again(RUNS, {"a": 1.0, "b": 2.0}) == 0
    assert ended_again(RUNS, {"a": 1.0, "b": 1.5}) == 1


def test_an_end_between_two_looks_does_not() -> None:
    assert ended_again(RUNS, {"a": 1.0}) == 0
    assert ended_again(RUNS, {}) == 0


def test_time_is_compared_within_a_round() -> None:
    slow = Drill({"worker": 4}, sweeps=1, runs=10, seconds=120.0, calm_seconds=80.0, calm_runs=10)
    fast = Drill({"engine": 2}, sweeps=1, runs=10, seconds=20.0)  # on a machine at rest
    assert added_up([slow, fast]).all_kills == 6
    compared = timed([slow, fast])
    assert (compared.sweeps, compared.lost_seconds) == (1, 10.0)
