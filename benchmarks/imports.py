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
TURNS, MOST = 10, 2.0

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
        before, now = Path(folder), ROOT
        rows = []
        measured = {}
        for title, program in LINES.items():
            # The first turn compiles and fetches files from the disk.
            turns = [(_time(program, before), _time(program, now)) for _ in range(TURNS + 1)][1:]
            old, new = map(list, zip(*turns, strict=True))
            measured[title] = new
            rows.append((title, *_words(old), *_words(new), f"{min(new) / min(old):.2f}"))
            print(rows[-1], flush=True)
        rows += [
            (title, "", "", *_words([_time(program, now) for _ in range(TURNS + 1)][1:]), "")
            for title, program in OTHERS.items()
        ]
    checks = [
        Check(
            f"{title} takes less than 2 s",
            f"best {min(times):.2f} s, median {median(times):.2f} s",
            median(times) < MOST,
        )
        for title, times in measured.items()
        if title.endswith("`")
    ]
    best, typical = "best of 10", "median of 10"
    columns = (
        "",
        f"{REVISION}, {best}",
        f"{REVISION}, {typical}",
        f"now, {best}",
        f"now, {typical}",
        "now ÷ before, best turns",
    )
    note = (
        "Wall time of the line in a fresh process, files in memory. What only the extras bring is "
        "hidden from both. torch comes with the first fit now: it is later, not gone."
    )
    return Report("Imports", [Table("The first line of a script", columns, rows, note)], checks)


def _words(times: list[float]) -> tuple[str, str]:
    return seconds(min(times)), seconds(median(times))


def _time(program: str, tree: Path) -> float:
    """Runs a program in a fresh process with the library of a tree; returns its wall time."""
    timed = (
        f"import sys, time\nfor name in {HIDDEN!r}: sys.modules[name] = None\n"
        f"began = time.perf_counter()\n{program}\nprint(time.perf_counter() - began)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", timed],
        env=os.environ | {"PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1"},
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(answer.stdout)
