import numpy as np
import pytest

from frem_core.audit import conditional_mean
from frem_core.errors import ConfigError, DataError

RNG = np.random.default_rng(0)


def _brute_force(v, s, points, bandwidth):
    means, effective = [], []
    for point in points:
        weights = [np.exp(-0.5 * ((point - one) / bandwidth) ** 2) for one in s]
        means.append(sum(w * one for w, one in zip(weights, v, strict=True)) / sum(weights))
        effective.append(sum(weights) ** 2 / sum(w * w for w in weights))
    return np.array(means), np.array(effective)


@pytest.mark.parametrize("s", [RNG.random(60), RNG.integers(0, 9, 60) / 8])
def test_mean_and_effective_rows_are_those_of_the_definition(s: np.ndarray) -> None:
    v = np.sin(5 * s) + RNG.normal(size=60)
    curve = conditional_mean(v, s, bandwidth=0.1)
    means, effective = _brute_force(v, s, curve["s"], 0.1)
    assert curve["mean"].to_numpy() == pytest.approx(means)
    assert curve["effective_n"].to_numpy() == pytest.approx(effective)
    assert (curve["s"].min(), curve["s"].max()) == (s.min(), s.max())


def test_the_band_is_that_of_resampled_rows() -> None:
    s, v = RNG.random(80), RNG.normal(size=80)
    curve = conditional_mean(v, s, bandwidth=0.2, n_resamples=300, at=[0.3, 0.7])
    drawn = np.random.default_rng(0).integers(0, 80, size=(300, 80))
    means = np.array([_brute_force(v[rows], s[rows], [0.3, 0.7], 0.2)[0] for rows in drawn])
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    assert curve["low"].to_numpy() == pytest.approx(low)
    assert curve["high"].to_numpy() == pytest.approx(high)


def test_the_band_covers_the_truth_about_as_often_as_it_says() -> None:
    covered = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        s = rng.random(400)
        curve = conditional_mean(rng.normal(size=400), s, at=[0.5], random_state=seed)
        covered.append(bool(curve["low"][0] <= 0 <= curve["high"][0]))
    assert 0.85 <= np.mean(covered) <= 1.0


def test_many_distinct_values_are_rounded_without_a_visible_change() -> None:
    s = RNG.random(5_000)
    v = np.sin(8 * s) + 0.1 * RNG.normal(size=5_000)
    curve = conditional_mean(v, s, bandwidth=0.02, n_resamples=2, at=np.linspace(0.1, 0.9, 9))
    means, _ = _brute_force(v, s, curve["s"], 0.02)
    assert curve["mean"].to_numpy() == pytest.approx(means, abs=2e-3)


def test_far_from_all_rows_the_nearest_speaks_and_nothing_underflows() -> None:
    curve = conditional_mean([1.0, 2.0, 3.0], [0.0, 0.5, 1.0], bandwidth=0.001, at=[0.6, 30.0])
    assert curve["mean"].tolist() == [2.0, 3.0]
    assert curve["effective_n"].tolist() == pytest.approx([1.0, 1.0])


def test_a_constant_has_no_band() -> None:
    curve = conditional_mean(np.full(30, 0.25), RNG.random(30))
    assert curve["low"].to_numpy() == pytest.approx(0.25)
    assert curve["high"].to_numpy() == pytest.approx(0.25)


def test_what_cannot_be_estimated_is_refused() -> None:
    with pytest.raises(ConfigError, match="bandwidth is 0"):
        conditional_mean([1.0], [1.0], bandwidth=0)
    with pytest.raises(DataError):
        conditional_mean([1.0, 2.0], [1.0])
    with pytest.raises(DataError):
        conditional_mean([np.nan, 2.0], [1.0, 2.0])
