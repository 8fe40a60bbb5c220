"""The report of whole sweeps: how long it takes from the command to the file, and how large it is.

The sweeps are those that come with the program: real runs, those of Crime more than 500.
"""

import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Check, Report, Table, megabytes, seconds
from frem_core.library import available_examples, open_library

_RUNS, _MOST_SECONDS, _MOST_BYTES = 500, 10.0, 8e6
_WRITE = """
import sys
from frem_core.library import open_library
from frem_core.sweep_report import sweep_report
report = sweep_report(open_library(), [sys.argv[1]])
report.save(sys.argv[2])
"""


@dataclass(frozen=True)
class _Written:
    runs: int
    rows: int
    charts: int
    processor: float
    size: int


def run() -> Report:
    """Writes the report of each example, each in a fresh process."""
    library = open_library()
    sizes = library.sweeps.frame().set_index("id")["runs"]
    found = {
        sweep: _write(sweep, int(sizes[sweep]), _rows(sweep)) for sweep in available_examples()
    }
    largest = max(found.values(), key=lambda one: one.runs)
    return Report(
        "Reports of sweeps",
        [
            Table(
                "Each in a process of its own, imports included",
                ("sweep", "runs", "rows", "charts", "processor time", "HTML"),
                [
                    (
                        sweep,
                        f"{one.runs:,}",
                        f"{one.rows:,}",
                        one.charts,
                        seconds(one.processor),
                        megabytes(one.size),
                    )
                    for sweep, one in found.items()
                ],
                "Processor time, because that does not depend on what else the machine does. "
                "Plotly itself is 4.8 MB of every file.",
            )
        ],
        [
            Check(
                f"report of at least {_RUNS} runs: at most {_MOST_SECONDS:g} s",
                f"{seconds(largest.processor)} for {largest.runs} runs",
                largest.runs >= _RUNS and largest.processor <= _MOST_SECONDS,
            ),
            Check(
                f"at most {megabytes(_MOST_BYTES)}",
                megabytes(largest.size),
                largest.size <= _MOST_BYTES,
            ),
        ],
    )


def _rows(sweep: str) -> int:
    library = open_library()
    return library.datasets.get(str(library.runs.frame(sweep)["dataset"].iloc[0])).rows


def _write(sweep: str, runs: int, rows: int) -> _Written:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", _WRITE, sweep, str(file)], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        charts = file.read_text(encoding="utf-8").count("<figure>")
        return _Written(runs, rows, charts, spent, file.stat().st_size)
