"""``frem reproduce``: repeat the paper's experiments and write down what came out."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from frem_core.console.terminal import messages, results, stoppable
from frem_core.words import counted

if TYPE_CHECKING:
    from frem_core.reproduction import Report, Target
    from frem_core.store import Store

OVERVIEW = "overview"
EVERYTHING = "all"


@click.command()
@click.argument("target", required=False)
@click.option("--quick", is_flag=True, help="5 epochs, 2 seeds, 2 fairness weights: a look only.")
@click.option(
    "--render-only", is_flag=True, help="Train nothing; write down what is finished so far."
)
@click.option(
    "--with-examples",
    is_flag=True,
    help="Take over the runs that come with the program; train only the others.",
)
@click.option(
    "--reading",
    type=click.Choice(["both", "nearest", "printed"]),
    default="both",
    show_default=True,
    help="Which reading of the paper's training settings to train. The page shows both; with "
    '"nearest" it keeps what it said on the settings as printed.',
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/results"),
    show_default=True,
    help="Folder for pages and pictures.",
)
def command(
    target: str | None,
    quick: bool,
    render_only: bool,
    with_examples: bool,
    reading: str,
    output: Path,
) -> None:
    """Repeat an experiment of the paper: train what is missing, judge, write a page.

    Without TARGET the targets are listed. "all" takes every target in turn; "overview" gathers
    their verdicts in one table (README.md). A target that was interrupted goes on where it
    stopped; no run is trained twice. Pages of quick runs go to the folder "quick" below OUTPUT.

    Claims are judged by the nearest reading of the paper: weight decay 0.001, and Adult with age
    among the features and the partition of the paper's table, because the paper's own unfair model
    comes out so. The settings as printed (weight decay 0.01) are the second column.
    """
    from frem_core.reproduction import available_targets, get_target, write_overview

    if target is None:
        _list_targets()
        return
    if target == OVERVIEW:
        results().print(f"Written: {write_overview(output)}", markup=False, soft_wrap=True)
        return
    folder = output / "quick" if quick else output
    names = available_targets() if target == EVERYTHING else [target]
    for one in [get_target(name) for name in names]:
        if with_examples:
            _take_over(one)
        _reproduce(one, reading, quick=quick, render_only=render_only, folder=folder)
    write_overview(folder)


def _take_over(target: "Target") -> None:
    from frem_core.reproduction import take_over_examples
    from frem_core.store import open_store

    store = open_store()
    try:
        count = take_over_examples(store, target)
    finally:
        store.close()
    words = f"{target.name}: {counted(count, 'run')} taken over from the examples"
    messages().print(words, markup=False)


def _reproduce(
    target: "Target", reading: str, *, quick: bool, render_only: bool, folder: Path
) -> None:
    from frem_core.reproduction import READINGS, earlier_printed, train_target, write_report
    from frem_core.store import open_store

    store = open_store()
    try:
        if not render_only:
            consequence = f"Training goes on in the background: frem reproduce {target.name}"
            with stoppable(consequence):
                train_target(
                    store,
                    target,
                    quick=quick,
                    readings=[one for one in READINGS if reading in (one, "both")],
                    wait=lambda *sweep: _wait(store, *sweep),
                )
        with messages().status(f"Judging {target.name}"):
            printed = earlier_printed(folder, target.name) if reading == "nearest" else None
            report = target.judged(store, quick=quick, printed=printed)
            page = write_report(report, folder)
    finally:
        store.close()
    _say(report, page)


def _wait(store: "Store", sweep: str, name: str) -> None:
    from frem_core.console.sweep_watch import wait_for

    messages().print(f"{name}: sweep {sweep}", markup=False)
    wait_for(store, sweep, live=messages().is_terminal)


def _say(report: "Report", page: Path) -> None:
    console = results()
    console.print(f"[bold]{report.title}[/]")
    for sentence in report.protocol:
        console.print(f"  {sentence}", markup=False, style="dim")
    for finding in report.findings:
        console.print(f"{str(finding.verdict).upper()}: {finding.claim.text}", markup=False)
        console.print(f"  {finding.evidence}", markup=False)
        if finding.printed_verdict is not None:
            second = f"{str(finding.printed_verdict).upper()} with the settings as printed"
            console.print(f"  {second}: {finding.printed_evidence}", markup=False)
    console.print(f"Written: {page}", markup=False, soft_wrap=True)


def _list_targets() -> None:
    from rich.table import Table

    from frem_core.reproduction import available_targets, get_target

    table = Table("target", "what", "in the paper")
    for name in available_targets():
        target = get_target(name)
        table.add_row(name, target.title, target.where)
    results().print(table)
