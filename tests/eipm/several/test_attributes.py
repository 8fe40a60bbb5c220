"""Each attribute alone, all jointly, and what only their crossing shows."""

import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.eipm import UncoveredWarning, eipm, eipm_attributes, eipm_test


def crossing(n: int, seed: int) -> tuple[np.ndarray, pd.DataFrame]:
    """Young women and old men on one side, the others on the other: no attribute alone tells."""
    rng = np.random.default_rng(seed)
    S = pd.DataFrame({"age": rng.random(n), "sex": rng.choice(["Female", "Male"], n)})
    side = np.where(S["sex"] == "Female", 1, -1) * np.where(S["age"] < 0.5, 1, -1)
    return rng.normal(size=(n, 2)) + 0.7 * side[:, None], S


def test_what_only_the_crossing_shows_is_found_by_the_joint_alone() -> None:
    z, S = crossing(900, 3)
    table = eipm_attributes(z, S, gamma=0.05, permutations=20).set_index("attribute")
    assert table.index.tolist() == ["age", "sex", "joint", "excess"]
    assert table.columns.tolist() == ["eipm", "chance", "share_covered"]
    for alone in ("age", "sex"):
        assert table.loc[alone, "eipm"] < 1.6 * table.loc[alone, "chance"]
    for found in ("joint", "excess"):
        assert table.loc[found, "eipm"] > 2.5 * table.loc[found, "chance"]
    assert eipm_test(z, S, gamma=0.05, permutations=39).p_value == 1 / 40
    assert eipm_test(z, S["age"], gamma=0.05, permutations=39).p_value > 0.05


def test_the_excess_is_the_interaction_and_not_the_sum_of_effects() -> None:
    rng = np.random.default_rng(5)
    n = 900
    S = pd.DataFrame({"age": rng.random(n), "sex": rng.choice(["Female", "Male"], n)})
    up, woman = np.where(S["age"] < 0.5, 1, -1), np.where(S["sex"] == "Female", 1, -1)
    noise = rng.normal(size=n)
    added = eipm_attributes(noise + 0.4 * up + 0.4 * woman, S, gamma=0.05).set_index("attribute")
    crossed = eipm_attributes(noise + 0.6 * up * woman, S, gamma=0.05).set_index("attribute")
    assert added.loc["joint", "eipm"] > added.loc[["age", "sex"], "eipm"].max()
    assert added.loc["excess", "eipm"] < 0.35 * added.loc["joint", "eipm"]
    assert crossed.loc["excess", "eipm"] > 0.9 * crossed.loc["joint", "eipm"]


def test_bandwidths_come_from_the_data_by_default() -> None:
    z, S = crossing(600, 1)
    years = S.assign(age=18 + 60 * S["age"])
    pence = S.assign(age=1e5 * S["age"])
    first, second = (eipm_attributes(z, one, permutations=5) for one in (years, pence))
    np.testing.assert_allclose(first["eipm"], second["eipm"], rtol=1e-6)
    one = eipm_attributes(z, years[["age"]], permutations=5)
    assert one["attribute"].tolist() == ["age"]
    assert eipm(z, years) == eipm(z, [years["age"], years["sex"]]) == first["eipm"].iloc[2]
    assert float(eipm(torch.from_numpy(z), years)) == pytest.approx(first["eipm"].iloc[2])
    tested = eipm_test(z, years, permutations=5).statistic
    assert tested == pytest.approx(first["eipm"].iloc[2], rel=1e-12)


def test_where_nobody_has_neighbours_nothing_is_claimed() -> None:
    rng = np.random.default_rng(0)
    z, S = rng.normal(size=(200, 2)), rng.random((200, 4))
    with pytest.warns(UncoveredWarning):
        table = eipm_attributes(z, S, gamma=0.02, permutations=3).set_index("attribute")
    assert table.loc[["joint", "excess"], ["eipm", "chance"]].isna().all(axis=None)
    assert table.loc["joint", "share_covered"] == 0
    assert table["eipm"].iloc[:4].notna().all()
    with pytest.warns(UncoveredWarning):
        result = eipm_test(z, S, gamma=0.02, permutations=3)
    assert np.isnan([result.statistic, result.floor, result.p_value]).all()
    assert result.dropped == 200
