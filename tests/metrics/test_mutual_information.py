import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.feature_selection import mutual_info_regression

from frem_core.errors import DataError
from frem_core.metrics import get_metric, mutual_information, representation_mutual_information


def _rows(n: int, m: int = 4) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    s = random.integers(0, 74, n) / 73
    return random.normal(size=(n, m)) + np.arange(m) * s[:, None], s


def test_equal_to_scikit_learn() -> None:
    z, s = _rows(500)
    theirs = mutual_info_regression(z, s, n_neighbors=3, random_state=0)
    ours = representation_mutual_information(z, sensitive_features=s)
    assert ours.by_dimension == pytest.approx(theirs, abs=1e-15)
    assert ours.mean == pytest.approx(theirs.mean())
    assert ours.max == theirs.max()
    alone = mutual_info_regression(z[:, [2]], s, n_neighbors=3, random_state=0)
    assert mutual_information(None, z[:, 2], sensitive_features=s) == alone[0]


def test_float32_ties_do_not_inflate_the_estimate() -> None:
    random = np.random.default_rng(0)
    p = random.random(2000)
    s = (random.integers(0, 74, 2000) / 73).astype(np.float32)
    inflated = mutual_info_regression(p[:, None], s, n_neighbors=3, random_state=0)[0]
    assert inflated > 0.08
    assert mutual_information(None, p, sensitive_features=s) < 0.03


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_close_to_the_closed_form_of_a_bivariate_normal(rho: float) -> None:
    random = np.random.default_rng(1)
    s, noise = random.normal(size=(2, 4000))
    value = mutual_information(None, rho * s + np.sqrt(1 - rho**2) * noise, sensitive_features=s)
    assert value == pytest.approx(-0.5 * np.log(1 - rho**2), abs=0.04)


def test_the_same_seed_gives_the_same_value() -> None:
    z, s = _rows(300)
    first = mutual_information(None, z[:, 3], sensitive_features=s, random_state=5)
    assert first == mutual_information(None, z[:, 3], sensitive_features=s, random_state=5)


def test_constants_share_no_information() -> None:
    z, s = _rows(100)
    assert mutual_information(None, np.full(100, 0.3), sensitive_features=s) == 0
    assert mutual_information(None, z[:, 0], sensitive_features=np.full(100, 0.3)) == 0
    z[:, 1] = 7
    assert representation_mutual_information(z, sensitive_features=s).by_dimension[1] == 0
    nothing = representation_mutual_information(np.zeros((100, 3)), sensitive_features=s)
    assert (nothing.mean, nothing.max) == (0, 0)


def _sensitive(kind: str, n: int, random: np.random.Generator) -> NDArray[np.float64]:
    drawn = {
        "ages": random.normal(40, 13, n).round(),
        "continuous": random.uniform(size=n),
        "two values": random.integers(0, 2, n).astype(float),
        "skewed, rounded": random.exponential(size=n).round(1),
        "alone among ties": np.append(np.zeros(n - 1), 1.0),
    }
    return drawn[kind]


@pytest.mark.parametrize("n", [5, 60, 3000])
@pytest.mark.parametrize(
    "kind", ["ages", "continuous", "two values", "skewed, rounded", "alone among ties"]
)
@pytest.mark.parametrize("n_neighbors", [1, 3])
def test_equals_scikit_learn_whatever_repeats(kind: str, n: int, n_neighbors: int) -> None:
    random = np.random.default_rng(n)
    s = _sensitive(kind, n, random)
    z = random.standard_normal((n, 6))
    z[:, 1] += s / s.std()
    z[:, 2] = z[:, 2].round(1)
    z[:, 3] = np.maximum(z[:, 3], z[:, 3].mean())  # half of it one value, as after ReLU
    z[:, 4] = 1000 * s + 1e6  # hardly any digits left to tell rows apart
    z[:, 5] = z[:, 5] > 0
    z[:2, 5] = 0, 1
    found = representation_mutual_information(z, sensitive_features=s, n_neighbors=n_neighbors)
    expected = mutual_info_regression(z, s, n_neighbors=n_neighbors, random_state=0)
    assert found.by_dimension == tuple(expected)


def test_registered_forms_give_mean_and_maximum() -> None:
    z, s = _rows(300)
    both = representation_mutual_information(z, sensitive_features=s)
    mean = get_metric("representation_mutual_information")
    maximum = get_metric("representation_mutual_information_max")
    assert mean(z, sensitive_features=s) == both.mean
    assert maximum(z, sensitive_features=s) == both.max


def test_three_rows_are_too_few() -> None:
    with pytest.raises(DataError, match="At least 4 rows are needed, but there are 3"):
        mutual_information(None, [0.1, 0.2, 0.3], sensitive_features=[0.0, 0.5, 1.0])
    with pytest.raises(DataError, match="At least 4 rows"):
        representation_mutual_information(np.eye(3), sensitive_features=[0.0, 0.5, 1.0])


@pytest.mark.parametrize("shape", [(4, 0), (4, 2, 2)])
def test_a_representation_is_a_table(shape: tuple[int, ...]) -> None:
    with pytest.raises(DataError, match="table"):
        representation_mutual_information(np.zeros(shape), sensitive_features=[0, 1, 2, 3])


def test_missing_values_in_a_representation_are_located() -> None:
    z, s = _rows(50)
    z[7, 2] = np.nan
    with pytest.raises(DataError, match="z has 1 missing or infinite values, the first in row 7"):
        representation_mutual_information(z, sensitive_features=s)
