import numpy as np
import pandas as pd
import pytest

from frem_core.audit import (
    box_statistics,
    histogram,
    level_shares,
    outcome_by_group,
    quantile_groups,
)
from frem_core.errors import ConfigError


def test_groups_are_about_equal_and_ordered_along_s() -> None:
    s = np.random.default_rng(0).normal(size=1_000)
    groups = quantile_groups(s, 5)
    assert groups.table["rows"].tolist() == [200] * 5
    assert (groups.table["high"].to_numpy()[:-1] < groups.table["low"].to_numpy()[1:]).all()
    for code in range(5):
        members = s[groups.codes == code]
        assert members.min() == groups.table["low"][code]
        assert members.max() == groups.table["high"][code]


def test_rows_with_one_value_share_a_group_and_borders_merge() -> None:
    s = np.array([0.0] * 80 + list(np.linspace(0.1, 1.0, 20)))
    groups = quantile_groups(s, 5)
    assert len(set(groups.codes[:80])) == 1
    assert groups.table["rows"].sum() == 100
    assert len(groups.labels) < 5


def test_labels_tell_close_groups_apart() -> None:
    s = 1_000_000 + np.arange(100.0)
    labels = quantile_groups(s, 5).labels
    assert len(set(labels)) == 5
    assert quantile_groups([-2.0, -1.0, 1.0, 2.0], 2).labels == ["-2 to -1", "1 to 2"]


def test_a_group_count_below_one_is_refused() -> None:
    with pytest.raises(ConfigError, match="choose 1 or more"):
        quantile_groups([1.0, 2.0], 0)


def test_box_statistics_equal_a_direct_calculation() -> None:
    rng = np.random.default_rng(1)
    s, x = rng.uniform(size=500), rng.standard_t(2, size=500)
    groups = quantile_groups(s, 4)
    table = box_statistics(x, groups)
    for code, row in table.iterrows():
        members = np.sort(x[groups.codes == code])
        q1, q3 = np.quantile(members, [0.25, 0.75])
        assert row["median"] == np.median(members)
        assert row["mean"] == pytest.approx(members.mean())
        assert row["lower_whisker"] == members[members >= q1 - 1.5 * (q3 - q1)][0]
        assert row["upper_whisker"] == members[members <= q3 + 1.5 * (q3 - q1)][-1]
        assert row["lower_whisker"] <= row["q1"] <= row["median"] <= row["q3"]
        assert row["q3"] <= row["upper_whisker"]


def test_box_statistics_leave_missing_values_and_empty_groups_out() -> None:
    groups = quantile_groups(np.arange(10.0), 2)
    x = np.array([1.0, np.nan, 3.0, np.inf, 5.0] + [np.nan] * 5)
    table = box_statistics(x, groups)
    assert table["group"].tolist() == [groups.labels[0]]
    assert table["rows"].tolist() == [3]
    assert table["median"].tolist() == [3.0]


def test_level_shares_sum_to_one_and_pool_rare_values() -> None:
    rng = np.random.default_rng(2)
    s = rng.uniform(size=400)
    x = pd.Series(rng.choice(list("abcdefghij"), size=400), index=np.arange(400)[::-1])
    groups = quantile_groups(s, 4)
    table = level_shares(x, groups, most_levels=4)
    assert table.groupby("group")["share"].sum().to_numpy() == pytest.approx(np.ones(4))
    assert table["rows"].sum() == 400
    assert list(table["level"].unique())[-1] == "all other values"
    first, level = groups.labels[0], table["level"][0]
    share = table.set_index(["group", "level"]).loc[(first, level), "share"]
    assert share == pytest.approx(np.mean(x.to_numpy()[groups.codes == 0] == level))


def test_outcome_rates_and_means_have_sound_intervals() -> None:
    groups = quantile_groups(np.arange(200.0), 2)
    positives = np.r_[np.zeros(100), np.tile([0.0, 1.0], 50)]
    table = outcome_by_group(positives, groups)
    assert table["mean"].tolist() == [0.0, 0.5]
    # Wilson's interval for 0 of 100 and 50 of 100, as tabulated.
    assert table["low"].to_numpy() == pytest.approx([0.0, 0.4038], abs=1e-4)
    assert table["high"].to_numpy() == pytest.approx([0.0370, 0.5962], abs=1e-4)
    table = outcome_by_group(positives * 10, groups)
    assert table["high"][1] - table["mean"][1] == pytest.approx(
        1.96 * positives[100:].std(ddof=1), abs=1e-4
    )


def test_histogram_keeps_every_row_and_whole_numbers_whole() -> None:
    ages = np.random.default_rng(3).integers(17, 91, size=5_000)
    table = histogram(ages)
    assert table["rows"].sum() == 5_000
    assert len(table) <= 60
    assert ((table["low"] % 1) == 0.5).all()
    shares = np.random.default_rng(3).beta(1, 5, size=5_000)
    assert histogram(shares)["rows"].sum() == 5_000
    assert histogram(np.full(10, 0.25))["rows"].sum() == 10


def test_days_are_shown_as_dates() -> None:
    days = np.repeat([0.0, 364.5], 5)
    table = box_statistics(days, quantile_groups(days, 2), are_days=True)
    assert table["median"].astype("str").tolist() == ["1970-01-01 00:00:00", "1970-12-31 12:00:00"]
    assert table["rows"].tolist() == [5, 5]
