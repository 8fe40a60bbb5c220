"""A sweep as files: another computer trains the same runs from them."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.store import Store
from frem_core.sweeps import SweepSpec, submit
from tests.datasets.people import people

TOML = """
name = "people"
seeds = [0]
[dataset]
path = "{path}"
target = "hired"
sensitive = "age"
[training]
epochs = 1
[[methods]]
method = "unfair"
"""


def test_the_exported_files_give_the_same_runs_in_another_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people().to_csv(tmp_path / "my people.csv", index=False)
    home = Store(folder=tmp_path / "home")
    spec = SweepSpec.from_toml(TOML.format(path=tmp_path / "my people.csv"))
    sweep = submit(home, spec)
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    away = tmp_path / "away"
    away.mkdir()
    answer = CliRunner().invoke(frem, ["export", sweep, "--toml", "-o", str(away / "again.toml")])
    assert answer.exit_code == 0, answer.output
    assert {file.name for file in away.iterdir()} == {"again.toml", "my-people.parquet"}
    other = Store(folder=tmp_path / "other")
    text = (away / "again.toml").read_text(encoding="utf-8")
    assert "table =" not in text
    again = submit(other, SweepSpec.from_toml(text, away))
    assert set(other.runs.frame(again)["id"]) == set(home.runs.frame(sweep)["id"])


def test_exported_runs_name_their_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    home = Store(folder=tmp_path / "home")
    submit(home, SweepSpec.from_toml(TOML.format(path=tmp_path / "people.csv")))
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    answer = CliRunner().invoke(frem, ["export", "people", "-o", str(tmp_path / "runs.csv")])
    assert answer.exit_code == 0, answer.output
    assert pd.read_csv(tmp_path / "runs.csv")["dataset_name"].tolist() == ["people.csv"]
