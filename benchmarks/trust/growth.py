"""Resident memory of processes over a time, and whether it stayed."""

import time
from collections.abc import Mapping
from contextlib import suppress

import psutil

from benchmarks.report import Check, Table, megabytes
from frem_core.store import Store
from tests.sweeps.processes import engine_process, worker_processes

_MOST = 0.05
_FEWEST = 10  # samples of a process that is judged


class Growth:
    """Looks at processes again and again; a process is named by what it does and its number.

    Args:
        warm_up: seconds at the beginning that do not count.
    """

    def __init__(self, warm_up: float) -> None:
        self._warm_up = warm_up
        self._began = time.monotonic()
        self._samples: dict[str, list[float]] = {}

    def look(self, store: Store, others: Mapping[str, int]) -> None:
        """Notes how much memory engine and workers of a store, and other processes, take now.

        Args:
            store: whose engine and workers are looked at.
            others: process numbers by name.
        """
        if time.monotonic() - self._began < self._warm_up:
            return
        engine = engine_process(store)
        processes = {} if engine is None else {f"engine {engine.pid}": engine.pid}
        processes |= {f"worker {one.pid}": one.pid for one in worker_processes(store)}
        for name, number in (processes | dict(others)).items():
            with suppress(psutil.NoSuchProcess):
                size = psutil.Process(number).memory_info().rss
                self._samples.setdefault(name, []).append(float(size))

    def judged(self) -> tuple[Table, list[Check]]:
        """The table of what each process took first and last, and whether it kept its promise."""
        rows, checks = [], []
        for name, sizes in sorted(self._samples.items()):
            if len(sizes) < _FEWEST:
                continue
            tenth = len(sizes) // 10
            first, last = sum(sizes[:tenth]) / tenth, sum(sizes[-tenth:]) / tenth
            grown = last / first - 1
            rows.append((name, megabytes(first), megabytes(last), f"{grown:+.1%}"))
            checks.append(Check(f"{name}: less than 5 % more", f"{grown:+.1%}", grown < _MOST))
        note = (
            f"After the first {self._warm_up / 60:.3g} minutes: mean of the first and of the last "
            f"tenth of the looks. Processes seen fewer than {_FEWEST} times are not judged."
        )
        columns = ("process", "at first", "at last", "growth")
        return Table("Resident memory", columns, rows, note), checks
