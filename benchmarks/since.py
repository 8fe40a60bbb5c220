"""Is anything slower than it was? This version against an earlier one, turn by turn.

FREM_SINCE names the earlier revision; the default is the last one before folders, names and the
penalty were made anew. Needs the repository's history.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.report import Check, Report, Table, seconds

ROOT = Path(__file__).parents[1]
REVISION = os.environ.get("FREM_SINCE", "f5198e6")
# Where in memory the matrices of a process happen to lie makes the same code up to 5 % slower.
PAIRS = 4
TURNS = 10
SLACK = 1.05


class Version:
    """A process that runs contestants with the library of one tree."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", ROOT / "benchmarks" / "since_contestants.py"],
            env=os.environ | {"PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.contestants = self._answer().split("\t")

    def time(self, contestant: str) -> float:
        """Runs it once; returns the seconds of processor time."""
        assert self._process.stdin is not None
        self._process.stdin.write(contestant + "\n")
        return float(self._answer())

    def end(self) -> None:
        """Lets the process go."""
        self._process.communicate()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def run() -> Report:
    turns: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = subprocess.run(
            ["git", "archive", REVISION, "frem_core"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=files, check=True)
        for _ in range(PAIRS):
            for contestant, times in _pair(Path(folder)).items():
                turns.setdefault(contestant, []).extend(times)
    rows, ratios = [], {}
    for contestant, times in turns.items():
        old, new = (min(one) for one in zip(*times, strict=True))
        typical = median(second / first for first, second in times)
        ratios[contestant] = new / old
        rows.append((contestant, seconds(old), seconds(new), f"{new / old:.2f}", f"{typical:.2f}"))
    slower = [f"{name} {ratio:.2f}" for name, ratio in ratios.items() if ratio > SLACK]
    check = Check(
        f"nothing takes more than 5 % longer than in {REVISION}",
        ", ".join(slower) or f"at most {max(ratios.values()):.2f}",
        not slower,
    )
    columns = ("", REVISION, "now", "now ÷ before, best turns", "median of the turns' ratios")
    note = (
        f"One thread, {PAIRS} times a process of each version, {TURNS} turns of the two one after "
        "another; FREM in the paper's form."
    )
    return Report(
        "Since an earlier version", [Table("One unit of work", columns, rows, note)], [check]
    )


def _pair(earlier: Path) -> dict[str, list[tuple[float, float]]]:
    """Turns of all contestants, each in the earlier version and now, in two fresh processes."""
    before, now = Version(earlier), Version(ROOT)
    found = {
        name: [(before.time(name), now.time(name)) for _ in range(TURNS + 1)][1:]
        for name in now.contestants
    }
    before.end()
    now.end()
    return found
