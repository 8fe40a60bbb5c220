"""What a fresh clone promises: pinned requirements, make targets, two commands."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PIN = re.compile(r"^[A-Za-z0-9_.-]+(\[[a-z0-9,]+\])?==[0-9][0-9A-Za-z.]*$")


def _requirement_lines(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "requirements-docs.txt"]
)
def test_every_requirement_is_pinned(name: str) -> None:
    unpinned = [line for line in _requirement_lines(name) if not PIN.match(line)]
    assert unpinned == []


def test_library_dependencies_are_all_among_the_pins() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = project["dependencies"] + extras["studio"] + extras["sweeps"] + extras["postgres"]

    def bare(requirement: str) -> str:
        return re.split(r"[\[<>=!~ ]", requirement)[0].casefold()

    pinned = {bare(line) for line in _requirement_lines("requirements.txt")}
    assert {bare(requirement) for requirement in declared} - {"frem-studio"} <= pinned


@pytest.fixture
def sample_project(tmp_path: Path) -> Path:
    """A copy of the Makefile beside an interpreter that only writes down how it was called."""
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    recorder = tmp_path / "python"
    recorder.write_text(
        "#!/bin/sh\n"
        f'echo "$*" >> "{tmp_path}/calls"\n'
        'if [ "$2" = venv ]; then mkdir -p .venv/bin && cp "$0" .venv/bin/python; fi\n'
        f'if [ -e "{tmp_path}/fail" ] && [ "$2" = pip ]; then exit 1; fi\n',
        encoding="utf-8",
    )
    recorder.chmod(0o755)
    return tmp_path


def _make(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    return subprocess.run(
        ["make", target, f"PYTHON={folder / 'python'}"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed here")
class TestSetup:
    def test_installs_both_requirement_files_and_the_package(self, sample_project: Path) -> None:
        assert _make(sample_project, "setup").returncode == 0
        calls = (sample_project / "calls").read_text(encoding="utf-8")
        assert "-r requirements.txt" in calls
        assert "-r requirements-dev.txt" in calls
        assert "--editable ." in calls

    def test_does_nothing_when_current(self, sample_project: Path) -> None:
        _make(sample_project, "setup")
        (sample_project / "calls").unlink()
        assert _make(sample_project, "setup").returncode == 0
        assert not (sample_project / "calls").exists()

    def test_runs_again_when_requirements_changed(self, sample_project: Path) -> None:
        _make(sample_project, "setup")
        (sample_project / "calls").unlink()
        later = (sample_project / ".venv/.development-installed").stat().st_mtime + 10
        os.utime(sample_project / "requirements.txt", (later, later))
        _make(sample_project, "setup")
        assert "-r requirements.txt" in (sample_project / "calls").read_text(encoding="utf-8")

    def test_a_failed_install_is_not_taken_for_done(self, sample_project: Path) -> None:
        (sample_project / "fail").touch()
        assert _make(sample_project, "setup").returncode != 0
        (sample_project / "fail").unlink()
        (sample_project / "calls").unlink()
        assert _make(sample_project, "setup").returncode == 0
        assert "-r requirements.txt" in (sample_project / "calls").read_text(encoding="utf-8")


def test_it_is_said_when_tests_are_left_out(tmp_path: Path) -> None:
    script = ROOT / "tools" / "ensure_test_programs"
    shell = shutil.which("bash")
    assert shell is not None
    report = subprocess.run(
        [shell, str(script), "--report"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tests that need chromium were LEFT OUT" in report.stdout


def test_command_line_shows_errors_without_a_traceback() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "frem_core", "datasets", "show", "no-such-table.csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 2
    assert "no-such-table.csv" in answer.stderr
    assert "Traceback" not in answer.stderr
