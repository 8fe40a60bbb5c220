"""A sweep as files: another computer trains the same runs from them."""

import io
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.store import Store
from frem_core.sweeps import SweepSpec, submit
from frem_core.sweeps.portable import needs_tables, portable_file
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


def test_as_one_file_it_is_a_zip_that_gives_the_same_runs(tmp_path: Path) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    home = Store(folder=tmp_path / "home")
    sweep = submit(home, SweepSpec.from_toml(TOML.format(path=tmp_path / "people.csv")))
    text = home.sweeps.spec(sweep)
    assert needs_tables(text)
    with zipfile.ZipFile(io.BytesIO(portable_file(text, home.tables))) as archive:
        archive.extractall(tmp_path / "away")
    other = Store(folder=tmp_path / "other")
    unpacked = (tmp_path / "away" / "sweep.toml").read_text(encoding="utf-8")
    again = submit(other, SweepSpec.from_toml(unpacked, tmp_path / "away"))
    assert set(other.runs.frame(again)["id"]) == set(home.runs.frame(sweep)["id"])
    home.tables.delete(home.tables.list()[0].id)
    with zipfile.ZipFile(io.BytesIO(portable_file(text, home.tables))) as archive:
        assert archive.namelist() == ["sweep.toml"]  # still what its name promises


def test_what_comes_with_the_program_needs_no_table(tmp_path: Path) -> None:
    text = 'name = "crime"\n[dataset]\nname = "crime"\n[[methods]]\nmethod = "unfair"\n'
    assert not needs_tables(text)
    assert portable_file(text, Store(folder=tmp_path).tables) == text.encode()
