"""The command: lists, writes pages from what is there, refuses what it does not know."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from frem_core.cli import frem
from frem_core.errors import ConfigError
from frem_core.library import available_examples


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FREM_STORE", "")


def call(*arguments: object) -> Result:
    return CliRunner().invoke(frem, ["reproduce", *map(str, arguments)])


def test_without_a_target_they_are_listed() -> None:
    result = call()
    assert result.exit_code == 0
    for name in ("pareto-crime", "table-other", "mi-stability"):
        assert name in result.stdout


def test_an_unknown_target_is_refused_with_a_hint() -> None:
    result = call("pareto-crim", "--render-only")
    assert isinstance(result.exception, ConfigError)
    assert "pareto-crime" in str(result.exception)


def test_render_only_trains_nothing_and_writes_page_and_overview(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    result = call("sigma", "--render-only", "--output", folder)
    assert result.exit_code == 0, result.output
    assert "NOT TESTED YET with the settings as printed" in result.stdout
    assert "0 of 205 runs are done" in (folder / "sigma.md").read_text(encoding="utf-8")
    assert "[sigma](sigma.md)" in (folder / "README.md").read_text(encoding="utf-8")


def test_one_reading_can_be_written_anew_and_the_other_stays(tmp_path: Path) -> None:
    for choice in ("both", "nearest"):
        result = call("sigma", "--render-only", "--reading", choice, "--output", tmp_path)
        assert result.exit_code == 0, result.output
    page = tmp_path / "sigma.md"
    known = page.read_text(encoding="utf-8")
    page.write_text(known.replace("0 of 205 runs are done", "a few runs"), encoding="utf-8")
    call("sigma", "--render-only", "--reading", "nearest", "--output", tmp_path)
    assert "a few runs" in page.read_text(encoding="utf-8")


def test_quick_pages_do_not_overwrite_the_others(tmp_path: Path) -> None:
    result = call("sigma", "--quick", "--render-only", "--output", tmp_path)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "quick" / "sigma.md").is_file()
    assert not (tmp_path / "sigma.md").exists()


def test_the_overview_can_be_written_alone(tmp_path: Path) -> None:
    result = call("overview", "--output", tmp_path)
    assert result.exit_code == 0
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "0 claims, judged by the nearest reading of the paper: none tested yet." in text


def test_runs_that_come_with_the_program_can_be_taken_over(tmp_path: Path) -> None:
    result = call("pareto-crime", "--with-examples", "--render-only", "--output", tmp_path)
    assert result.exit_code == 0, result.output
    about = available_examples()["example-crime"]
    page = (tmp_path / "pareto-crime.md").read_text(encoding="utf-8")
    share = "all" if about.runs == about.expected else f"{about.runs} of"
    assert f"{share} {about.expected} runs are done" in page
