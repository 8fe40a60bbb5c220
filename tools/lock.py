"""Writes requirements.lock: every package that the dashboard needs, with the hash of its file.

    make lock

The hashes are those of the files that pip chooses here, so the lock is for this kind of machine:
its first lines say for which. ``pip install --require-hashes -r requirements.lock`` then takes no
other file, wherever it comes from.
"""

import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"


def main() -> None:
    """Asks pip what it would install, and writes that down."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
    command += ["--ignore-installed", "--report", "-", "-r", str(ROOT / "requirements.txt")]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = lock_lines(json.loads(answer.stdout))
    LOCK.write_text("\n".join([*_heading(), *lines]) + "\n", encoding="utf-8")
    print(f"{LOCK.name}: {len(lines)} packages")


def lock_lines(report: dict[str, Any]) -> list[str]:
    """One line for each package of pip's report, by name."""
    lines = []
    for one in report["install"]:
        digest = one["download_info"]["archive_info"]["hashes"]["sha256"]
        about = one["metadata"]
        lines.append(f"{about['name'].lower()}=={about['version']} --hash=sha256:{digest}")
    return sorted(lines)


def _heading() -> list[str]:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return [
        f"# {platform.system()} {platform.machine()}, Python {python}; written by `make lock` from",
        "# requirements.txt. Install with: pip install --require-hashes -r requirements.lock",
        "# (torch is the build for CPUs: --extra-index-url https://download.pytorch.org/whl/cpu)",
    ]


if __name__ == "__main__":
    main()
