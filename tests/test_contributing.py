"""CONTRIBUTING.md says that one file is enough: its own examples have to bear that out."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worked_examples import worked_examples

ROOT = Path(__file__).parents[1]
EXAMPLES = worked_examples()
KINDS = ("kernels", "methods", "metrics", "datasets", "networks")
CONTRACTS = (
    "tests/kernels/test_contract.py",
    "tests/eipm/test_exact.py",
    "tests/methods/test_contract.py",
    "tests/metrics/test_metric.py",
    "tests/datasets/test_contract.py",
    "tests/networks/test_contract.py",
)
# Tests that look at all things of a kind at once, so that no name selects them.
TOGETHER = "told_apart or titles_differ or ablation"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A throw-away copy of the package and its tests, with the examples added."""
    folder = tmp_path_factory.mktemp("copy")
    # With its bytecode, which stays valid: times of files are copied too.
    ignored = shutil.ignore_patterns("library", "browser", "pages")
    for name in ("frem_core", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copytree(ROOT / "frem_core" / "library", folder / "frem_core" / "library", symlinks=True)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path, source in EXAMPLES.items():
        assert not (folder / path).exists()
        (folder / path).write_text(source, encoding="utf-8")
    return folder


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {
        "PYTHONPATH": str(folder),
        "FREM_HOME": str(folder / "home"),
        "COLUMNS": "200",
    }
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_there_is_an_example_of_each_kind() -> None:
    assert [Path(path).parent.name for path in EXAMPLES] == list(KINDS)


def test_they_keep_the_house_style(copy: Path) -> None:
    for command in (["check"], ["format", "--check"]):
        checked = run(copy, "ruff", *command, *EXAMPLES)
        assert checked.returncode == 0, checked.stdout


def test_the_contract_suites_pass_over_them(copy: Path) -> None:
    names = [Path(path).stem for path in EXAMPLES]
    tested = run(
        copy,
        *("pytest", "-q", "-rp", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("-k", " or ".join([*names, TOGETHER])),
        *(*CONTRACTS, "tests/ablations/test_ablation.py", *EXAMPLES),
    )
    assert tested.returncode == 0, tested.stdout[-8000:]
    for name in names:
        assert len(re.findall(rf"^PASSED .*{name}", tested.stdout, flags=re.MULTILINE)) >= 3, name


def test_they_work_together_on_the_command_line(copy: Path) -> None:
    chosen = ["--dataset", "wages", "--encoder", "residual", "--epochs", "2", "--json"]
    for method in (["covariance", "--ridge", "0.1"], ["frem", "--sensitive-kernel", "laplace"]):
        trained = run(copy, "frem_core", "train", "--method", *method, *chosen)
        assert trained.returncode == 0, trained.stderr
        assert 0 <= json.loads(trained.stdout)["scores"]["test"]["correlation"] <= 1
    assert "wages" in run(copy, "frem_core", "datasets").stdout
