import numpy as np
import pytest
from scipy.stats import rankdata

from frem_core.metrics.ranked import ranks


@pytest.mark.parametrize("rows", [1, 2, 7, 5_000])
def test_places_are_those_of_scipy_ties_included(rows: int) -> None:
    random = np.random.default_rng(rows)
    for scores in (random.random(rows), random.integers(0, 5, rows).astype(float)):
        assert np.array_equal(ranks(scores), rankdata(scores))
