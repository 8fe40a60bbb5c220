"""Loading a large table: time and peak memory, beside pandas' own reader on the same file.

``python -m benchmarks.load_table`` prints the figures; ``--rows`` changes the size. Each reader
runs in a process of its own, so that the peak memory is its own; the best of several times counts.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

N_COLUMNS = 30


def write_csv(path: Path, n_rows: int) -> None:
    """Writes 30 columns: numbers, whole numbers, categories, a date, an identifier, S and Y."""
    rng = np.random.default_rng(0)
    columns: dict[str, pa.Array] = {}
    for k in range(18):
        columns[f"number_{k}"] = pa.array(rng.normal(size=n_rows).round(6))
    for k in range(4):
        columns[f"count_{k}"] = pa.array(rng.integers(0, 10_000, n_rows))
    levels = np.array([f"level {k}" for k in range(12)])
    for k in range(4):
        columns[f"category_{k}"] = pa.array(rng.choice(levels, n_rows))
    days = np.datetime64("2000-01-01") + rng.integers(0, 8000, n_rows)
    columns["day"] = pa.array(days.astype(str))
    columns["identifier"] = pa.array([f"u{row:08d}" for row in range(n_rows)])
    columns["share"] = pa.array(rng.uniform(0, 100, n_rows).round(2))
    columns["outcome"] = pa.array(rng.integers(0, 2, n_rows))
    assert len(columns) == N_COLUMNS
    pa_csv.write_csv(pa.table(columns), path)


class Stopwatch:
    """Seconds on the wall and seconds of processor time since it was made."""

    def __init__(self) -> None:
        self._wall, self._processor = time.perf_counter(), time.process_time()

    def read(self) -> str:
        """Both, in words for the next process."""
        wall, processor = time.perf_counter() - self._wall, time.process_time() - self._processor
        return f"{wall} {processor}"


def load_as_dataset(path: Path) -> str:
    """Our way: from the file to a dataset, with progress."""
    from frem_core.datasets import load_table

    calls: list[float] = []
    watch = Stopwatch()
    dataset = load_table(
        path,
        target="outcome",
        sensitive="share",
        progress=lambda share, _text: calls.append(share),
    )
    figures = watch.read()
    assert calls == sorted(calls)
    return f"{figures} {len(calls)} {dataset.n_rows:,}×{dataset.features.shape[1]}"


def read_with_pandas(path: Path) -> str:
    """Pandas' default reader: a frame only, dates left as text."""
    import pandas as pd

    watch = Stopwatch()
    frame = pd.read_csv(path)
    return f"{watch.read()} 0 {frame.shape[0]:,}×{frame.shape[1]}"


READERS: dict[str, Callable[[Path], str]] = {
    "load_table": load_as_dataset,
    "pandas.read_csv": read_with_pandas,
}


def measure(path: Path, repeats: int) -> None:
    best: dict[str, float] = {}
    for name in READERS:
        command = [sys.executable, "-m", "benchmarks.load_table", "--read", name, str(path)]
        answers = [
            subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            for _ in range(repeats)
        ]
        wall, processor, peak = (
            choose(float(answer[field]) for answer in answers)
            for choose, field in ((min, 0), (min, 1), (max, 4))
        )
        best[name] = processor
        print(
            f"{name:16} {wall:5.1f} s ({processor:.1f} s of processor time), "
            f"peak memory {peak / 1e9:.2f} GB, {answers[0][3]}, {answers[0][2]} progress calls"
        )
    ratio = best["load_table"] / best["pandas.read_csv"]
    print(f"processor time, load_table / pandas.read_csv: {ratio:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--read", nargs=2, metavar=("READER", "PATH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        answer = READERS[options.read[0]](Path(options.read[1]))
        # Linux counts the peak in kB.
        print(answer, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_csv(path, options.rows)
        size = path.stat().st_size / 1e6
        print(f"{options.rows:,} rows × {N_COLUMNS} columns, {size:.0f} MB, {os.cpu_count()} cores")
        measure(path, options.repeats)


if __name__ == "__main__":
    main()
