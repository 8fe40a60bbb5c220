"""The package as people get it: built from this tree and installed beside nothing of it."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build(folder: Path) -> tuple[Path, Path]:
    """Wheel and source archive of this very tree."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def install(wheel: Path, folder: Path) -> Path:
    """An environment with the wheel, which finds what it needs among the libraries of this one.

    Returns:
        Its folder of programs.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    programs = folder / "bin"
    pip = [sys.executable, "-m", "pip", "--python", programs / "python"]
    command = [*pip, "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(command, check=True, env=outside())
    (home,) = folder.glob("lib/python*/site-packages")
    (home / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return programs


def outside() -> dict[str, str]:
    """The environment of a process that must not find this tree."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
