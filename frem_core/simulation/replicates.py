"""Runs replicates of the simulation in parallel and hands them over as they finish."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any
from zlib import crc32

import joblib
import numpy as np
import pandas as pd
import torch

from frem_core.errors import ConfigError
from frem_core.simulation.designs import Design
from frem_core.simulation.estimates import EstimatorGrid, estimate_stack
from frem_core.types import Floats

KEYS = ["design", "case", "n", "estimator", "setting"]
COLUMNS = [*KEYS, "replicate", "estimate", "truth"]
# Replicates in one task: enough to share overhead, few enough to watch results grow.
BATCH = 10
# Entries of one stacked kernel matrix: larger ones leave the cache and stacking no longer pays.
_STACK_ENTRIES = 200_000


@dataclass(frozen=True)
class Cell:
    """A design and a sample size: one row of the paper's tables."""

    design: Design
    n_samples: int

    def __post_init__(self) -> None:
        if self.n_samples < 3:
            raise ConfigError(f"A sample needs at least 3 rows, not {self.n_samples}.")

    def seeds(self, seed: int, replicate: int) -> tuple[np.random.Generator, np.random.Generator]:
        """Sources of one replicate's data and of its importance samples.

        They depend on the seed, the cell and the replicate alone: not on the number of processes,
        on which other cells run, or on the estimators.
        """
        key = crc32(f"{self.design.name}: {self.design.case}, n={self.n_samples}".encode())
        data, draws = np.random.SeedSequence(seed, spawn_key=(key, replicate)).spawn(2)
        return np.random.default_rng(data), np.random.default_rng(draws)


_Task = tuple[Cell, EstimatorGrid, int, range]
_Finished = tuple[Cell, range, Floats]


def simulate(
    cells: Sequence[Cell],
    grid: EstimatorGrid,
    *,
    replicates: int,
    seed: int = 0,
    jobs: int = 1,
) -> Generator[pd.DataFrame, None, None]:
    """Yields batches of estimates as they finish, every cell growing at the same pace.

    The same seed gives the same numbers for any number of jobs; only the order of the batches may
    differ. Closing the iterator stops the work once the batches under way are done.

    Args:
        cells: designs and sample sizes.
        grid: estimators and settings.
        replicates: samples per cell.
        seed: of the whole simulation.
        jobs: processes; 1 works in this process.

    Yields:
        Tables with the columns design, case, n, estimator, setting, replicate, estimate, truth.
    """
    if replicates < 1 or jobs < 1:
        raise ConfigError(f"replicates ({replicates}) and jobs ({jobs}) must be at least 1.")
    truths = {cell: cell.design.truth() for cell in cells}
    stopped = Event()
    tasks = (
        (cell, grid, seed, range(start, min(start + BATCH, replicates)))
        for start in range(0, replicates, BATCH)
        for cell in cells
        if not stopped.is_set()
    )
    finished = _in_parallel(tasks, jobs) if jobs > 1 else (_estimate_batch(*task) for task in tasks)
    try:
        for cell, batch, estimates in finished:
            yield _tidy(cell, grid, batch, estimates, truths[cell])
    finally:
        # Running dry instead of aborting: aborted worker processes would have to start anew.
        stopped.set()
        for _ in finished:
            pass


def collect(batches: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Joins all batches into one table, ordered by cell, estimator, setting and replicate."""
    return in_reading_order(pd.concat(batches, ignore_index=True), "replicate")


def in_reading_order(table: pd.DataFrame, *further: str) -> pd.DataFrame:
    """Sorts by cell, estimator, setting and further columns, with m=3 before m=10."""

    def key(column: "pd.Series[Any]") -> "pd.Series[Any]":
        if column.name != "case":
            return column
        return column.map({case: _padded_numbers(case) for case in column.unique()})

    return table.sort_values([*KEYS, *further], key=key, kind="stable", ignore_index=True)


def _padded_numbers(text: str) -> str:
    return re.sub(r"\d+(\.\d+)?", lambda number: f"{float(number.group()):015.8f}", text)


def _in_parallel(tasks: Iterator[_Task], jobs: int) -> Iterator[_Finished]:
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    finished: Iterator[_Finished] = parallel(
        joblib.delayed(_estimate_batch)(*task) for task in tasks
    )
    return finished


def _estimate_batch(cell: Cell, grid: EstimatorGrid, seed: int, batch: range) -> _Finished:
    sources = [cell.seeds(seed, replicate) for replicate in batch]
    samples = [cell.design.draw(cell.n_samples, data) for data, _ in sources]
    z, s = (np.stack(parts) for parts in zip(*samples, strict=True))
    rngs = [draws for _, draws in sources]
    size = max(1, _STACK_ENTRIES // cell.n_samples**2)
    with _one_thread():
        stacks = [slice(start, start + size) for start in range(0, len(batch), size)]
        estimates = [estimate_stack(z[i], s[i], grid, rngs[i]) for i in stacks]
    return cell, batch, np.concatenate(estimates)


@contextmanager
def _one_thread() -> Iterator[None]:
    """One thread for small products: more are slower, and round differently."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _tidy(
    cell: Cell, grid: EstimatorGrid, batch: range, estimates: Floats, truth: float
) -> pd.DataFrame:
    names, settings = zip(*grid.columns, strict=True)
    return pd.DataFrame(
        {
            "design": cell.design.name,
            "case": cell.design.case,
            "n": cell.n_samples,
            "estimator": np.tile(np.array(names, dtype=object), len(batch)),
            "setting": np.tile(settings, len(batch)),
            "replicate": np.repeat(np.arange(batch.start, batch.stop), len(names)),
            "estimate": estimates.ravel(),
            "truth": truth,
        },
        columns=COLUMNS,
    )
