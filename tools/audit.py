"""Lists what the dashboard is made of, and asks whether any of it is known to be weak.

    make audit

Writes ``build/sbom.json`` (CycloneDX) from requirements.lock, which needs no network. Then
pip-audit looks every package up in the Python Packaging Authority's advisory database. Where that
cannot be reached, this says so and ends with 3: what was not looked up is not known to be safe.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tools.lock import LOCK, ROOT

SBOM = ROOT / "build" / "sbom.json"
WEAK, NOT_LOOKED_UP = 1, 3


def main() -> int:
    """Writes the list and looks the packages up; returns the exit code."""
    SBOM.parent.mkdir(exist_ok=True)
    _write_sbom(SBOM)
    count = len(json.loads(SBOM.read_text(encoding="utf-8"))["components"])
    print(f"{SBOM.relative_to(ROOT)}: {count} packages")
    return _look_up()


def _write_sbom(file: Path) -> None:
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", str(LOCK)]
    command += ["--output-reproducible", "--output-file", str(file)]
    subprocess.run(command, check=True)


def _look_up() -> int:
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    command += ["--progress-spinner", "off", "--timeout", "15", "--format", "json", "-r", str(LOCK)]
    answer = subprocess.run(command, capture_output=True, text=True)
    try:
        found = json.loads(answer.stdout)["dependencies"]
    except ValueError:
        reason = answer.stderr.strip().splitlines()[-1:] or ["no reason given"]
        print(f"The advisory database was not reached, so nothing was looked up: {reason[0]}")
        print("Run this where the package index answers.")
        return NOT_LOOKED_UP
    return verdict(found)


def verdict(found: list[dict[str, Any]]) -> int:
    """Prints what pip-audit found out about each package; returns the exit code."""
    weak = [one for one in found if one.get("vulns")]
    passed_over = [one for one in found if "skip_reason" in one]
    for one in weak:
        for flaw in one["vulns"]:
            mended = ", ".join(flaw["fix_versions"]) or "no version yet"
            print(f"{one['name']} {one['version']}: {flaw['id']}, mended in {mended}")
    print(f"{len(found) - len(passed_over)} of {len(found)} packages were looked up.")
    if weak:
        return WEAK
    if passed_over:
        print(f"Not looked up, e.g.: {passed_over[0]['skip_reason']}")
        print("What was not looked up is not known to be safe: run this where the index answers.")
        return NOT_LOOKED_UP
    print("None of them is known to be weak.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
