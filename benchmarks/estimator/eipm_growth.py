"""How time and memory grow from a thousand to a million rows."""

from math import log
from time import process_time

from benchmarks.estimator.eipm import DIMENSIONS, DISTINCT, GAMMA
from benchmarks.estimator.eipm_large import arrays
from benchmarks.measuring import in_child
from benchmarks.report import Check, Report, Table, megabytes, seconds
from frem_core.eipm import eipm
from frem_core.eipm.settings import ARRAY_FEATURES

SIZES = (1_000, 10_000, 100_000, 1_000_000)
LARGEST_EXACT = 20_000


def value(n: int, method: str, continuous: bool) -> tuple[float, float, float]:
    """EIPM, and the processor time it took, after a warm-up on few rows."""
    eipm(*arrays(1000), gamma=GAMMA, method=method)
    z, s = arrays(n, continuous=continuous)
    began = process_time()
    return eipm(z, s, gamma=GAMMA, method=method), process_time() - began, z.nbytes + s.nbytes


def run() -> Report:
    rows, processor, largest = [], {}, (0.0, 0.0)
    for n in SIZES:
        (number, spent, data), wall, memory = in_child(value, n, "linear", False)
        processor[n], largest = spent, (wall, memory)
        rows.append(_row(n, "linear", number, spent, wall, memory, data))
        if n <= LARGEST_EXACT:
            (number, spent, data), wall, memory = in_child(value, n, "exact", False)
            rows.append(_row(n, "exact", number, spent, wall, memory, data))
    (number, spent, data), wall, memory = in_child(value, SIZES[-1], "linear", True)
    rows.append(_row(SIZES[-1], "linear, continuous S", number, spent, wall, memory, data))
    exponent = log(processor[SIZES[-1]] / processor[SIZES[-2]]) / log(SIZES[-1] / SIZES[-2])
    accuracy, worst = _accuracy()
    columns = ("n", "method", "EIPM", "processor time", "wall time", "peak memory", "of it data")
    title = f"m = {DIMENSIONS}, {DISTINCT} distinct S, {ARRAY_FEATURES:,} frequencies, γ = {GAMMA}"
    note = "Wall time and memory include making the data."
    return Report(
        "EIPM from a thousand to a million rows",
        [Table(title, columns, rows, note), accuracy],
        [
            Check("a million rows in less than 60 s", seconds(largest[0]), largest[0] < 60),
            Check("a million rows in less than 3 GB", megabytes(largest[1]), largest[1] < 3e9),
            Check(
                "growth from 10⁵ to 10⁶ rows: exponent at most 1.1",
                f"{exponent:.2f}",
                exponent <= 1.1,
            ),
            Check("linear within 2 % of exact on 20,000 rows", f"{worst:.2%}", worst <= 0.02),
        ],
    )


def _row(
    n: int, method: str, number: float, spent: float, wall: float, memory: float, data: float
) -> tuple[str, ...]:
    times = seconds(spent), seconds(wall)
    return f"{n:,}", method, f"{number:.5f}", *times, megabytes(memory), megabytes(data)


def _accuracy() -> tuple[Table, float]:
    rows, errors = [], []
    for continuous in (False, True):
        exact, _, _ = in_child(value, LARGEST_EXACT, "exact", continuous)
        linear, _, _ = in_child(value, LARGEST_EXACT, "linear", continuous)
        errors.append(abs(linear[0] / exact[0] - 1))
        kind = "continuous" if continuous else f"{DISTINCT} distinct values"
        rows.append((kind, f"{exact[0]:.5f}", f"{linear[0]:.5f}", f"{errors[-1]:.2%}"))
    title = f"Linear against exact, n = {LARGEST_EXACT:,}"
    return Table(title, ("S", "exact", "linear", "relative error"), rows), max(errors)
