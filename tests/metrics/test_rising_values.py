import numpy as np
import pytest

from frem_core.metrics.neighbours.rising_values import RisingValues, rising_order
from frem_core.metrics.ranked import rows_up_to
from frem_core.types import Floats


def _values(kind: str, n: int = 3000) -> Floats:
    random = np.random.default_rng(0)
    normal = random.normal(size=n)
    return {
        "normal": normal,
        "tied": normal.round(1),
        "one far away": np.append(normal, 1e9),
        "mostly one value": np.where(random.random(n) < 0.9, 0.0, normal),
        "hardly any digits": 1e9 + normal * 1e-6,
        "two": np.array([-1.0, 2.0]),
    }[kind]


_KINDS = ["normal", "tied", "one far away", "mostly one value", "hardly any digits", "two"]


@pytest.mark.parametrize("kind", _KINDS)
def test_counts_by_the_rounded_distance(kind: str) -> None:
    values = np.sort(_values(kind))
    random = np.random.default_rng(1)
    other = values[random.permutation(len(values))]
    # Radii that some distance equals, or is the next number to: where rounding matters.
    for radius in (np.abs(values - other), np.nextafter(np.abs(values - other), 0)):
        expected = (np.abs(values[:, None] - values) <= radius[:, None]).sum(axis=1)
        assert np.array_equal(RisingValues(values).within(values, radius), expected)


@pytest.mark.parametrize("kind", _KINDS)
def test_a_bracket_leaves_nothing_out(kind: str) -> None:
    values = np.sort(_values(kind))
    low, high = values - 0.1, values + np.where(values > 0, np.inf, 0.1)
    start, end = RisingValues(values).bracket(low, high)
    assert (start <= np.searchsorted(values, low)).all()
    assert (end >= np.searchsorted(values, high, side="right")).all()


@pytest.mark.parametrize("n", [10, 5000])
def test_rising_order_sorts_any_numbers(n: int) -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=n) * 10.0 ** random.integers(-300, 300, n)
    values[:4] = 0.0, -0.0, np.inf, -np.inf
    assert np.array_equal(values[rising_order(values)], np.sort(values))
    assert np.array_equal(np.sort(rising_order(values)), np.arange(n))
    columns = np.stack([values, -values], axis=1)
    assert np.array_equal(values[rising_order(columns[:, 0])], np.sort(values))


def test_rows_up_to_each_score() -> None:
    scores = np.array([0.2, 0.7, 0.2, 0.1])
    rows, hits = rows_up_to(scores, np.array([True, True, False, False]))
    assert rows.tolist() == [0, 1, 3, 4]
    assert hits.tolist() == [0, 0, 1, 2]
