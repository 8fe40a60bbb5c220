import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from frem_core.errors import ConfigError, DataError
from frem_core.pareto import Direction, non_dominated, pareto_front

DIRECTIONS: dict[int, list[Direction]] = {1: ["min"], 2: ["max", "min"], 3: ["min", "max", "min"]}
# Few distinct values, so that ties and duplicates are common; some are missing.
values = st.integers(0, 4).map(float) | st.just(np.nan)
points = st.tuples(st.integers(0, 12), st.integers(1, 3)).flatmap(
    lambda shape: arrays(float, shape, elements=values)
)


def dominates(a: np.ndarray, b: np.ndarray, directions: list[Direction]) -> bool:
    as_good = [x >= y if d == "max" else x <= y for x, y, d in zip(a, b, directions, strict=True)]
    return all(as_good) and any(a != b)


@settings(deadline=None)
@given(points)
def test_agrees_with_the_definition(given_points: np.ndarray) -> None:
    directions = DIRECTIONS[given_points.shape[1]]
    known = [point for point in given_points if not np.isnan(point).any()]
    expected = [
        not np.isnan(point).any()
        and not any(dominates(other, point, directions) for other in known)
        for point in given_points
    ]
    assert non_dominated(given_points, directions).tolist() == expected


@settings(deadline=None)
@given(arrays(float, st.tuples(st.integers(1, 40), st.just(2)), elements=st.floats(-9, 9)))
def test_rows_come_ordered_along_the_front(given_points: np.ndarray) -> None:
    frame = pd.DataFrame(given_points, columns=["accuracy", "hgr"])
    front = pareto_front(frame, {"accuracy": "max", "hgr": "min"})
    assert len(front) >= 1
    assert front["accuracy"].is_monotonic_increasing
    assert front["hgr"].is_monotonic_increasing  # more accuracy costs fairness


def test_many_points_in_three_objectives() -> None:
    rng = np.random.default_rng(0)
    cloud = rng.random((1500, 3))
    mask = non_dominated(cloud, DIRECTIONS[3])
    front = cloud[mask]
    for point in cloud[~mask][:100]:
        assert any(dominates(other, point, DIRECTIONS[3]) for other in front)
    assert non_dominated(front, DIRECTIONS[3]).all()


def test_words_for_mistakes() -> None:
    frame = pd.DataFrame({"accuracy": [1.0]})
    with pytest.raises(ConfigError, match=r"no column 'acuracy'. Did you mean 'accuracy'"):
        pareto_front(frame, {"acuracy": "max"})
    with pytest.raises(ConfigError, match="'max' or 'min', not 'up'"):
        pareto_front(frame, {"accuracy": "up"})  # type: ignore[dict-item]
    with pytest.raises(DataError, match="shape"):
        non_dominated([[1.0]], ["max", "min"])


def test_nothing_gives_nothing() -> None:
    frame = pd.DataFrame({"a": [], "b": []}, dtype=float)
    assert pareto_front(frame, {"a": "max", "b": "min"}).empty
