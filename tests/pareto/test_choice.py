import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from frem_core.errors import ConfigError
from frem_core.pareto import best_under_constraints

numbers = st.floats(0, 1) | st.just(np.nan)


@settings(deadline=None)
@given(arrays(float, st.tuples(st.integers(0, 15), st.just(3)), elements=numbers), st.floats(0, 1))
def test_agrees_with_looking_at_every_row(values: np.ndarray, limit: float) -> None:
    frame = pd.DataFrame(values, columns=["accuracy", "hgr", "precision"])
    best = best_under_constraints(
        frame, "accuracy", "max", at_most={"hgr": limit}, at_least={"precision": 0.3}
    )
    allowed = [row for row in values if row[0] == row[0] and row[1] <= limit and row[2] >= 0.3]
    assert len(best) == min(1, len(allowed))
    if allowed:
        assert best["accuracy"].iloc[0] == max(row[0] for row in allowed)
        assert best["hgr"].iloc[0] <= limit


def test_the_best_of_each_method() -> None:
    frame = pd.DataFrame(
        {
            "method": ["frem", "frem", "mmd", "mmd", "adv"],
            "mae": [0.10, 0.12, 0.11, 0.09, 0.01],
            "hgr": [0.3, 0.1, 0.2, 0.1, 0.9],
        }
    )
    best = best_under_constraints(frame, "mae", "min", at_most={"hgr": 0.2}, by="method")
    assert best.index.tolist() == [3, 1]  # adv meets the limit nowhere


def test_unknown_column_is_named() -> None:
    with pytest.raises(ConfigError, match=r"no column 'hrg'. Did you mean 'hgr'"):
        best_under_constraints(
            pd.DataFrame({"accuracy": [1.0], "hgr": [1.0]}), "accuracy", "max", at_most={"hrg": 1}
        )
