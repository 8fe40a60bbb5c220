"""The corner that areas of fronts are taken down to."""

import numpy as np
import pytest

from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.reproduction.front_comparison import constant_prediction


@pytest.mark.parametrize("name", ["crime", "michigan_schools", "county_murders"])
def test_a_constant_is_scored_in_the_units_that_models_are_scored_in(name: str) -> None:
    dataset = load_dataset(name)
    data = prepare(dataset, split_dataset(dataset, seed=0))
    y = np.concatenate([data.train.y, data.test.y])
    assert len(y) == len(dataset.target)
    assert constant_prediction(name, "mae") == pytest.approx(1 - np.abs(y - np.median(y)).mean())
    assert constant_prediction(name, "mse") == pytest.approx(1 - y.var())
