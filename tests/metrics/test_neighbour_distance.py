"""Every way of looking for neighbours, beside the plainest one: all distances, sorted."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_selection import mutual_info_regression

from frem_core.metrics import representation_mutual_information
from frem_core.metrics.neighbours import plane as plane_module
from frem_core.metrics.neighbours.plane import Plane
from frem_core.metrics.neighbours.sensitive_runs import SensitiveRuns
from frem_core.types import Floats

_NOISE = 1e-10


def _ages(random: np.random.Generator, n: int) -> Floats:
    return random.normal(40, 13, n).round()


_SENSITIVE = {
    "ages": _ages,
    "two values": lambda random, n: random.integers(0, 2, n).astype(float),
    "five values": lambda random, n: random.integers(0, 5, n).astype(float),
    "a gap": lambda random, n: random.choice([1.0, 2.0, 3.0, 4.0, 500.0, 501.0], n),
    "unequal steps": lambda random, n: np.exp(random.normal(0, 1, n)).round(1),
    "one row alone": lambda random, n: np.append(_ages(random, n - 1), 200.0),
}
_X = {
    "normal": lambda random, s: random.normal(size=len(s)),
    "of s": lambda random, s: s / s.std() + 0.1 * random.normal(size=len(s)),
    "rounded": lambda random, s: random.normal(size=len(s)).round(1),
    "constant stretch": lambda random, s: np.maximum(random.normal(size=len(s)), 0.0),
    "far outliers": lambda random, s: random.standard_cauchy(size=len(s)),
}


def _plane(x: Floats, s: Floats, random: np.random.Generator) -> Plane:
    x, s = (a / a.std() + _NOISE * random.normal(size=len(a)) for a in (x, s))
    return Plane(x, SensitiveRuns(s, same=1e3 * _NOISE))


def _expected(plane: Plane, n_neighbors: int) -> Floats:
    apart = [np.abs(a[:, None] - a) for a in (plane.x, plane.s)]
    found: Floats = np.sort(np.maximum(*apart), axis=1)[:, n_neighbors]
    return found


@pytest.mark.parametrize("sensitive", _SENSITIVE)
@pytest.mark.parametrize("x", _X)
@pytest.mark.parametrize("largest", ["windows", "slices", "tree"])
def test_distances_are_exact(
    sensitive: str, x: str, largest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However far the search has to go: with small windows most rows need the next way."""
    monkeypatch.setattr(plane_module, "_MOST_UNSURE", 1.0)
    monkeypatch.setattr(plane_module, "_WINDOW", 8 if largest == "windows" else 1)
    monkeypatch.setattr(plane_module, "_TREE", 0 if largest == "tree" else 1e9)
    random = np.random.default_rng(0)
    s = _SENSITIVE[sensitive](random, 700)
    plane = _plane(_X[x](random, s), s, random)
    assert plane._runs.repeats
    assert np.array_equal(plane.neighbour_distance(3), _expected(plane, 3))


def test_each_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = set()

    def watch(name: str) -> None:
        way = getattr(Plane, name)

        def watched(*arguments: Any) -> Any:
            taken.add(name)
            return way(*arguments)

        monkeypatch.setattr(Plane, name, watched)

    for name in ("_among_group", "_in_reach", "_from_tree"):
        watch(name)
    random = np.random.default_rng(1)
    s = _ages(random, 10_000)
    _plane(random.normal(size=len(s)), s, random).neighbour_distance(3)
    assert taken == {"_among_group", "_in_reach"}
    _plane(np.maximum(random.normal(size=len(s)), 0), s, random).neighbour_distance(3)
    assert taken == {"_among_group", "_in_reach", "_from_tree"}


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3), st.floats(-1, 1)), min_size=4, max_size=90
    ),
    n_neighbors=st.integers(1, 3),
    spacing=st.sampled_from([[0, 1, 2, 3], [0, 1, 10, 11], [0, 0.001, 0.5, 1000]]),
    is_tied=st.booleans(),
)
def test_equals_scikit_learn_for_any_few_rows(
    rows: list[tuple[int, int, float]], n_neighbors: int, spacing: list[float], is_tied: bool
) -> None:
    tied, level, free = map(np.array, zip(*rows, strict=True))
    x = (tied.astype(float) if is_tied else free)[:, None]
    s = np.asarray(spacing)[level]
    if x.std() < 1e-3 or s.std() == 0:
        return
    found = representation_mutual_information(x, sensitive_features=s, n_neighbors=n_neighbors)
    expected = mutual_info_regression(x, s, n_neighbors=n_neighbors, random_state=0)
    assert found.by_dimension == tuple(expected)
