import numpy as np
import pandas as pd
import pytest

from frem_core.errors import ConfigError
from frem_core.pareto import method_fronts

OBJECTIVES = {"accuracy": "max", "hgr": "min"}


@pytest.fixture
def runs() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {
                "method": method,
                "weight": weight,
                "seed": seed,
                "accuracy": 0.9 - 0.1 * weight + 0.01 * rng.standard_normal(),
                "hgr": 0.5 - 0.2 * weight + 0.01 * rng.standard_normal(),
            }
            for method in ("frem", "mmd")
            for weight in (0.0, 1.0, 2.0)
            for seed in range(5)
        ]
    )


def test_means_and_standard_errors(runs: pd.DataFrame) -> None:
    table = method_fronts(runs, OBJECTIVES, setting=["weight"])
    assert len(table) == 6
    for row in table.itertuples():
        same = runs[(runs["method"] == row.method) & (runs["weight"] == row.weight)]["accuracy"]
        assert row.accuracy == pytest.approx(same.mean())
        assert table.loc[row.Index, "accuracy.se"] == pytest.approx(same.std(ddof=1) / np.sqrt(5))
        assert row.seeds == 5
    assert table["on_front"].all()


def test_each_method_has_its_own_front(runs: pd.DataFrame) -> None:
    worse = runs.copy()
    worse.loc[(runs["method"] == "mmd") & (runs["weight"] == 1.0), "accuracy"] = 0.1
    table = method_fronts(worse, OBJECTIVES, setting=["weight"]).set_index(["method", "weight"])
    assert not table.loc[("mmd", 1.0), "on_front"]
    assert table["on_front"].sum() == 5


def test_runs_without_scores_are_left_out(runs: pd.DataFrame) -> None:
    runs.loc[0, "hgr"] = np.nan
    table = method_fronts(runs, OBJECTIVES, setting=["weight"])
    assert table["seeds"].tolist() == [4, 5, 5, 5, 5, 5]


def test_methods_without_the_setting_are_kept(runs: pd.DataFrame) -> None:
    unfair = pd.DataFrame({"method": ["unfair"], "accuracy": [0.95], "hgr": [0.9]})
    table = method_fronts(pd.concat([runs, unfair]), OBJECTIVES, setting=["weight"])
    [row] = table[table["method"] == "unfair"].to_dict("records")
    assert row["seeds"] == 1
    assert np.isnan(row["accuracy.se"])


def test_unknown_columns_are_named(runs: pd.DataFrame) -> None:
    with pytest.raises(ConfigError, match=r"no column 'wieght'. Did you mean 'weight'"):
        method_fronts(runs, OBJECTIVES, setting=["wieght"])
