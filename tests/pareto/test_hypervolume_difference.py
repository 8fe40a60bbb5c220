import itertools

import numpy as np
import pandas as pd
import pytest

from frem_core.pareto import hypervolume, hypervolume_difference

OBJECTIVES = {"accuracy": "max", "hgr": "min"}
REFERENCE = (0.5, 1.0)


def _runs(rng: np.random.Generator, seeds: list[int], gain: float = 0.0) -> pd.DataFrame:
    rows = [
        {
            "weight": weight,
            "seed": seed,
            "accuracy": 0.9 - 0.1 * weight + gain + 0.01 * rng.normal() + 0.03 * seed,
            "hgr": 0.6 - 0.2 * weight + 0.02 * rng.normal() - 0.05 * seed,
        }
        for weight, seed in itertools.product((0, 1, 2), seeds)
    ]
    return pd.DataFrame(rows).sample(frac=1.0, random_state=0)


def _area(runs: pd.DataFrame, counts: dict[int, int]) -> float:
    drawn = pd.concat([runs[runs["seed"] == seed] for seed, n in counts.items() for _ in range(n)])
    means = drawn.groupby("weight")[["accuracy", "hgr"]].mean()
    return hypervolume(means, reference=REFERENCE, directions=["max", "min"])


def test_value_and_interval_are_those_of_all_resamples_of_seeds() -> None:
    rng = np.random.default_rng(0)
    first, second = _runs(rng, [0, 1, 2], gain=0.02), _runs(rng, [2, 0, 1])
    found = hypervolume_difference(
        first, second, OBJECTIVES, reference=REFERENCE, setting=["weight"], resamples=20_000
    )
    everyone = {0: 1, 1: 1, 2: 1}
    assert found.value == pytest.approx(_area(first, everyone) - _area(second, everyone))
    assert found.base == pytest.approx(_area(second, everyone))
    every_draw = []
    for draw in itertools.product(range(3), repeat=3):
        counts = {seed: draw.count(seed) for seed in set(draw)}
        every_draw.append(_area(first, counts) - _area(second, counts))
    low, high = np.quantile(every_draw, [0.025, 0.975], method="inverted_cdf")
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-3)


def test_what_is_hard_about_a_seed_cancels() -> None:
    rng = np.random.default_rng(1)
    second = _runs(rng, [0, 1, 2, 3])
    first = second.assign(accuracy=second["accuracy"] + 0.01)
    found = hypervolume_difference(
        first, second, OBJECTIVES, reference=REFERENCE, setting=["weight"]
    )
    assert found.is_clear
    assert found.low > 0
    same = hypervolume_difference(
        second, second, OBJECTIVES, reference=REFERENCE, setting=["weight"]
    )
    assert (same.value, same.low, same.high, same.is_clear) == (0, 0, 0, False)


def test_only_common_seeds_count() -> None:
    rng = np.random.default_rng(2)
    first, second = _runs(rng, [0, 1, 5]), _runs(rng, [1, 0, 7])
    both = [first[first["seed"] < 2], second[second["seed"] < 2]]
    options = {"reference": REFERENCE, "setting": ["weight"]}
    found = hypervolume_difference(first, second, OBJECTIVES, **options)
    assert found == hypervolume_difference(*both, OBJECTIVES, **options)
    assert found.seeds == 2
    one = hypervolume_difference(
        first[first["seed"] == 0], second, OBJECTIVES, reference=REFERENCE, setting=["weight"]
    )
    assert one.seeds == 1
    assert np.isnan(one.low)
    assert not one.is_clear
    none = hypervolume_difference(first[first["seed"] == 5], second, OBJECTIVES, **options)
    assert none.seeds == 0
    assert np.isnan(none.value)
