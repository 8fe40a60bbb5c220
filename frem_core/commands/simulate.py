"""``frem simulate``: the paper's two simulation tables, ours beside the paper's."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pandas as pd
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from frem_core.console.terminal import messages, results, stoppable

_ERRORS = {"gaussian": ("bias", "mae", "rmse"), "multivariate": ("rmse",)}
_ESTIMATORS = {
    "gaussian": ("binning", "proposed"),
    "multivariate": ("binning", "nadaraya-watson", "proposed"),
}


@dataclass(frozen=True)
class _Options:
    """What both subcommands take."""

    replicates: int
    samples: tuple[int, ...]
    gammas: tuple[float, ...]
    noise_free: bool
    seed: int
    jobs: int
    csv: Path | None
    estimates_csv: Path | None
    as_json: bool


def _check_folder(
    context: click.Context, parameter: click.Parameter, path: Path | None
) -> Path | None:
    """Refuses a file that cannot be written before minutes of work, not after."""
    if path is not None and not os.access(path.absolute().parent, os.W_OK):
        raise click.BadParameter(f"the folder {path.absolute().parent} cannot be written to.")
    return path


def _shared_options(function: Callable[..., None]) -> Callable[..., None]:
    path = click.Path(dir_okay=False, writable=True, path_type=Path)
    options = [
        click.option(
            "--replicates",
            type=click.IntRange(2),
            default=1000,
            show_default=True,
            help="Samples per row of the table; the paper drew 100.",
        ),
        click.option(
            "--samples",
            type=click.IntRange(3, 2000),
            multiple=True,
            help="Rows in a sample (n); repeat for several.  [default: the paper's]",
        ),
        click.option(
            "--gamma",
            "gammas",
            type=click.FloatRange(0, 100, min_open=True),
            multiple=True,
            help="Bandwidth on S (γ); repeat for several.  [default: the paper's]",
        ),
        click.option(
            "--noise-free",
            is_flag=True,
            help="Also the proposed estimator without the noise of small samples, which the "
            "paper does not have.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0),
            default=0,
            show_default=True,
            help="The same seed gives the same table for any number of jobs.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1),
            default=os.cpu_count() or 1,
            show_default="all cores",
            help="Processes to work with.",
        ),
        click.option(
            "--csv", type=path, callback=_check_folder, help="Write the table to this file."
        ),
        click.option(
            "--estimates-csv",
            type=path,
            callback=_check_folder,
            help="Write every single estimate to this file.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@click.group()
def command() -> None:
    """Compare estimators of EIPM where its true value is known.

    Prints bias, mean absolute error and root mean squared error beside the paper's.
    """


@command.command()
@_shared_options
def gaussian(**options: Any) -> None:
    """One-dimensional representations: proposed against binning (tab:synthetic1)."""
    _run("gaussian", _Options(**options), draws=0)


@command.command()
@_shared_options
@click.option(
    "--draws",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Importance samples in the Nadaraya–Watson estimator, 1000 in the paper; "
    "0 solves its integral exactly.",
)
def multivariate(*, draws: int, **options: Any) -> None:
    """1, 3 and 10 dimensions, growing samples, Nadaraya–Watson too (tab:synthetic_multi)."""
    _run("multivariate", _Options(**options), draws=draws)


def _run(design: str, options: _Options, *, draws: int) -> None:
    from frem_core.simulation import (
        NOISE_FREE,
        PAPER_DESIGNS,
        PAPER_SAMPLES,
        Cell,
        EstimatorGrid,
        compare_with_paper,
        summarise,
    )

    samples = sorted(set(options.samples)) or PAPER_SAMPLES[design]
    cells = [Cell(case, n) for case in PAPER_DESIGNS[design] for n in samples]
    grid = EstimatorGrid(
        gammas=tuple(sorted(set(options.gammas))) or EstimatorGrid.gammas,
        estimators=_ESTIMATORS[design] + ((NOISE_FREE,) if options.noise_free else ()),
        draws=draws,
    )
    started = time.perf_counter()
    with stoppable("Nothing was written."):
        estimates = _with_progress(cells, grid, options)
    seconds = time.perf_counter() - started
    comparison = compare_with_paper(summarise(estimates))
    if options.csv is not None:
        comparison.to_csv(options.csv, index=False)
    if options.estimates_csv is not None:
        estimates.to_csv(options.estimates_csv, index=False)
    if options.as_json:
        click.echo(_as_json(design, options, draws, seconds, comparison))
    else:
        _print_table(design, options, seconds, comparison)


def _with_progress(cells: list[Any], grid: Any, options: _Options) -> pd.DataFrame:
    from frem_core.simulation import collect, simulate

    columns = (
        TextColumn("Replicates"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    batches: list[pd.DataFrame] = []
    with Progress(*columns, console=messages(), transient=True) as progress:
        task = progress.add_task("", total=options.replicates * len(cells))
        for batch in simulate(
            cells, grid, replicates=options.replicates, seed=options.seed, jobs=options.jobs
        ):
            batches.append(batch)
            progress.advance(task, batch["replicate"].nunique())
    return collect(batches)


def _as_json(
    design: str, options: _Options, draws: int, seconds: float, comparison: pd.DataFrame
) -> str:
    rows = json.loads(comparison.to_json(orient="records", double_precision=12))
    facts = {
        "design": design,
        "replicates": options.replicates,
        "seed": options.seed,
        "draws": draws,
        "seconds": round(seconds, 2),
        "rows": rows,
    }
    return json.dumps(facts, ensure_ascii=False, indent=2)


def _print_table(design: str, options: _Options, seconds: float, comparison: pd.DataFrame) -> None:
    from frem_core.simulation.table_view import rich_tables

    console = results()
    console.print(f"[bold]{design}[/]: {options.replicates:,} replicates, seed {options.seed}\n")
    for table in rich_tables(comparison, errors=_ERRORS[design]):
        console.print(table)
    shown = comparison[comparison["error"].isin(_ERRORS[design]) & comparison["paper"].notna()]
    if len(shown):
        console.print(
            f"{int(shown['differs'].sum())} of {len(shown)} values differ (*) from the paper's by "
            "more than 3 standard errors of the difference to a run with 100 replicates."
        )
    console.print(f"{seconds:.1f} s on {options.jobs} process(es).")
    if options.csv is not None:
        console.print(f"Table written to {options.csv}", markup=False)
    if options.estimates_csv is not None:
        console.print(f"Estimates written to {options.estimates_csv}", markup=False)
