"""How long the first line of a script takes: this version against an earlier one.

Each line is run in fresh processes, the versions taking turns, with the dependencies of the core
only: what the extras bring is hidden. FREM_SINCE names the earlier revision.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.report import Check, Report, Table, seconds
from frem_core.extras import BROUGHT_BY

ROOT = Path(__file__).parents[1]
REVISION = os.environ.get("FREM_SINCE", "e0f0731")
TURNS, TURNS_OF_FITS, MOST = 10, 4, 2.0

FIT = """
import numpy as np
x = np.random.default_rng(0).normal(size=(200, 3))
FREMClassifier(epochs=1).fit(x, x[:, 0] > 0, sensitive_features=x[:, 1])
"""
LINES = {
    "`import frem_core`": "import frem_core",
    "`from frem_core import FREMClassifier`": "from frem_core import FREMClassifier",
    "`from frem_core import eipm`": "from frem_core import eipm",
    "`from frem_core import audit`": "from frem_core import audit",
    "`from frem_core import FREMClassifier` and a first fit": "from frem_core import FREMClassifier"
    + FIT,
}
OTHERS = {
    "torch alone": "import torch",
    "scikit-learn's base alone": "import sklearn.base",
    "torch and scikit-learn's base": "import torch, sklearn.base",
}
HIDDEN = [name for names in BROUGHT_BY.values() for name in names]


def run() -> Report:
    with tempfile.TemporaryDirectory() as folder:
        files = subprocess.run(
            ["git", "archive", REVISION, "frem_core"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=files, check=True)
        before, rows, measured = Path(folder), [], {}
        for title, program in LINES.items():
            # The first turn compiles and fetches files from the disk.
            count = TURNS_OF_FITS if program.endswith(FIT) else TURNS
            turns = [(_times(program, before), _times(program, ROOT)) for _ in range(count + 1)][1:]
            old, new = (_best_and_median(list(times)) for times in zip(*turns, strict=True))
            measured[title] = new
            shown = [seconds(time) for time in (*old, *new)]
            rows.append((title, *shown, f"{new[0] / old[0]:.2f}"))
            print(rows[-1], flush=True)
        for title, program in OTHERS.items():
            found = _best_and_median([_times(program, ROOT) for _ in range(TURNS + 1)][1:])
            rows.append((title, "", "", "", *map(seconds, found), ""))
    checks = [
        Check(
            f"{title} takes less than 2 s",
            f"{best:.2f} s of processor time, median {typical:.2f} s, best by the clock {wall:.2f}",
            typical < MOST,
        )
        for title, (best, typical, wall) in measured.items()
        if title.endswith("`")
    ]
    times = ("best", "median", "best by the clock")
    columns = (
        "",
        *(f"{REVISION}, {time}" for time in times),
        *(f"now, {time}" for time in times),
        "now ÷ before, best",
    )
    note = (
        f"Of {TURNS} fresh processes each ({TURNS_OF_FITS} with a fit), in turns; processor time, "
        "and the time by the clock. "
        "Files are in memory, and what only the extras bring is hidden from both. torch comes "
        "with the first fit now: it is later, not gone."
    )
    return Report("Imports", [Table("The first line of a script", columns, rows, note)], checks)


def _best_and_median(times: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Best and median of the processor times, and the best by the clock."""
    processor, wall = zip(*times, strict=True)
    return min(processor), median(processor), min(wall)


def _times(program: str, tree: Path) -> tuple[float, float]:
    """Runs a program in a fresh process with the library of a tree: processor time, wall time."""
    timed = (
        f"import sys, time\nfor name in {HIDDEN!r}: sys.modules[name] = None\n"
        f"began = time.perf_counter(), time.process_time()\n{program}\n"
        "print(time.process_time() - began[1], time.perf_counter() - began[0])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", timed],
        env=os.environ | {"PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1"},
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )
    processor, wall = map(float, answer.stdout.split())
    return processor, wall
