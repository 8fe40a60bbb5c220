from dataclasses import replace

import numpy as np
import pytest

from frem_core.errors import ConfigError
from frem_core.metrics import gdp, get_metric, hgr, noise_floor


def _rows(n: int = 300, dependence: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    s = random.random(n)
    p = np.clip(dependence * s + (1 - dependence) * random.random(n), 0, 1)
    return (random.random(n) < 0.5).astype(int), p, s


@pytest.mark.parametrize("name", ["gdp", "geo", "hgr", "mutual_information"])
def test_dependence_rises_above_the_floor(name: str) -> None:
    y, p, s = _rows(dependence=0.7)
    floor = noise_floor(name, y, p, sensitive_features=s, n_permutations=40)
    assert 0 <= floor.mean < floor.upper
    assert get_metric(name)(y, p, sensitive_features=s) > 2 * floor.upper


@pytest.mark.parametrize("metric", [gdp, hgr])
def test_independent_data_stay_near_the_floor(metric) -> None:
    below = 0
    for seed in range(40):
        p, s = np.random.default_rng(seed).random((2, 100))
        floor = noise_floor(metric, None, p, sensitive_features=s, n_permutations=40, share=0.9)
        below += metric(None, p, sensitive_features=s) <= floor.upper
    assert 30 <= below <= 40  # 36 expected


@pytest.mark.parametrize("given_label", [True, False])
def test_scores_that_look_at_labels_exchange_values_within_labels_only(given_label: bool) -> None:
    y = np.repeat(["no", "yes"], 50)
    s = np.where(y == "yes", 0.8, 0.2) + np.linspace(-0.1, 0.1, 100)
    seen: list[np.ndarray] = []

    def remember(y_true, y_pred, *, sensitive_features):
        seen.append(sensitive_features.copy())
        return 0.0

    metric = replace(get_metric("geo"), function=remember, given_label=given_label)
    noise_floor(metric, y, np.zeros(100), sensitive_features=s, n_permutations=3)
    for values in seen:
        assert not np.array_equal(values, s)
        assert np.array_equal(np.sort(values), np.sort(s))
        assert (values[y == "yes"] > 0.5).all() == given_label


def test_the_seed_decides_and_the_number_of_workers_does_not() -> None:
    y, p, s = _rows(100)
    first = noise_floor(hgr, y, p, sensitive_features=s, n_permutations=60)
    assert noise_floor(hgr, y, p, sensitive_features=s, n_permutations=60, n_jobs=2) == first
    assert noise_floor(hgr, y, p, sensitive_features=s, n_permutations=60, random_state=1) != first


def test_representations_have_a_floor_too() -> None:
    _, p, s = _rows(100)
    z = np.column_stack([p, p**2])
    floor = noise_floor(
        "representation_mutual_information_max", z, sensitive_features=s, n_permutations=10
    )
    assert 0 <= floor.mean <= floor.upper < 0.3


@pytest.mark.parametrize("setting", [{"n_permutations": 1}, {"share": 1.0}])
def test_settings_that_make_no_sense_are_refused(setting: dict[str, float]) -> None:
    y, p, s = _rows()
    with pytest.raises(ConfigError, match=next(iter(setting))):
        noise_floor(gdp, y, p, sensitive_features=s, **setting)
