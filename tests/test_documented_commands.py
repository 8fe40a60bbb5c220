"""Every command that README and docs name is run, or it is said here why not."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.model_package import ModelCard, save_model
from frem_core.store import open_store
from frem_core.sweeps import SweepSpec
from tests.model_package.people import predictor, prepared
from tests.sweeps.processes import end_engine
from tests.team.page import section
from tests.test_documentation import BLOCK, PAGES, ROOT, blocks, name_of, people, shell_lines
from tools.trained_sweeps import train_sweep

# A language that is not here is neither run nor read by any test.
LANGUAGES = {"python", "toml", "sh", "bash", "console", "", "nginx", "ini"}
# Commands that are not run here, by how they begin.
ELSEWHERE = {
    "make ": "what CI itself runs",
    "pip install": "tests/test_package.py installs",
    "python3.11 -m venv": "tests/test_package.py makes environments",
    "streamlit run": "serves for ever; tests/browser opens it",
    "frem studio": "serves for ever; tests/test_package.py opens it",
    "export FREM_": "for the lines after it",
    "FREM_HOME=": "tests/store/test_backup.py restores",
    "echo ": "for the containers after it",
    "docker ": "needs containers; tests/test_containers.py starts the same processes",
    "frem reproduce": "trains for hours; tests/reproduction takes small grids",
}
# Pages that other tests follow from the first command to the last.
FOLLOWED = {"docs/team.md": "tests/team/test_team_page.py"}
# Pages whose commands train for long.
SLOW = {"README.md", "docs/limits.md", "docs/simulation.md", "docs/graphs.md"}
SLOW |= {"docs/howto/researcher.md"}
GRID = """
name = "few"
seeds = 1
[dataset]
name = "crime"
[training]
epochs = 2
[[methods]]
method = "unfair"
"""


def commands(page: Path) -> list[str]:
    """The lines of a page that are run."""
    if name_of(page) in FOLLOWED:
        return []
    lines = [line.removeprefix("$ ") for line in shell_lines(page)]
    return [line for line in lines if line and not line.startswith(("#", *ELSEWHERE))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The files that pages speak of, and a store with a finished sweep."""
    random = np.random.default_rng(0)
    age = random.uniform(18, 80, 200).round(1)
    score = 1 / (1 + np.exp(-(age - 50) / 30 - random.normal(size=200)))
    table = pd.DataFrame(
        {
            "who": np.arange(200),
            "age": age,
            "sex": random.choice(["f", "m"], 200),
            "height": random.normal(size=200),
            "income": np.where(random.random(200) < score, "high", "low"),
            "paid": np.where(random.random(200) < score, "yes", "no"),
            "joined": np.where(random.random(200) < 0.5, "yes", "no"),
            "score": score,
        }
    )
    table.to_csv(tmp_path / "people.csv", index=False)
    table.rename(columns={"paid": "hired"}).to_csv(tmp_path / "scored.csv", index=False)
    ties = pd.DataFrame(random.integers(0, 200, (400, 2)), columns=["a", "b"])
    ties.to_csv(tmp_path / "friends.csv", index=False)
    (tmp_path / "grid.toml").write_text(GRID, encoding="utf-8")
    data = prepared("paid", tmp_path / "..")
    card = ModelCard(
        title="FREM", task="classification", dataset="people", target="paid", sensitive="age"
    )
    save_model(tmp_path / "model.zip", predictor(data), card)
    (tmp_path / ".." / "people.csv").rename(tmp_path / "new.csv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FREM_STORE", "")
    yield tmp_path
    store = open_store()
    end_engine(store)
    store.close()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=name_of(page), marks=[pytest.mark.slow] * (name_of(page) in SLOW))
        for page in PAGES
        if commands(page)
    ],
)
def test_commands_run(page: Path, folder: Path) -> None:
    for line in commands(page):
        words = shlex.split(line)
        assert words[0] == "frem", f"{line!r}: run it, or say in ELSEWHERE why not"
        if "SWEEP" in words:
            store = open_store()
            words[words.index("SWEEP")] = train_sweep(store, GRID)
            store.close()
        ran = CliRunner().invoke(frem, words[1:])
        # Rules that are broken, and findings of the doctor, are said by the exit code.
        allowed = (0, 1) if "--require" in words or words[1] == "doctor" else (0,)
        assert ran.exit_code in allowed, f"{line}\n{ran.output}"
        assert ran.exception is None or isinstance(ran.exception, SystemExit), line


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_block_is_passed_over(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert {language for language, _ in BLOCK.findall(text)} <= LANGUAGES
    assert text.count("\n```") == 2 * len(BLOCK.findall(text))
    outside = BLOCK.sub("", text)
    assert not re.findall(r"^(?: {4}|\t)(?:\$ )?(?:frem|pip|make|python) .*", outside, re.MULTILINE)


def test_a_service_runs_the_command_of_its_page() -> None:
    here = {"/opt/frem/bin/": ""}
    [service] = re.findall(
        r"^ExecStart=(.*)(?=^Restart=)",
        section("So that it comes back", "ini", here),
        re.MULTILINE | re.DOTALL,
    )
    assert service.startswith("dask worker ")
    assert service in section("On every machine that trains", "sh", here)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "toml")], ids=name_of)
def test_settings_files_describe_a_sweep(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    people(tmp_path)
    whole = tomllib.loads(GRID.replace('"unfair"', '"frem"\nfairness_weights = [0.1]'))
    for block in blocks(page, "toml"):
        given = tomllib.loads(block)
        # A package of one's own, tests/test_contributing.py; a login, tests/browser/test_team.py.
        if "project" in given or "auth" in given:
            continue
        assert SweepSpec.from_dict(whole | given).expand()


def test_reasons_are_about_lines_that_exist() -> None:
    lines = [line for page in PAGES for line in shell_lines(page)]
    for start in ELSEWHERE:
        assert any(line.startswith(start) for line in lines), start
    for page, test in FOLLOWED.items():
        assert shell_lines(ROOT / page)
        assert (ROOT / test).exists()
