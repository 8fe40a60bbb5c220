import numpy as np
import pytest

from frem_core.errors import DataError
from frem_core.metrics import gdp, geo


def _rows(n: int = 300) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    s, p = random.random((2, n))
    return (random.random(n) < p).astype(int), p, s


def test_equal_to_the_parity_gap_of_the_positive_rows() -> None:
    y, p, s = _rows()
    assert geo(y, p, sensitive_features=s) == gdp(None, p[y == 1], sensitive_features=s[y == 1])


def test_negative_rows_do_not_matter() -> None:
    y, p, s = _rows()
    changed = np.where(y == 1, p, 0.0)
    assert geo(y, changed, sensitive_features=s) == geo(y, p, sensitive_features=s)


@pytest.mark.parametrize("labels", [("no", "yes"), (-1, 1), (False, True), (2.0, 5.0)])
def test_any_two_labels_can_be_used(labels) -> None:
    y, p, s = _rows()
    named = np.asarray(labels)[y]
    assert geo(named, p, sensitive_features=s, positive_label=labels[1]) == geo(
        y, p, sensitive_features=s
    )


def test_options_reach_the_estimate() -> None:
    y, p, s = _rows()
    narrow = geo(y, p, sensitive_features=s, bandwidth=0.05)
    assert narrow == gdp(None, p[y == 1], sensitive_features=s[y == 1], bandwidth=0.05)
    assert geo(
        y, p, sensitive_features=10 + 5 * s, sensitive_range=(10, 15), bandwidth=0.05
    ) == pytest.approx(narrow)


@pytest.mark.parametrize("positives", [0, 1, 2])
def test_too_few_positive_rows_are_refused(positives: int) -> None:
    y = [1] * positives + [0] * (6 - positives)
    with pytest.raises(DataError, match=f"3 rows with the label 1, but there are {positives}"):
        geo(y, np.linspace(0, 1, 6), sensitive_features=np.linspace(0, 1, 6))


def test_all_rows_positive_is_the_parity_gap() -> None:
    _, p, s = _rows()
    assert geo(np.ones(300), p, sensitive_features=s) == gdp(None, p, sensitive_features=s)
