"""``frem sweep``: queue a grid of trainings and, if asked, wait for it."""

import json
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from frem_core.console.terminal import messages, results, stoppable
from frem_core.errors import ConfigError
from frem_core.words import counted

if TYPE_CHECKING:
    from frem_core.store import Store

SOME_FAILED = 1


@click.command()
@click.argument("spec", type=click.File("r", encoding="utf-8"))
@click.option("--wait", is_flag=True, help="Return when every run has ended.")
@click.option("--watch", is_flag=True, help="The same with live progress bars.")
@click.option("--name", help="Call the sweep this, whatever the file says.")
@click.option(
    "--priority", default=0, help="Train it before your other sweeps; higher comes first."
)
@click.option("--dry-run", is_flag=True, help="Check the file, count the runs, queue nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of sentences.")
def command(
    spec: IO[str],
    wait: bool,
    watch: bool,
    name: str | None,
    priority: int,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Train every run that the TOML file SPEC describes (- reads standard input).

    Runs that were trained before are not trained again. The training goes on in the background
    when this command ends, also at Ctrl-C. With --wait or --watch the exit code is 0 when every
    run is done and 1 when some failed or were cancelled.

    A section [search] (trainings = 30, at_most = 0.2, fairness = "hgr") trains no grid: it chooses
    λ, γ, σ, learning rate and width by the results so far, on validation rows.

    \b
    name = "Crime fronts"
    seeds = [0, 1, 2, 3, 4]          # each also draws its own split
    [dataset]
    name = "crime"                   # or path = "people.csv", target = …, sensitive = …
    [[methods]]
    method = "frem"
    fairness_weights = "preset"      # or a list such as [0.03, 0.1, 0.3]
    gamma = [0.05, 0.1]              # any setting may be a list: every combination is trained
    [[methods]]
    method = "unfair"
    [training]
    epochs = 200
    """  # noqa: D301
    from dataclasses import replace

    from frem_core.sweeps import SweepSpec

    described = SweepSpec.from_toml(_read(spec), folder=_folder(spec))
    if name is not None:
        described = replace(described, name=name)
    if dry_run:
        _say_size(len(described.expand()), as_json)
        return
    from frem_core.store import open_store
    from frem_core.sweeps import ensure_engine, submit

    store = open_store()
    with messages().status("Queueing"):
        person = os.environ.get("FREM_USER", "").strip() or None
        sweep = submit(store, described, queued_by=person, priority=priority)
    ensure_engine(store)
    _finish(store, sweep, wait=wait or watch, live=watch, as_json=as_json)


def _finish(store: "Store", sweep: str, *, wait: bool, live: bool, as_json: bool) -> None:
    from frem_core.console.sweep_watch import sweep_counts, wait_for

    if wait:
        with stoppable(f"The sweep goes on in the background: frem status {sweep}"):
            counts = wait_for(store, sweep, live=live)
    else:
        counts = sweep_counts(store, sweep)
    if as_json:
        click.echo(json.dumps({"sweep": sweep, **counts}))
    else:
        _say(sweep, counts, waited=wait)
    if wait and counts["done"] < counts["runs"]:
        sys.exit(SOME_FAILED)


def _say(sweep: str, counts: dict[str, float], *, waited: bool) -> None:
    known = f", {counts['done']} of them done" if counts["done"] else ""
    results().print(f"Sweep {sweep}: {counted(int(counts['runs']), 'run')}{known}.")
    for state in ("failed", "cancelled"):
        if waited and counts[state]:
            results().print(f"{counts[state]} {state}: frem status {sweep} tells which.")
    if not waited and counts["done"] < counts["runs"]:
        results().print(f"Training goes on in the background: frem status {sweep} --watch")


def _say_size(runs: int, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"runs": runs}))
    else:
        results().print(f"The file describes {counted(runs, 'run')}; nothing was queued.")


def _read(spec: IO[str]) -> str:
    try:
        return spec.read()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{spec.name} is not a TOML file: it is no UTF-8 text.") from error


def _folder(spec: IO[str]) -> Path | None:
    return None if spec.name == "<stdin>" else Path(spec.name).parent
