"""From a file that describes a sweep to its runs, and back."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frem_core.datasets import Dataset, load_dataset
from frem_core.errors import ConfigError
from frem_core.methods import available_methods
from frem_core.store import Tables
from frem_core.sweeps import DatasetSpec, GammaPolicy, MethodSpec, RunConfig, SplitSpec, SweepSpec
from frem_core.sweeps.submission import keep_files
from frem_core.training import relative_weights
from tests.sweeps.crime_spec import TOML, changed


@pytest.fixture(scope="module")
def crime() -> Dataset:
    return load_dataset("crime")


class TestExpand:
    def test_every_combination_once(self, crime: Dataset) -> None:
        spec = SweepSpec.from_toml(TOML)
        runs = spec.expand(crime)
        assert len(runs) == spec.count() == 2 * (2 * 2 + 1)
        assert len({run.identity for run in runs}) == len(runs)
        frem = {
            (run.method.to_dict()["gamma"], run.member.fairness_weight, run.member.seed)
            for run in runs
            if run.method.name == "frem"
        }
        assert frem == {(g, w, s) for g in (0.05, 0.1) for w in (0.03, 0.1) for s in (0, 1)}

    def test_settings_come_from_the_dataset_unless_given(self, crime: Dataset) -> None:
        [run, *_] = SweepSpec.from_toml(TOML).expand(crime)
        assert (run.training.batch_size, run.training.epochs) == (200, 20)
        larger = changed("epochs = 20", "epochs = 20\nbatch_size = 512")
        [run, *_] = SweepSpec.from_toml(larger).expand(crime)
        assert run.training.batch_size == 512

    def test_suggested_weights_are_the_same_for_all_data_in_units_of_the_data(
        self, crime: Dataset
    ) -> None:
        spec = SweepSpec.from_toml(changed("[0.03, 0.1]", '"preset"'))
        runs = [run for run in spec.expand(crime) if run.method.uses_fairness_weight]
        assert {run.relative_weight for run in runs} == set(relative_weights())
        assert all("fairness_weight" not in run.to_dict() for run in runs)
        assert len(spec.expand(crime)) == spec.count()

    def test_limits_are_runs_of_their_own(self, crime: Dataset) -> None:
        both_of = f"{crime.sensitive_name}:hgr=40%; gdp=0.02"
        text = changed("fairness_weights = [0.03, 0.1]", f'limits = ["50%", "{both_of}"]')
        runs = SweepSpec.from_toml(text).expand(crime)
        limited = [run for run in runs if run.limit is not None]
        assert {run.limit.text for run in limited if run.limit} == {"hgr=50%", both_of}
        again = [RunConfig.from_dict(run.to_dict()) for run in limited]
        assert [run.identity for run in again] == [run.identity for run in limited]
        assert len({run.identity for run in runs}) == len(runs)
        both = {run.stack_key for run in limited if run.member.seed == 0}
        assert len(both) == len({run.method for run in limited})

    def test_each_seed_has_its_own_split(self, crime: Dataset) -> None:
        runs = SweepSpec.from_toml(TOML).expand(crime)
        assert all(run.split["seed"] == run.member.seed for run in runs)
        fixed = SweepSpec.from_toml(TOML + "[split]\nseed = 3\n").expand(crime)
        assert {run.split["seed"] for run in fixed} == {3}

    def test_stackable_runs_share_a_key(self, crime: Dataset) -> None:
        runs = SweepSpec.from_toml(TOML).expand(crime)
        keys: dict[str, set[Any]] = {}
        for run in runs:
            keys.setdefault(run.stack_key, set()).add(
                (run.method, run.training, tuple(run.split.items()))
            )
        assert all(len(shared) == 1 for shared in keys.values())
        assert len(keys) == 2 * (2 + 1)  # seeds × (two γ of FREM, Unfair)

    def test_chosen_gamma_is_not_part_of_the_settings(self, crime: Dataset) -> None:
        validated = TOML.replace("gamma = [0.05, 0.1]\n", "") + '[gamma]\npolicy = "validate"\n'
        runs = SweepSpec.from_toml(validated).expand(crime)
        frem = [run for run in runs if run.method.name == "frem"]
        assert all(run.gamma_candidates == (0.02, 0.05, 0.1) for run in frem)
        assert all("gamma" not in run.to_dict()["method"] for run in frem)
        assert all(run.epochs == 4 * 20 for run in frem)
        assert all(run.gamma_candidates is None for run in runs if run.method.name == "unfair")

    def test_what_does_not_matter_does_not_change_the_identity(self, crime: Dataset) -> None:
        def identities(text: str) -> set[str]:
            return {run.identity for run in SweepSpec.from_toml(text).expand(crime)}

        assert identities(TOML) == identities(changed("a first look", "again"))
        assert identities(TOML) == identities(
            changed("epochs = 20", "epochs = 20\nhidden = [50, 50]")
        )
        table = TOML + '[split]\nkind = "paper_table"\n'
        assert identities(table) == identities(table + "test_size = 0.3\n")
        assert identities(TOML) != identities(TOML + "[split]\ntest_size = 0.3\n")
        assert identities(TOML).isdisjoint(identities(changed("epochs = 20", "epochs = 21")))

    def test_equal_opportunity_needs_a_classification(self, crime: Dataset) -> None:
        spec = SweepSpec.from_toml(changed('"dp"', '"eo"'))
        with pytest.raises(ConfigError, match="needs a classification"):
            spec.expand(crime)

    def test_the_same_identities_in_a_fresh_process(self, crime: Dataset) -> None:
        program = (
            "import sys; from frem_core.sweeps import SweepSpec; "
            "print([r.identity for r in SweepSpec.from_toml(sys.argv[1]).expand()])"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, TOML], capture_output=True, check=True, text=True
        )
        here = [run.identity for run in SweepSpec.from_toml(TOML).expand(crime)]
        assert done.stdout.strip() == str(here)


class TestRoundTrip:
    def test_resolved_spec_gives_the_same_runs(self, crime: Dataset) -> None:
        spec = SweepSpec.from_toml(changed("[0.03, 0.1]", '"preset"'))
        again = SweepSpec.from_toml(spec.resolved(crime).to_toml())
        assert again.to_dict()["training"]["batch_size"] == 200
        assert "preset" not in again.to_toml()
        assert [run.identity for run in again.expand(crime)] == [
            run.identity for run in spec.expand(crime)
        ]

    def test_runs_survive_json(self, crime: Dataset) -> None:
        for run in SweepSpec.from_toml(TOML + '[gamma]\npolicy = "fixed"\n').expand(crime):
            again = RunConfig.from_dict(run.to_dict())
            assert again == run
            assert again.identity == run.identity

    weights = st.lists(st.floats(0, 1e5), min_size=1, max_size=3)

    @settings(deadline=None, max_examples=40)
    @given(
        name=st.text(min_size=1).filter(lambda text: text.strip() != ""),
        seeds=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=3),
        fairness_weights=st.just("preset") | weights,
        methods=st.lists(st.sampled_from(available_methods()), min_size=1, max_size=3),
        split=st.builds(
            SplitSpec,
            seed=st.just("each") | st.integers(0, 99),
            test_size=st.floats(0.01, 0.99),
            validation_size=st.floats(0, 0.5),
        ),
        policy=st.sampled_from(["fixed", "validate"]),
        epochs=st.integers(1, 500),
    )
    def test_any_spec_survives_toml(
        self,
        name: str,
        seeds: list[int],
        fairness_weights: Any,
        methods: list[str],
        split: SplitSpec,
        policy: str,
        epochs: int,
    ) -> None:
        spec = SweepSpec(
            name=name,
            dataset=DatasetSpec(name="crime"),
            methods=tuple(
                MethodSpec(method=one, fairness_weights=fairness_weights) for one in methods
            ),
            seeds=tuple(seeds),
            split=split,
            gamma=GammaPolicy(policy=policy),
            training={"epochs": epochs, "hidden": [8, 4]},
        )
        again = SweepSpec.from_toml(spec.to_toml())
        assert again.to_dict() == spec.to_dict()


class TestTables:
    @pytest.fixture
    def csv(self, tmp_path: Path) -> Path:
        rows = range(120)
        frame = pd.DataFrame(
            {"x": [i * i % 17 for i in rows], "age": rows, "outcome": [i % 2 for i in rows]}
        )
        path = tmp_path / "people.csv"
        frame.to_csv(path, index=False)
        return path

    def spec(self, source: str) -> SweepSpec:
        roles = 'target = "outcome"\nsensitive = "age"'
        return SweepSpec.from_toml(changed('name = "crime"', f"{source}\n{roles}"))

    def test_a_file_and_its_kept_table_are_the_same(self, csv: Path, tmp_path: Path) -> None:
        tables = Tables(tmp_path / "tables")
        spec = self.spec(f'path = "{csv}"')
        kept = keep_files(spec.dataset, tables)
        assert (kept.path, kept.table) == (None, tables.list()[0].id)
        csv.unlink()
        dataset = kept.load(tables)
        assert dataset.task == "classification"
        assert keep_files(kept, tables) == kept

    def test_a_path_is_relative_to_the_file_that_names_it(self, csv: Path) -> None:
        text = changed(
            'name = "crime"', 'path = "people.csv"\ntarget = "outcome"\nsensitive = "age"'
        )
        spec = SweepSpec.from_toml(text, folder=csv.parent)
        assert spec.dataset.load().n_rows == 120

    def test_same_content_same_identity(self, csv: Path, tmp_path: Path) -> None:
        spec = self.spec(f'path = "{csv}"')
        kept = keep_files(spec.dataset, Tables(tmp_path / "tables"))
        from_file = spec.dataset.load()
        from_table = kept.load(Tables(tmp_path / "tables"))
        assert from_file.fingerprint == from_table.fingerprint

    def test_presets_of_a_namesake_are_not_taken(self, csv: Path) -> None:
        for name in ("adult.csv", "adult"):
            namesake = csv.with_name(name)
            shutil.copy(csv, namesake)
            described = self.spec(f'path = "{namesake}"').to_dict()
            del described["training"]
            spec = SweepSpec.from_dict(described | {"methods": [{"method": "frem"}]})
            resolved = spec.resolved(spec.dataset.load())
            assert resolved.methods[0].relative_weights == relative_weights()
            assert resolved.training["batch_size"] == 200  # Adult's is 1024


def test_candidates_that_are_not_used_are_still_written() -> None:
    spec = SweepSpec.from_toml(TOML + "[gamma]\ncandidates = [0.1, 0.2]\n")
    assert not spec.gamma.validates
    assert SweepSpec.from_toml(spec.to_toml()) == spec
