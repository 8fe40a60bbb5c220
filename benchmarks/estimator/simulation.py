"""The paper's two simulation tables with 1,000 replicates: how long, and how close.

``python -m benchmarks simulation`` writes the figures.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
import pandas as pd

from benchmarks.measuring import race, threads
from benchmarks.report import Check, Report, Table, seconds, times
from frem_core.eipm import eipm
from frem_core.eipm.binned import eipm_binned
from frem_core.eipm.nadaraya_watson import eipm_nadaraya_watson
from frem_core.simulation import (
    PAPER_DESIGNS,
    PAPER_SAMPLES,
    Cell,
    EstimatorGrid,
    collect,
    compare_with_paper,
    estimate_stack,
    simulate,
    summarise,
)

REPLICATES = 1000
JOBS = 2
LIMIT = 120.0


def run() -> Report:
    first, first_time = paper_table("gaussian")
    second, second_time = paper_table("multivariate")
    bias = first[(first["error"] == "bias") & first["paper"].notna()]
    rmse = second[(second["error"] == "rmse") & (second["estimator"] != "nadaraya-watson")]
    best = second[second["error"] == "rmse"].groupby(["case", "n", "estimator"])["ours"].min()
    winners = best.unstack().idxmin(axis=1)
    checks = [
        *(
            Check(f"{name} in less than 2 minutes", seconds(taken), taken < LIMIT)
            for name, taken in (("first table", first_time), ("second table", second_time))
        ),
        Check(
            "every bias of the first table within 3 standard errors of the paper's",
            f"farthest {bias['distance'].abs().max():.1f}",
            bool(bias["distance"].abs().max() < 3),
        ),
        Check(
            "no proposed or binning RMSE of the second table differs beyond chance",
            f"{int(rmse['differs'].sum())} of {len(rmse)}",
            not rmse["differs"].any(),
        ),
        Check(
            "the proposed estimator wins every row of the second table",
            f"{int((winners == 'proposed').sum())} of {len(winners)}",
            bool((winners == "proposed").all()),
        ),
    ]
    return Report(
        f"Simulation tables, {REPLICATES:,} replicates, {JOBS} processes", [stacking()], checks
    )


def paper_table(design: str) -> tuple[pd.DataFrame, float]:
    """One table, compared with the paper's, and how long it took."""
    cells = [Cell(case, n) for case in PAPER_DESIGNS[design] for n in PAPER_SAMPLES[design]]
    began = perf_counter()
    estimates = collect(simulate(cells, EstimatorGrid(), replicates=REPLICATES, jobs=JOBS))
    return compare_with_paper(summarise(estimates)), perf_counter() - began


def stacking() -> Table:
    """What sharing kernel matrices in stacks saves over one call per estimate."""
    rows = []
    for n in (100, 300):
        samples = [
            PAPER_DESIGNS["multivariate"][1].draw(n, np.random.default_rng(i)) for i in range(2)
        ]
        with threads(1):
            best = race({"stacked": _stacked(samples), "one by one": _one_by_one(samples)})
        rows.append(
            (
                n,
                seconds(best["stacked"] / len(samples)),
                seconds(best["one by one"] / len(samples)),
                times(best["one by one"] / best["stacked"]),
            )
        )
    columns = ("n", "stacked", "one call each", "ratio")
    return Table("Nine estimates of one sample, one thread", columns, rows)


Samples = list[tuple[np.ndarray, np.ndarray]]


def _stacked(samples: Samples) -> Callable[[], object]:
    z, s = (np.stack(parts) for parts in zip(*samples, strict=True))
    return lambda: estimate_stack(z, s, EstimatorGrid(), [])


def _one_by_one(samples: Samples) -> Callable[[], object]:
    single = {
        "binning": lambda z, s, setting: eipm_binned(z, s, bins=int(setting)),
        "nadaraya-watson": lambda z, s, setting: eipm_nadaraya_watson(z, s, gamma=setting),
        "proposed": lambda z, s, setting: eipm(z, s, gamma=setting),
    }
    columns = EstimatorGrid().columns
    return lambda: [single[name](z, s, setting) for z, s in samples for name, setting in columns]
