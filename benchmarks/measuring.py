"""Times and memory, measured so that a busy machine spoils them as little as possible."""

import platform
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from importlib.metadata import version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import psutil
import torch


def race(
    contestants: Mapping[str, Callable[[], object]],
    *,
    repeats: int = 15,
    budget: float = 20.0,
    warm_up: bool = True,
) -> dict[str, float]:
    """Best time of each contestant, taking turns, so that all meet the same conditions.

    With one thread this is processor time, which other programs lengthen far less; with several
    it is wall time.

    Args:
        contestants: what to run, by name.
        repeats: how many turns.
        budget: no further turn is started after this many seconds.
        warm_up: whether each runs once unmeasured first.
    """
    clock = process_time if torch.get_num_threads() == 1 else perf_counter
    best = dict.fromkeys(contestants, float("inf"))
    for run in contestants.values() if warm_up else ():
        run()
    start = perf_counter()
    for _ in range(repeats):
        for name, run in contestants.items():
            began = clock()
            run()
            best[name] = min(best[name], clock() - began)
        if perf_counter() - start > budget:
            break
    return best


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Runs torch with so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def in_child(function: Callable[..., Any], *arguments: object) -> tuple[Any, float, float]:
    """Runs a module-level function alone in a fresh process.

    Returns:
        What it returned, its wall time, and the bytes by which it raised the peak of the process's
        memory above what was in use just before.
    """
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_child, args=(theirs, function, arguments))
    process.start()
    theirs.close()
    try:
        result, elapsed, extra = mine.recv()
    except EOFError:
        process.join()
        raise RuntimeError(
            f"{function.__name__} ended with exit code {process.exitcode} and no result"
        ) from None
    process.join()
    return result, elapsed, extra


def _child(pipe: Connection, function: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    before = psutil.Process().memory_info().rss
    began = perf_counter()
    result = function(*arguments)
    elapsed = perf_counter() - began
    pipe.send((result, elapsed, max(0, _peak_bytes() - before)))
    pipe.close()


def _peak_bytes() -> int:
    # A child's ru_maxrss starts at its parent's peak on Linux; VmHWM is its own.
    status = Path("/proc/self/status")
    if status.exists():
        line = next(row for row in status.read_text().splitlines() if row.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def machine() -> str:
    """One line on the machine and the libraries."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("torch", "numpy", "frem-studio"))
    return (
        f"{_processor()}, {psutil.cpu_count()} cores, "
        f"{psutil.virtual_memory().total / 2**30:.0f} GB; Python {platform.python_version()}, "
        f"{libraries}; {date.today().isoformat()}. Best of several turns unless stated; ratios are "
        "taken within one run; with one thread processor time, else wall time. Load of the "
        f"machine when it began: {psutil.getloadavg()[0]:.1f}."
    )


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
