import numpy as np
import pytest

from frem_core.audit.reliability import (
    GAMMAS,
    effective_rows,
    share_with_enough,
    suggest_gamma,
)
from frem_core.datasets import load_dataset
from frem_core.eipm import eipm_profile
from frem_core.errors import ConfigError, DataError

KERNELS = {
    "rbf": lambda x: np.exp(-(x**2) / 2),
    "triangular": lambda x: np.clip(1 - np.abs(x), 0, None),
    "epanechnikov": lambda x: np.clip(1 - x**2, 0, None),
}


def _brute_force(point: float, scaled: np.ndarray, gamma: float, kernel: str) -> float:
    weights = np.array([KERNELS[kernel]((point - one) / gamma) for one in scaled])
    if weights.sum() == 0:
        return 0.0
    weights /= weights.sum()
    return 1 / float((weights**2).sum())


@pytest.mark.parametrize("kernel", list(KERNELS))
@pytest.mark.parametrize("gamma", [0.03, 0.2])
def test_every_value_against_brute_force(kernel: str, gamma: float) -> None:
    ages = np.random.default_rng(0).gamma(3, 8, size=150).round() + 17
    scaled = (ages - ages.min()) / (ages.max() - ages.min())
    table = effective_rows(ages, gamma=gamma, kernel=kernel)
    assert table["s"].tolist() == sorted(set(ages))
    assert table["rows"].tolist() == [int((ages == age).sum()) for age in table["s"]]
    for age, found in zip(table["s"], table["effective_n"], strict=True):
        point = (age - ages.min()) / (ages.max() - ages.min())
        assert found == pytest.approx(_brute_force(point, scaled, gamma, kernel), rel=1e-9)


def test_it_is_what_the_profile_of_a_representation_says() -> None:
    s = np.random.default_rng(1).beta(1, 4, size=120).round(2)
    profile = eipm_profile(np.sin(np.arange(120)), (s - s.min()) / (s.max() - s.min()), gamma=0.05)
    np.testing.assert_allclose(
        effective_rows(s, gamma=0.05)["effective_n"], profile["effective_n"], rtol=1e-9
    )


def test_many_distinct_values_are_looked_at_in_even_steps() -> None:
    s = np.random.default_rng(2).normal(50, 10, size=5000)
    table = effective_rows(s, gamma=0.02)
    assert len(table) == 200
    np.testing.assert_allclose(np.diff(table["s"]), np.ptp(s) / 199, rtol=1e-2)
    assert table["rows"].sum() == 5000
    scaled = (s - s.min()) / np.ptp(s)
    for place in (0, 37, 100, 199):
        point = (table["s"][place] - s.min()) / np.ptp(s)
        exact = _brute_force(point, scaled, 0.02, "rbf")
        assert table["effective_n"][place] == pytest.approx(exact, rel=0.02)


def test_far_from_everyone_nothing_underflows() -> None:
    s = np.array([0.0] * 50 + [1.0])
    assert effective_rows(s, gamma=0.005)["effective_n"].tolist() == [50.0, 1.0]
    constant = effective_rows(np.full(40, 3.0), gamma=0.05)
    assert constant[["s", "rows", "effective_n"]].to_numpy().tolist() == [[3.0, 40.0, 40.0]]


def test_shares_count_rows_not_values() -> None:
    s = np.repeat([0.0, 0.5, 1.0], [60, 30, 10])
    assert share_with_enough(s, gamma=0.02) == pytest.approx(0.9)
    assert share_with_enough(s, gamma=0.02, fewest=5) == 1
    assert share_with_enough(s, gamma=5.0) == 1


def test_a_given_range_scales_a_part_like_the_whole() -> None:
    s = np.repeat([20.0, 30.0, 40.0], 20)
    whole = effective_rows(s, gamma=0.1, sensitive_range=(0.0, 100.0))
    scaled = s / 100
    expected = [_brute_force(point / 100, scaled, 0.1, "rbf") for point in (20, 30, 40)]
    np.testing.assert_allclose(whole["effective_n"], expected)
    assert whole["s"].tolist() == pytest.approx([20, 30, 40])


class TestSuggestion:
    def test_is_the_smallest_bandwidth_with_enough_rows_by_brute_force(self) -> None:
        s = np.random.default_rng(3).beta(1, 5, size=400).round(2)
        scaled = (s - s.min()) / np.ptp(s)

        def meets(gamma: float) -> bool:
            speaking = np.array([_brute_force(one, scaled, gamma, "rbf") for one in scaled])
            return min((speaking >= 30).mean(), (speaking * 100 / 400 >= 5).mean()) >= 0.99

        expected = next(gamma for gamma in GAMMAS if meets(gamma))
        found = suggest_gamma(s, batch_size=100)
        assert found.gamma == expected
        assert found.is_enough
        assert min(found.enough_rows, found.enough_in_batch) >= 0.99

    def test_says_what_rules_out_smaller_ones(self) -> None:
        s = np.linspace(0, 1, 1000)
        assert suggest_gamma(s, batch_size=1000).limit == "rows"
        assert suggest_gamma(s, batch_size=20).limit == "batch"
        assert suggest_gamma(np.repeat([0, 1, 2], 500), batch_size=500).limit == "none"

    def test_too_few_rows_for_any(self) -> None:
        found = suggest_gamma(np.linspace(0, 1, 20), batch_size=20)
        assert not found.is_enough
        assert found.gamma == max(GAMMAS)

    @pytest.mark.parametrize(("dataset", "batch_size"), [("adult", 1024), ("crime", 200)])
    def test_agrees_with_what_the_paper_tries(self, dataset: str, batch_size: int) -> None:
        suggestion = suggest_gamma(load_dataset(dataset).sensitive, batch_size=batch_size)
        assert 0.02 <= suggestion.gamma <= 0.1

    def test_bad_input_is_explained(self) -> None:
        with pytest.raises(ConfigError, match="No bandwidth"):
            suggest_gamma([1.0, 2.0, 3.0], batch_size=2, candidates=[])
        with pytest.raises(DataError):
            suggest_gamma([1.0, float("nan")], batch_size=2)
