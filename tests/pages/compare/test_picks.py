"""Which runs stand beside each other, their titles, scores and sentences."""

import numpy as np
import pandas as pd

from frem_core.figures.run_titles import run_titles
from studio.compare.catalogue import usual_prediction
from studio.compare.comparable import (
    along_weight,
    comparable_instead,
    first_picks,
    matched_picks,
    why_not_comparable,
)
from studio.compare.scores import conclusions, score_table
from tests.pages.compare.page import picked


def test_the_first_picks_show_what_half_the_unfairness_costs(crime: pd.DataFrame) -> None:
    known = crime[crime["seed"] == 0].reset_index(drop=True)
    frem, other = known["method"] == "frem", known["method"] == "reg_gdp"
    weights = known["config.fairness_weight"]
    known["test.mae"] = 0.1 + 0.02 * weights
    known["test.gdp"] = 0.05 / (1 + weights)
    known["test.r2"], known["facts.constant.test.mae.value"] = 0.5, 0.9
    enough = weights[frem & (weights >= 1)].min()  # the smallest weight that halves it
    assert first_picks(known)["config.fairness_weight"].iloc[1] == enough
    useless = known.assign(**{"test.r2": 0.5 - (frem & (weights == enough))})
    assert first_picks(useless)["config.fairness_weight"].iloc[1] != enough
    known.loc[frem, "test.gdp"] = 0.05 - 0.001 * weights[frem]  # none halves it: the fairest
    assert first_picks(known)["config.fairness_weight"].iloc[1] == weights[frem].max()
    known.loc[other, "test.mae"] = 0.9  # none predicts as well: the nearest
    known.loc[other & (weights == weights[other].min()), "test.mae"] = 0.8
    assert first_picks(known)["config.fairness_weight"].iloc[2] == weights[other].min()
    only = first_picks(known[other])
    assert len(only) == 2


def test_the_matched_run_of_each_method_is_the_nearest(crime: pd.DataFrame) -> None:
    known = crime[crime["seed"] == 0].reset_index(drop=True)
    metric = usual_prediction(known)
    for _, reference in known.iterrows():
        matched = matched_picks(known, reference, metric)
        assert matched["id"][0] == reference["id"]
        assert sorted(matched["method"]) == ["frem", "reg_gdp", "unfair"]
        for _, other in matched.iloc[1:].iterrows():
            same = known[known["method"] == other["method"]]
            gaps = (same["test.mae"] - reference["test.mae"]).abs()
            assert abs(other["test.mae"] - reference["test.mae"]) == gaps.min()


def test_titles_name_what_differs(crime: pd.DataFrame) -> None:
    assert run_titles(crime[crime["seed"] == 0])[:2] == ["Unfair", "FREM, λ 0.1"]
    assert run_titles(crime)[0] == "Unfair, seed 0"
    wide = crime[crime["method"] == "frem"].copy()
    wide["config.method.gamma"] = np.linspace(0.01, 0.06, len(wide))
    assert "γ 0.01" in run_titles(wide)[0]


def test_paths_and_replacements_keep_everything_else(crime: pd.DataFrame) -> None:
    run = crime[crime["id"] == picked(crime, "frem", 1.0, seed=1)].iloc[0]
    path = along_weight(crime, run)
    assert path["config.fairness_weight"].tolist() == [0.1, 1.0, 3.0]
    assert set(path["seed"]) == {1}
    mixed = crime[crime["id"].isin([picked(crime, "unfair"), run["id"]])]
    assert why_not_comparable(mixed, ["a", "b"]) is not None
    instead = comparable_instead(mixed, crime)
    assert instead["id"].tolist() == [picked(crime, "unfair"), picked(crime, "frem", 1.0)]
    assert why_not_comparable(instead, ["a", "b"]) is None


def test_the_best_of_each_score_is_marked_by_its_direction(crime: pd.DataFrame) -> None:
    runs = crime[crime["seed"] == 0].head(2).copy()
    runs["test.mae"], runs["test.hgr"] = [0.1, 0.2], [0.3, 0.1]
    runs["test.gdp"] = [0.05, 0.05]
    metrics = [usual_prediction(runs)]
    from frem_core.evaluation import get_score

    metrics += [get_score("hgr"), get_score("gdp")]
    table = score_table(runs, ["a", "b"], metrics, 399)
    assert table.loc["1 − mean absolute error (1 − MAE)", "a"] == "**0.900**\N{NO-BREAK SPACE}★"
    hgr = table[table.index.str.contains("HGR")].iloc[0]
    assert (hgr["a"], hgr["b"], hgr["By chance"]) == (
        "0.300",
        "**0.100**\N{NO-BREAK SPACE}★",
        "0.102",
    )
    gdp = table[table.index.str.contains("GDP")].iloc[0]
    assert gdp["a"] == gdp["b"] == "**0.050**\N{NO-BREAK SPACE}★"


def test_sentences_say_better_worse_and_how_much(crime: pd.DataFrame) -> None:
    runs = crime[crime["seed"] == 0].head(3).copy()
    runs["test.mae"], runs["test.gdp"] = [0.1, 0.103, 0.2], [0.08, 0.02, 0.2]
    first, second = conclusions(runs, ["Unfair", "FREM", "Worse"], "age")
    assert "**FREM** predicts as well as **Unfair** (1 − MAE 0.897 against 0.900)" in first
    assert "follow age 75 % less (ΔGDP 0.020 against 0.080)" in first
    assert "predicts worse than" in second
    assert "2.5 times as much" in second
    runs["test.gdp"] = [0.0025, 0.0019, 0.0025]
    assert "24 % less (ΔGDP 0.0019 against 0.0025)" in conclusions(runs, ["U", "F", "W"], "age")[0]
