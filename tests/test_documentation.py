"""Every code block of README and docs does what it says."""

import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pytest

from frem_core.cli import frem

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

# Pages and scripts that train for long, or need what only some machines have.
SLOW = {
    "README.md",
    "docs/limits.md",
    "docs/simulation.md",
    "docs/graphs.md",
    "examples/with_skorch.py",
    "examples/with_lightning.py",
}
NEEDS = {"examples/with_lightning.py": "lightning", "examples/with_skorch.py": "skorch"}


def blocks(page: Path, *languages: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language in languages]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def marked(pages: list[Path]) -> list[object]:
    return [
        pytest.param(
            page, id=name_of(page), marks=[pytest.mark.slow] if name_of(page) in SLOW else []
        )
        for page in pages
    ]


def given() -> dict[str, object]:
    """What pages speak of without making it: a representation, an attribute, people."""
    random = np.random.default_rng(0)
    age = random.uniform(18, 80, 200)
    sex = random.choice(["Female", "Male"], 200)
    s = (age - 18) / 62
    z = np.column_stack([s, random.normal(size=200)])
    X = np.column_stack([age, random.normal(size=(200, 2))])
    table = pd.DataFrame({"age": age, "sex": sex})
    return {"z": z, "s": s, "table": table, "X": X, "y": X[:, 1] > 0, "age": age}


def people(folder: Path) -> None:
    """The files that pages name."""
    random = np.random.default_rng(0)
    who = np.arange(120)
    age = random.integers(18, 80, 120)
    joined = np.where(random.random(120) < 0.5, "yes", "no")
    table = pd.DataFrame({"who": who, "age": age, "height": random.normal(size=120)})
    sex = random.choice(["f", "m"], 120)
    table.assign(joined=joined, sex=sex).to_csv(folder / "people.csv", index=False)
    ties = random.integers(0, 120, (300, 2))
    pd.DataFrame(ties, columns=["a", "b"]).to_csv(folder / "friends.csv", index=False)


@pytest.mark.parametrize("page", marked([page for page in PAGES if blocks(page, "python")]))
def test_python_runs_as_it_stands(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    people(tmp_path)
    names = {"__name__": "documentation", **given()}
    if page.name == "limits.md":
        exec("from frem_core import FREMClassifier", names)
        exec("model = FREMClassifier(keep=0.5, epochs=20).fit(X, y, sensitive_features=age)", names)
    for block in blocks(page, "python"):
        if page.name == "methods.md":  # registers a method, which must not stay in this process
            _in_a_process(block, tmp_path)
        else:
            exec(compile(block, name_of(page), "exec"), names)


def _in_a_process(program: str, folder: Path) -> None:
    # A dataclass looks for the file it was written in.
    (folder / "block.py").write_text(program, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "block.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def shell_lines(page: Path) -> list[str]:
    text = "\n".join(blocks(page, "", "sh", "bash", "console")).replace("\\\n", " ")
    return [line.split("  #")[0].strip() for line in text.splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_have_the_options_that_pages_name(page: Path) -> None:
    context = click.Context(frem)
    for line in shell_lines(page):
        words = shlex.split(re.sub(r"^(\w+=\S+\s+)+", "", line))
        if words[:1] != ["frem"] or len(words) < 2 or words[1].startswith("-"):
            continue
        command = frem.get_command(context, words[1])
        assert command is not None, line
        if isinstance(command, click.Group) and len(words) > 2:
            command = command.get_command(click.Context(command), words[2]) or command
        known = {option for one in command.get_params(context) for option in one.opts}
        asked = {word.split("=")[0] for word in words if word.startswith("--")}
        assert asked - {"--help"} <= known | _of_methods(words), line


def _of_methods(words: list[str]) -> set[str]:
    """Settings of methods, which some commands take as options of their own."""
    from frem_core.methods import available_methods, get_method
    from frem_core.training import Member, TrainingConfig

    kinds = [TrainingConfig, Member, *map(get_method, available_methods())]
    named = {name for kind in kinds for name in kind.parameters()}
    return {f"--{name.replace('_', '-')}" for name in named}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_settings_files_can_be_read(page: Path) -> None:
    for block in blocks(page, "toml"):
        assert tomllib.loads(block)


@pytest.mark.parametrize("script", marked(EXAMPLES))
def test_examples_run(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        if name_of(script) in NEEDS:
            warnings.simplefilter("ignore")  # what other libraries deprecate is not ours to mend
            pytest.importorskip(NEEDS[name_of(script)])
        runpy.run_path(str(script), run_name="__main__")


def test_every_variable_is_on_the_page_for_administrators() -> None:
    sources = [*(ROOT / "frem_core").rglob("*.py"), *(ROOT / "studio").rglob("*.py")]
    used = {
        name
        for source in sources
        for name in re.findall(r'"(FREM_[A-Z_]*[A-Z])"', source.read_text(encoding="utf-8"))
    }
    page = (ROOT / "docs" / "administration.md").read_text(encoding="utf-8")
    assert {"FREM_HOME", "FREM_STORE", "FREM_SCHEDULER"} <= used
    assert {name for name in used if name not in page} == set()


@pytest.mark.slow
@pytest.mark.parametrize("notebook", sorted((ROOT / "examples").rglob("*.ipynb")), ids=name_of)
def test_notebooks_run(notebook: Path, tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    content = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(
        content, timeout=1200, resources={"metadata": {"path": tmp_path}}
    ).execute()


@pytest.mark.slow
def test_the_site_is_built_without_a_dead_link(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    page = (tmp_path / "api" / "estimators.html").read_text(encoding="utf-8")
    # Settings are declared once, in classes that the estimators derive from.
    for words in ("how much fairness counts", "holds rows back", "bandwidth on the sensitive"):
        assert words in page
    for html in tmp_path.rglob("*.html"):
        text = html.read_text(encoding="utf-8")
        assert not re.findall(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)', text), html
