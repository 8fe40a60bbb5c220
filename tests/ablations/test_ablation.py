from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest

from frem_core.ablations import EFFORTS, available_ablations, get_ablation
from frem_core.datasets import load_dataset
from frem_core.errors import ConfigError
from frem_core.sweeps import DatasetSpec, SweepSpec

OWN_TABLE = DatasetSpec(path="people.csv", target="income", sensitive="age")


def _as_run_table(spec: SweepSpec) -> pd.DataFrame:
    """What the store would say about the runs of a sweep, without training them."""
    rows = []
    for run in spec.expand(load_dataset("crime")):
        settings = {name: getattr(run.method, name) for name in run.method.parameters()}
        row = {f"config.method.{name}": value for name, value in settings.items()}
        row |= {"method": run.method.name, "seed": run.member.seed}
        rows.append(row)
    return pd.DataFrame(rows)


@pytest.mark.parametrize("name", available_ablations())
class TestEveryAblation:
    def test_has_words_and_variants_that_look_different(self, name: str) -> None:
        ablation = get_ablation(name)
        assert ablation.title
        assert ablation.question.endswith("?")
        assert ablation.claim.endswith(".")
        variants = ablation.all_variants
        assert len({one.name for one in variants}) == len(variants) >= 3
        assert len({one.title for one in variants}) == len(variants)
        assert len({(one.colour, one.symbol) for one in variants}) == len(variants)

    @pytest.mark.parametrize("effort", list(EFFORTS))
    def test_every_run_of_its_sweep_belongs_to_one_variant(self, name: str, effort: str) -> None:
        ablation = get_ablation(name)
        spec = ablation.spec(DatasetSpec(name="crime"), effort=effort)
        runs = _as_run_table(spec)
        assert len(runs) == spec.count()
        found = ablation.variant_of(runs)
        assert found.notna().all()
        matches = sum(one.matches(runs).astype(int) for one in ablation.all_variants)
        assert (matches == 1).all()
        assert set(found) == {one.name for one in ablation.all_variants}

    def test_works_for_a_table_of_ones_own(self, name: str) -> None:
        spec = get_ablation(name).spec(OWN_TABLE, label="people")
        assert "people" in spec.name
        assert spec.dataset == OWN_TABLE
        assert SweepSpec.from_toml(spec.to_toml()) == spec


def test_the_paper_effort_is_the_papers_protocol() -> None:
    spec = get_ablation("sigma").spec(DatasetSpec(name="crime"), effort="paper")
    assert spec.training == {"epochs": 200, "weight_decay": 0.01}
    assert len(spec.seeds) == 5
    sigmas = {one.settings["sigma"] for one in spec.methods if one.method == "frem"}
    assert sigmas >= {(0.8,), (1.0,), (1.5,)}
    assert {one.settings["gamma"] for one in spec.methods if one.method == "frem"} == {(0.05,)}


def test_compact_kernels_reach_across_the_whole_attribute_as_in_the_paper() -> None:
    gammas = {
        one.settings["sensitive_kernel"]: one.settings["gamma"]
        for one in get_ablation("kernels-s").variants
    }
    assert gammas.items() >= {"rbf": 0.05, "triangular": 1.0, "epanechnikov": 1.0}.items()


def test_weights_of_bins_make_the_penalty_of_two_bins_that_of_the_median() -> None:
    by_name = {one.name: one for one in get_ablation("mmd-bins").variants}
    two_bins = replace(by_name["bins-10"], weight_scale=2 / 2)
    assert two_bins.weights("crime", None) == by_name["mmd"].weights("crime", None)
    ratio = (
        by_name["bins-5"].weights("crime", None)[0] / by_name["bins-20"].weights("crime", None)[0]
    )
    assert ratio == pytest.approx(4)


def test_thinned_weights_keep_both_ends_and_one_is_the_middle() -> None:
    frem = get_ablation("train-vs-test").variants[0]
    every = frem.weights("crime", None)
    five = frem.weights("crime", 5)
    assert (five[0], five[-1], len(five)) == (every[0], every[-1], 5)
    assert set(five) <= set(every)
    assert frem.weights("crime", 1) == (every[round((len(every) - 1) / 2)],)
    assert frem.weights("crime", 99) == every


def test_the_stability_of_one_model_per_method_is_looked_at() -> None:
    spec = get_ablation("mi-stability").spec(DatasetSpec(name="crime"))
    assert Counter(one.method for one in spec.methods) == dict.fromkeys(
        ("frem", "reg_gdp", "mmd", "unfair"), 1
    )
    assert spec.count() == 4


def test_unknown_names_are_explained() -> None:
    with pytest.raises(ConfigError, match="Did you mean"):
        get_ablation("sigmaa")
    with pytest.raises(ConfigError, match="'quick' or 'paper'"):
        get_ablation("sigma").spec(DatasetSpec(name="crime"), effort="fast")
