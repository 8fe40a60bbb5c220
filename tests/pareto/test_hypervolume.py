import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from frem_core.errors import ConfigError, DataError
from frem_core.pareto import hypervolume, hypervolume_interval, non_dominated, reference_point

OBJECTIVES = {"accuracy": "max", "hgr": "min"}
grid_points = arrays(float, st.tuples(st.integers(0, 8), st.just(2)), elements=st.integers(0, 8))


def area_by_counting(points: np.ndarray, reference: tuple[int, int]) -> int:
    """Counts unit cells; points lie on whole numbers, first objective max, second min."""
    cells = 0
    for x in range(reference[0], 9):
        for y in range(reference[1]):
            cells += any(point[0] >= x + 1 and point[1] <= y for point in points)
    return cells


@settings(deadline=None)
@given(grid_points, st.tuples(st.integers(0, 8), st.integers(0, 8)))
def test_equals_the_counted_area(points: np.ndarray, reference: tuple[int, int]) -> None:
    area = hypervolume(points, reference=reference, directions=["max", "min"])
    assert area == area_by_counting(points, reference)


@settings(deadline=None)
@given(arrays(float, (12, 2), elements=st.floats(0, 1)))
def test_only_the_front_counts(points: np.ndarray) -> None:
    whole = hypervolume(points, reference=[0, 1], directions=["max", "min"])
    front = points[non_dominated(points, ["max", "min"])]
    assert whole == pytest.approx(hypervolume(front, reference=[0, 1], directions=["max", "min"]))
    mirrored = hypervolume(-points, reference=[0, -1], directions=["min", "max"])
    assert whole == pytest.approx(mirrored)


def test_more_can_only_help() -> None:
    rng = np.random.default_rng(0)
    points = rng.random((30, 2))
    areas = [
        hypervolume(points[:n], reference=[0, 1], directions=["max", "min"]) for n in range(31)
    ]
    assert areas[0] == 0
    assert all(b >= a for a, b in pairwise(areas))


def runs(seeds: int, noise: float, method_shift: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        {
            "weight": weight,
            "seed": seed,
            "accuracy": 0.9 - 0.2 * weight + method_shift + noise * rng.standard_normal(),
            "hgr": 0.5 * math.exp(-3 * weight) + noise * rng.standard_normal(),
        }
        for weight in (0.0, 0.3, 1.0)
        for seed in range(seeds)
    ]
    return pd.DataFrame(rows)


class TestInterval:
    def test_value_is_that_of_the_front_of_means(self) -> None:
        frame = runs(5, 0.01)
        estimate = hypervolume_interval(frame, OBJECTIVES, reference=(0.6, 0.6), setting=["weight"])
        means = frame.groupby("weight")[["accuracy", "hgr"]].mean().to_numpy()
        expected = hypervolume(means, reference=(0.6, 0.6), directions=["max", "min"])
        assert estimate.value == pytest.approx(expected, rel=1e-12)
        assert estimate.low < estimate.value < estimate.high
        assert (estimate.seeds, estimate.reference) == (5, (0.6, 0.6))

    def test_agrees_with_a_plain_bootstrap(self) -> None:
        frame = runs(6, 0.02)
        estimate = hypervolume_interval(
            frame, OBJECTIVES, reference=(0.6, 0.6), setting=["weight"], resamples=2000
        )
        values = frame[["accuracy", "hgr"]].to_numpy().reshape(3, 6, 2)  # weights, seeds
        rng = np.random.default_rng(9)
        areas = []
        for _ in range(2000):
            means = values[:, rng.integers(0, 6, 6)].mean(axis=1)
            areas.append(hypervolume(means, reference=(0.6, 0.6), directions=["max", "min"]))
        low, high = np.quantile(areas, [0.025, 0.975])
        assert estimate.low == pytest.approx(low, abs=0.15 * (high - low))
        assert estimate.high == pytest.approx(high, abs=0.15 * (high - low))

    def test_no_noise_no_width(self) -> None:
        estimate = hypervolume_interval(
            runs(4, 0.0), OBJECTIVES, reference=(0.6, 0.6), setting=["weight"]
        )
        assert estimate.low == pytest.approx(estimate.high)

    def test_one_seed_has_no_interval(self) -> None:
        estimate = hypervolume_interval(
            runs(1, 0.01), OBJECTIVES, reference=(0.6, 0.6), setting=["weight"]
        )
        assert estimate.value > 0
        assert math.isnan(estimate.low)

    def test_missing_runs_are_left_out_not_counted_as_zero(self) -> None:
        frame = runs(5, 0.01)
        fewer = frame.drop(index=[0, 7])
        options = {"reference": (0.6, 0.6), "setting": ["weight"]}
        whole = hypervolume_interval(frame, OBJECTIVES, **options)  # type: ignore[arg-type]
        part = hypervolume_interval(fewer, OBJECTIVES, **options)  # type: ignore[arg-type]
        assert part.value == pytest.approx(whole.value, rel=0.1)

    def test_empty(self) -> None:
        estimate = hypervolume_interval(
            runs(2, 0.0).head(0), OBJECTIVES, reference=(0.6, 0.6), setting=["weight"]
        )
        assert (estimate.value, estimate.seeds) == (0.0, 0)

    def test_repeats_exactly(self) -> None:
        options = {"reference": (0.6, 0.6), "setting": ["weight"]}
        first = hypervolume_interval(runs(5, 0.1), OBJECTIVES, **options)  # type: ignore[arg-type]
        assert first == hypervolume_interval(runs(5, 0.1), OBJECTIVES, **options)  # type: ignore[arg-type]


def test_reference_is_the_worst_of_everything() -> None:
    frame = pd.DataFrame({"accuracy": [0.9, 0.7, np.nan], "hgr": [0.5, 0.1, 0.9]})
    assert reference_point(frame, {"accuracy": "max", "hgr": "min"}) == (0.7, 0.5)
    with pytest.raises(DataError, match="no row with both scores"):
        reference_point(frame.tail(1), {"accuracy": "max", "hgr": "min"})


def test_two_objectives_only() -> None:
    with pytest.raises(ConfigError, match="for two objectives; 3 were given"):
        hypervolume([[1, 2, 3]], reference=[0, 0, 0], directions=["max", "max", "max"])
