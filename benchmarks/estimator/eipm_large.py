"""Exact EIPM of a whole dataset, against the time it takes to form the kernel matrix alone."""

import numpy as np
import torch

from benchmarks.estimator.eipm import DIMENSIONS, DISTINCT, GAMMA, sample
from benchmarks.estimator.eipm_procedures import form_kernel_matrix
from benchmarks.measuring import in_child, race, threads
from benchmarks.report import Check, Report, Table, megabytes, seconds, times
from frem_core.eipm import eipm, eipm_profile, eipm_test
from frem_core.eipm.tiles import SQUARE_TILE

ROWS = 45_222


def arrays(n: int, *, continuous: bool = False) -> tuple[np.ndarray, np.ndarray]:
    z, s = sample(n, continuous=continuous)
    return z.double().numpy(), s.double().numpy()


def run() -> Report:
    with threads(1):
        z, s = arrays(ROWS)
        rows = torch.from_numpy(z)
        best = race(
            {
                "floor": lambda: form_kernel_matrix(rows, SQUARE_TILE),
                "exact": lambda: eipm(z, s, gamma=GAMMA),
            },
            repeats=3,
        )
    _, wall, memory = in_child(exact)
    ratio = best["exact"] / best["floor"]
    table = Table(
        f"n = {ROWS:,}, m = {DIMENSIONS}, {DISTINCT} distinct S, float64",
        ("what", "time", "of the floor", "peak extra memory"),
        [
            ("forming the kernel matrix, 1 thread", seconds(best["floor"]), "1", ""),
            ("exact EIPM, 1 thread", seconds(best["exact"]), f"{ratio:.2f}", ""),
            ("exact EIPM, all threads, once, wall time", seconds(wall), "", megabytes(memory)),
        ],
        "Only one half of the symmetric kernel matrix is formed, hence less than the floor.",
    )
    checks = [
        Check("within 1.3× of the kernel-matrix floor", times(ratio), ratio <= 1.3),
        Check("less than 1.5 GB", megabytes(memory), memory < 1.5e9),
    ]
    return Report("EIPM of a whole dataset", [table, _questions()], checks)


def exact() -> float:
    z, s = arrays(ROWS)
    return eipm(z, s, gamma=GAMMA)


def _questions() -> Table:
    """What a page recomputes when a slider moves."""
    cases = {"Crime, 1,994 rows": 1_994, "Adult's test split, 9,045 rows": 9_045}
    rows = []
    for name, n in cases.items():
        for continuous in (False, True):
            z, s = arrays(n, continuous=continuous)
            with threads(1):
                best = race(
                    {
                        "eipm": lambda z=z, s=s: eipm(z, s, gamma=GAMMA),
                        "profile": lambda z=z, s=s: eipm_profile(z, s, gamma=GAMMA),
                        "test": lambda z=z, s=s: eipm_test(z, s, gamma=GAMMA, permutations=99),
                    },
                    repeats=2,
                    budget=15.0,
                )
            kind = "continuous S" if continuous else f"{DISTINCT} distinct S"
            rows.append((name, kind, *(seconds(best[k]) for k in ("eipm", "profile", "test"))))
    columns = ("size", "S", "`eipm`", "`eipm_profile`", "`eipm_test`, 99 shuffles")
    return Table("Other questions, 1 thread, float64", columns, rows)
