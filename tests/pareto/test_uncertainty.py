import numpy as np
import pandas as pd
import pytest

from frem_core.pareto.uncertainty import better_models, front_band, row_resamples, seed_resamples

OBJECTIVES = {"prediction": "max", "fairness": "min"}


def _runs(seeds: int = 8, noise: float = 0.01, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    truth = {0.1: (0.9, 0.5), 1.0: (0.85, 0.3), 10.0: (0.7, 0.1)}
    return pd.DataFrame(
        [
            (weight, one, p + noise * random.normal(), f + noise * random.normal())
            for weight, (p, f) in truth.items()
            for one in range(seeds)
        ],
        columns=["weight", "seed", "prediction", "fairness"],
    )


def test_the_band_holds_the_true_front_about_as_often_as_it_says() -> None:
    grid = -np.array([0.6, 0.4, 0.2])  # unfairness, away from the steps
    truth = np.array([0.9, 0.85, 0.7])
    inside = []
    for trial in range(200):
        resampled = seed_resamples(
            _runs(seed=trial), OBJECTIVES, setting=["weight"], resamples=200, random_state=trial
        )
        low, high = front_band(resampled, grid)
        inside.append((low <= truth) & (truth <= high))
    # The percentile bootstrap of eight seeds is a little too narrow.
    assert np.all(np.mean(inside, axis=0) > 0.82)


def test_without_noise_the_band_is_the_front() -> None:
    resampled = seed_resamples(_runs(noise=0.0), OBJECTIVES, setting=["weight"], resamples=20)
    low, high = front_band(resampled, -np.array([0.6, 0.35, 0.05]))
    assert low[:2] == pytest.approx([0.9, 0.85])
    assert high[:2] == pytest.approx([0.9, 0.85])
    assert np.isnan(low[2])  # nothing is that fair


def test_a_better_model_is_found_with_its_certainty() -> None:
    clear = np.array([[0.8, -0.2], [0.9, -0.1], [0.9, -0.3]])
    random = np.random.default_rng(0)
    resampled = clear + 0.001 * random.normal(size=(500, 3, 2))
    assert [(one.place, one.share) for one in better_models(resampled, 0)] == [(1, 1.0)]
    assert better_models(resampled, 1) == []
    equal = np.zeros((1, 2, 2)) + random.normal(size=(4000, 2, 2))
    assert better_models(equal, 0)[0].share == pytest.approx(0.25, abs=0.03)


def test_rows_are_drawn_for_all_settings_alike() -> None:
    rows = np.arange(100.0)

    def scores(drawn: np.ndarray) -> np.ndarray:
        mean = rows[drawn].mean()
        return np.array([[mean, 0.0], [mean + 1, 0.0]])

    resampled = row_resamples(scores, 100, resamples=50)
    assert np.all(resampled[:, 1, 0] - resampled[:, 0, 0] == pytest.approx(1.0))
    assert resampled[:, 0, 0].std() == pytest.approx(rows.std() / 10, rel=0.4)
