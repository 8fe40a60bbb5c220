"""A bundle is trained like its runs alone, also when it is interrupted."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frem_core.datasets import PreparedData, load_dataset, prepare, split_dataset
from frem_core.errors import DataError
from frem_core.store import RunResult
from frem_core.sweeps import RunConfig, SweepSpec
from frem_core.sweeps.data_source import TableElsewhereError, prepared_data
from frem_core.sweeps.progress import BundleProgress
from frem_core.sweeps.train_bundle import train_bundle
from frem_core.training import TrainingCancelledError, balance

TOML = """
name = "bundle"
seeds = [0]
[dataset]
name = "crime"
[training]
epochs = 6
hidden = [8, 8]
[gamma]
policy = "{policy}"
[[methods]]
method = "{method}"
fairness_weights = [0.02, 0.5]
"""


@pytest.fixture(scope="module")
def data() -> PreparedData:
    crime = load_dataset("crime")
    return prepare(crime, split_dataset(crime, seed=0))


def runs(method: str = "frem", policy: str = "fixed") -> list[RunConfig]:
    return SweepSpec.from_toml(TOML.format(method=method, policy=policy)).expand()


def trained(
    configs: Sequence[RunConfig],
    data: PreparedData,
    reports: list[dict[str, Any]] | None = None,
    checkpoints: Path | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> list[RunResult]:
    heard: list[dict[str, Any]] = [] if reports is None else reports
    return train_bundle(
        configs,
        data,
        progress=BundleProgress(len(configs), heard.append),
        should_stop=should_stop,
        checkpoints=checkpoints,
    )


def same(left: RunResult, right: RunResult, tolerance: float) -> None:
    for split in ("train", "test"):
        for name, value in left.scores[split].items():
            assert value == pytest.approx(right.scores[split][name], rel=tolerance, abs=tolerance)


def test_together_as_alone(data: PreparedData) -> None:
    configs = runs()
    together = trained(configs, data)
    for config, result in zip(configs, together, strict=True):
        [alone] = trained([config], data)
        assert result.scores == alone.scores  # to the bit: nothing but its id decides
        assert result.files == alone.files
        assert len(result.history) == 6
        assert result.facts["stacked"] == 2
        kinds = {"weights", "model", "encoder", "predictions", "representations"}
        assert set(result.files) == kinds


def test_equal_runs_leave_equal_files(data: PreparedData) -> None:
    first, again = (trained(runs()[:1], data)[0] for _ in range(2))
    assert first.files == again.files


def test_each_run_chooses_its_own_bandwidth(data: PreparedData) -> None:
    configs = runs(policy="validate")
    reports: list[dict[str, Any]] = []
    together = trained(configs, data, reports)
    for config, result in zip(configs, together, strict=True):
        [alone] = trained([config], data)
        assert result.facts["gamma"] == alone.facts["gamma"]
        assert result.facts["gamma_choice"]["gamma"] == [0.02, 0.05, 0.1]
        assert result.scores == alone.scores
        assert result.files == alone.files
    stages = [report["stage"] for report in reports]
    assert "choosing γ: trying 0.02" in stages
    assert reports[-1]["stage"] == "evaluating 2 of 2"
    assert max(report.get("epoch", 0) for report in reports) == 24 == configs[0].epochs


def test_runs_with_limits_say_what_they_found(data: PreparedData) -> None:
    text = TOML.format(method="reg_gdp", policy="fixed")
    text = text.replace("fairness_weights = [0.02, 0.5]", 'limits = ["gdp=50%", "gdp=30%"]')
    configs = SweepSpec.from_toml(text).expand()
    reports: list[dict[str, Any]] = []
    together = trained(configs, data, reports)
    [alone] = trained(configs[:1], data)
    same(together[0], alone, 0.0)
    for config, result in zip(configs, together, strict=True):
        limit = result.facts["limit"]
        assert isinstance(limit, dict)
        assert config.limit is not None
        assert limit["limit"] == pytest.approx(config.limit.value(limit["unfair"]))
        assert limit["value"] == pytest.approx(result.scores["test"]["gdp"])
        assert limit["interval"][0] < limit["value"] < limit["interval"][1]
        assert result.facts["fairness_weight"] == result.history[-1]["fairness_weight"]
        assert "ViolentCrimesPerPop by" in limit["sentence"]
    stages = [report["stage"] for report in reports]
    assert stages[0] == "training the unfair model to compare with"
    assert max(report.get("epoch", 0) for report in reports) == 12 == configs[0].epochs


def test_relative_weights_are_in_units_of_the_data(data: PreparedData) -> None:
    text = TOML.format(method="reg_gdp", policy="fixed")
    text = text.replace("fairness_weights = [0.02, 0.5]", "relative_weights = [0.5, 2.0]")
    low, high = trained(SweepSpec.from_toml(text).expand(), data)
    first, second = (float(one.facts["fairness_weight"]) for one in (low, high))  # type: ignore[arg-type]
    assert second == pytest.approx(4 * first)
    config = SweepSpec.from_toml(text).expand()[0]
    unit = balance(data.train, task=data.task, method=config.method, config=config.training).weight
    assert first == pytest.approx(unit / 2)


def test_progress_covers_every_epoch_of_every_run(data: PreparedData) -> None:
    reports: list[dict[str, Any]] = []
    results = trained(runs("sipm_lfr"), data, reports)
    for place, result in enumerate(results):
        heard: list[dict[str, float]] = []
        for report in reports:
            if "records" in report and place in report["runs"]:
                records = report["records"][report["runs"].index(place)]
                assert report["first"] == len(heard)
                heard += records
        assert len(heard) == len(result.history)
        np.testing.assert_equal(heard, [dict(record) for record in result.history])


@pytest.mark.parametrize("policy", ["fixed", "validate"])
def test_an_interrupted_bundle_ends_like_an_undisturbed_one(
    data: PreparedData, tmp_path: Path, policy: str
) -> None:
    longer = replace(runs()[0].training, epochs=12)
    configs = [replace(one, training=longer) for one in runs(policy=policy)]
    calm = trained(configs, data)
    folder = tmp_path / "b"
    # In the only training, or amid the candidates. How often a training asks whether it should
    # stop depends on the clock; what it has written does not.
    enough = 1 if policy == "fixed" else 2

    def kept() -> int:
        return len(list(folder.rglob("*.safetensors")))

    with pytest.raises(TrainingCancelledError):
        trained(configs, data, checkpoints=folder, should_stop=lambda: kept() == enough)
    assert kept() == enough
    resumed = trained(configs, data, checkpoints=folder)
    for left, right in zip(calm, resumed, strict=True):
        same(left, right, 0.0)
        np.testing.assert_equal(left.history, right.history)
        assert left.files == right.files


def test_a_damaged_checkpoint_is_dropped(data: PreparedData, tmp_path: Path) -> None:
    configs = runs()
    folder = tmp_path / "b" / "part-0"
    folder.mkdir(parents=True)
    (folder / "stack-0.safetensors").write_bytes(b"cut off by a power failure")
    same(trained(configs, data, checkpoints=tmp_path / "b")[0], trained(configs, data)[0], 0.0)


class TestDataSource:
    def test_the_same_split_is_prepared_once(self) -> None:
        config = runs()[0]
        first = prepared_data(config, {"name": "crime"}, None)
        assert prepared_data(runs()[1], {"name": "crime"}, None) is first

    def test_a_table_elsewhere_is_asked_for(self) -> None:
        config = RunConfig.from_dict(runs()[0].to_dict() | {"dataset": "0" * 64})
        source = {"table": "0" * 20, "target": "y", "sensitive": "s"}
        with pytest.raises(TableElsewhereError):
            prepared_data(config, source, None)

    def test_a_changed_dataset_is_refused(self) -> None:
        config = RunConfig.from_dict(runs()[0].to_dict() | {"dataset": "1" * 64})
        with pytest.raises(DataError, match="has changed since this run was queued"):
            prepared_data(config, {"name": "crime"}, None)
