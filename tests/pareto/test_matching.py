import numpy as np
import pandas as pd
import pytest

from frem_core.errors import ConfigError
from frem_core.pareto import nearest_on_score

RUNS = pd.DataFrame(
    {
        "method": ["frem", "frem", "frem", "adv", "adv", "mmd"],
        "test.accuracy": [0.84, 0.82, 0.80, 0.83, 0.70, np.nan],
    }
)


@pytest.mark.parametrize("value", [0.0, 0.75, 0.815, 0.83, 1.0])
def test_no_run_of_a_method_is_nearer(value: float) -> None:
    chosen = nearest_on_score(RUNS, "test.accuracy", value, by="method").set_index("method")
    for method, runs in RUNS.dropna().groupby("method"):
        best = (runs["test.accuracy"] - value).abs().min()
        assert abs(chosen.loc[method, "test.accuracy"] - value) == best
    assert "mmd" not in chosen.index


def test_nearest_method_comes_first() -> None:
    assert nearest_on_score(RUNS, "test.accuracy", 0.8, by="method")["method"].tolist() == [
        *("frem", "adv"),
    ]


def test_an_unknown_score_is_named() -> None:
    with pytest.raises(ConfigError, match=r"[Dd]id you mean"):
        nearest_on_score(RUNS, "test.acuracy", 0.8, by="method")
