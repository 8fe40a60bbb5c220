"""An audit of a million predictions: time, memory, and how both grow."""

import math
import tempfile
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.measuring import in_child
from benchmarks.report import Check, Report, Table, megabytes, seconds
from frem_core.audit import audit

SMALL, LARGE = 100_000, 1_000_000


def audit_rows(rows: int) -> float:
    """Audits predictions with true outcomes and writes the report; returns processor seconds."""
    began = process_time()
    random = np.random.default_rng(0)
    age = random.uniform(18, 90, rows)
    p = 1 / (1 + np.exp(-(age - 50) / 60 - random.normal(size=rows)))
    y = (random.random(rows) < p).astype(int)
    result = audit(y, p, sensitive_features=age, n_resamples=200, n_permutations=199)
    with tempfile.TemporaryDirectory() as folder:
        result.to_html(Path(folder) / "audit.html")
    return process_time() - began


def audit_small() -> float:
    """A tenth of the rows."""
    return audit_rows(SMALL)


def audit_large() -> float:
    """All rows."""
    return audit_rows(LARGE)


def run() -> Report:
    """Both sizes, each in a process of its own."""
    small, small_wall, small_memory = in_child(audit_small)
    large, large_wall, large_memory = in_child(audit_large)
    # Processor time, because other programs lengthen it far less than wall time.
    exponent = math.log(large / small) / math.log(LARGE / SMALL)
    table = Table(
        "Audit with true outcomes, 200 resamples, 199 shuffles and the HTML report",
        ("rows", "processor time", "wall time", "peak extra memory"),
        [
            (f"{SMALL:,}", seconds(small), seconds(small_wall), megabytes(small_memory)),
            (f"{LARGE:,}", seconds(large), seconds(large_wall), megabytes(large_memory)),
        ],
        f"Growth exponent of the processor time: {exponent:.2f}. Wall time depends on what else "
        "the machine does.",
    )
    return Report(
        "Audit of a million predictions",
        [table],
        [
            Check("at most 60 s", seconds(large_wall), large_wall <= 60),
            Check("at most 60 s of processor time", seconds(large), large <= 60),
            Check("at most 3 GB", megabytes(large_memory), large_memory <= 3e9),
            Check("growth exponent at most 1.1", f"{exponent:.2f}", exponent <= 1.1),
        ],
    )
