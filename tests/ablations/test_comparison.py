from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from frem_core.ablations import (
    Ablation,
    compare_variants,
    conclude_fronts,
    conclude_stability,
    conclude_train_vs_test,
    get_ablation,
    usual_scores,
    variant_fronts,
    variant_looks,
    variant_runs,
)
from frem_core.errors import ConfigError
from frem_core.pareto import hypervolume

WEIGHTS = (0.01, 0.1, 0.3)


def _runs(ablation: Ablation, shift: dict[str, float], seeds: int = 4) -> pd.DataFrame:
    """Finished runs of all variants; ``shift`` moves the MAE of some of them."""
    rng = np.random.default_rng(0)
    rows = []
    for seed in range(seeds):
        luck = 0.02 * rng.normal()
        for variant in ablation.variants:
            for place, weight in enumerate(WEIGHTS):
                mae = 0.1 + 0.02 * place + luck + shift.get(variant.name, 0.0)
                row = {f"config.method.{key}": value for key, value in variant.settings.items()}
                row |= {
                    "method": variant.method,
                    "seed": seed,
                    "state": "done",
                    "config.fairness_weight": weight,
                    "test.mae": mae + 0.0005 * rng.normal(),
                    "train.mae": mae - 0.02,
                    "test.gdp": 0.2 - 0.06 * place,
                    "train.gdp": 0.2 - 0.06 * place,
                }
                rows.append(row)
    return pd.DataFrame(rows)


SCORES = {"prediction": "mae", "fairness": "gdp"}


def test_fronts_average_seeds_and_show_errors_as_complements() -> None:
    ablation = get_ablation("kernels-s")
    runs = _runs(ablation, {})
    fronts = variant_fronts(ablation, runs, **SCORES)
    assert len(fronts) == len(ablation.variants) * len(WEIGHTS)
    assert list(dict.fromkeys(fronts["variant"])) == [one.name for one in ablation.variants]
    own = runs[
        (runs["config.method.sensitive_kernel"] == "rbf") & (runs["config.fairness_weight"] == 0.1)
    ]
    row = fronts[(fronts["variant"] == "rbf") & (fronts["fairness_weight"] == 0.1)].iloc[0]
    assert row["mae"] == pytest.approx(1 - own["test.mae"].mean())
    assert row["gdp"] == pytest.approx(own["test.gdp"].mean())
    assert row["seeds"] == 4
    assert set(variant_looks(ablation)) >= set(fronts["variant"])


def test_areas_are_those_of_the_mean_fronts_over_one_common_corner() -> None:
    ablation = get_ablation("kernels-s")
    table = compare_variants(ablation, _runs(ablation, {"triangular": 0.03}), **SCORES)
    runs = variant_runs(ablation, _runs(ablation, {"triangular": 0.03}), **SCORES)
    corner = (runs["mae"].min(), runs["gdp"].max())
    best = runs.groupby(["variant", "fairness_weight"])["mae"].mean().max()
    possible = (best - corner[0]) * corner[1]  # that prediction without any unfairness
    for row in table.itertuples():
        means = runs[runs["variant"] == row.variant].groupby("fairness_weight")[["mae", "gdp"]]
        area = hypervolume(means.mean(), reference=corner, directions=["max", "min"])
        assert row.area == pytest.approx(area / possible)
        assert row.area_low <= row.area <= row.area_high
    assert table["share"][0] == 0
    by_name = table.set_index("variant")
    expected = by_name.loc["triangular", "area"] / by_name.loc["rbf", "area"] - 1
    assert by_name.loc["triangular", "share"] == pytest.approx(expected)


def test_conclusions_name_what_differs_and_what_does_not() -> None:
    every = get_ablation("kernels-s")
    papers = ("rbf", "epanechnikov", "triangular")
    ablation = replace(every, variants=tuple(one for one in every.variants if one.name in papers))
    runs = _runs(ablation, {"triangular": 0.03})
    words = conclude_fronts(compare_variants(ablation, runs, **SCORES))
    assert "Triangular kernel does worse than Gaussian (RBF) kernel" in words
    assert "Epanechnikov kernel does about as well as Gaussian (RBF) kernel" in words
    better = conclude_fronts(
        compare_variants(ablation, _runs(ablation, {"triangular": -0.03}), **SCORES)
    )
    assert "Triangular kernel does better" in better
    both = conclude_fronts(compare_variants(ablation, _runs(ablation, {}), **SCORES))
    assert (
        "Epanechnikov kernel and Triangular kernel do about as well as Gaussian (RBF) kernel"
        in both
    )
    one_seed = compare_variants(ablation, _runs(ablation, {}, seeds=1), **SCORES)
    assert conclude_fronts(one_seed) == "One seed only: differences cannot be told from chance."


def test_unfinished_and_foreign_runs_do_not_count() -> None:
    ablation = get_ablation("kernels-s")
    runs = _runs(ablation, {})
    runs.loc[runs["seed"] == 3, "state"] = "running"
    foreign = runs.head(1).assign(method="adv")
    table = variant_runs(ablation, pd.concat([runs, foreign], ignore_index=True), **SCORES)
    assert len(table) == 3 * len(ablation.variants) * len(WEIGHTS)
    queued = runs.drop(columns=["test.mae", "test.gdp"]).assign(state="queued")
    assert variant_fronts(ablation, queued, **SCORES).empty
    assert conclude_fronts(compare_variants(ablation, queued, **SCORES)).startswith("There is no")
    with pytest.raises(ConfigError, match="no score 'hgr'"):
        variant_runs(ablation, runs, prediction="mae", fairness="hgr")


def test_train_and_test_are_concluded_one_after_the_other() -> None:
    ablation = get_ablation("train-vs-test")
    runs = _runs(ablation, {"reg_gdp": 0.03})
    runs.loc[runs["method"] == "reg_gdp", "train.mae"] -= 0.06
    parts = [compare_variants(ablation, runs, **SCORES, split=split) for split in ("train", "test")]
    words = conclude_train_vs_test(*parts)
    assert "On the training rows: Reg-GDP does better than FREM" in words
    assert "On the test rows: Reg-GDP does worse than FREM" in words


def test_stability_is_summed_up_by_its_extremes() -> None:
    ablation = get_ablation("mi-stability")
    table = pd.DataFrame(
        {"variant": ["frem", "mmd"], "mean": [0.1, 0.3], "sd": [0.01, 0.009], "cv": [0.1, 0.03]}
    )
    words = conclude_stability(ablation, table)
    assert words.startswith("The estimate is stable")
    assert "3.0 % of its mean for MMD" in words
    assert "10.0 % for FREM" in words
    shaky = conclude_stability(ablation, table.assign(cv=[0.5, 0.03]))
    assert "not equally stable" in shaky


def test_usual_scores_are_the_papers() -> None:
    assert usual_scores("classification") == ("accuracy", "gdp")
    assert usual_scores("regression") == ("mae", "gdp")
