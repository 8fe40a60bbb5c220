"""The committed sweeps can be read, trained as they stand, and are what the targets name."""

import pytest

from frem_core.datasets import load_dataset
from frem_core.methods import available_methods
from frem_core.reproduction import available_targets, get_target, load_spec, quick_version
from frem_core.reproduction.specs import available_specs
from frem_core.sweeps import SweepSpec

PAPER_TARGETS = {
    "synthetic1",
    "synthetic_multi",
    "pareto-adult",
    "pareto-crime",
    "table-other",
    "eo-adult",
    "mmd-bins",
    "kernels-s",
    "kernels-z",
    "sigma",
    "train-vs-test",
    "mi-stability",
}


def test_every_experiment_of_the_paper_is_a_target() -> None:
    assert set(available_targets()) >= PAPER_TARGETS | {"implications", "open-points"}


@pytest.mark.parametrize("name", available_specs())
def test_a_committed_sweep_is_read_back_as_it_was_written(name: str) -> None:
    spec = load_spec(name)
    assert SweepSpec.from_toml(spec.to_toml()) == spec
    assert spec.training["epochs"] == 200


def test_every_sweep_of_a_target_exists() -> None:
    for name in available_targets():
        for spec in get_target(name).specs:
            assert load_spec(spec).count() > 0, (name, spec)


def test_crime_has_every_method_with_its_whole_range_and_both_cuts() -> None:
    spec = load_spec("pareto_crime")
    papers = {"adv", "frem", "laftr", "mmd", "reg_gdp", "reg_hgr", "sipm_lfr", "unfair"}
    assert {one.method for one in spec.methods} == papers <= set(available_methods())
    assert spec.seeds == (0, 1, 2, 3, 4)
    assert spec.gamma.validates
    runs = spec.expand(load_dataset("crime"))
    # Unfair once; four methods and three under two cuts with ten weights each; five seeds.
    assert len(runs) == 5 * (1 + 10 * (4 + 3 * 2))


def test_adult_has_at_least_six_weights_for_the_main_methods() -> None:
    spec = load_spec("pareto_adult")
    weights = {one.method: len(one.aims()) for one in spec.methods}
    for method in ("frem", "reg_gdp", "reg_hgr", "adv", "mmd"):
        assert weights[method] >= 6
    assert len(spec.seeds) == 5
    assert len(load_spec("pareto_adult_binary").seeds) >= 3


def test_a_quick_version_keeps_the_shape_and_is_small() -> None:
    spec = load_spec("pareto_crime")
    quick = quick_version(spec)
    assert [one.method for one in quick.methods] == [one.method for one in spec.methods]
    assert quick.count() == 2 * (1 + 2 * (4 + 3 * 2))
    assert quick.training["epochs"] == 5
    assert quick.name != spec.name
