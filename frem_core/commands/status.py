"""``frem status``: the engine, all sweeps, or the runs of one sweep."""

import json
import sys
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from frem_core.console.terminal import results, stoppable
from frem_core.words import counted, per_cent

if TYPE_CHECKING:
    from frem_core.store import Store

_STATES = ("done", "running", "queued", "failed", "cancelled")
_SCORES = {"Acc": "test.accuracy", "MAE": "test.mae", "GDP": "test.gdp", "HGR": "test.hgr"}


@click.command()
@click.argument("sweep", required=False)
@click.option("--watch", is_flag=True, help="Follow the sweep with live progress bars.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def command(sweep: str | None, watch: bool, as_json: bool) -> None:
    """Show the engine, all sweeps and what is kept, or the runs of one SWEEP (id or name)."""
    from frem_core.store.read_only import open_store_to_read

    if sweep is None:
        _everything(as_json)
        return
    store = open_store_to_read()
    identity = store.sweeps.find(sweep)
    if watch:
        from frem_core.console.sweep_watch import wait_for

        with stoppable("The sweep goes on in the background."):
            wait_for(store, identity, live=True)
    _one(store, identity, as_json)


def _everything(as_json: bool) -> None:
    from frem_core.store import StoreError
    from frem_core.store.read_only import open_store_to_read
    from frem_core.watching.faults import fault_of

    try:
        store = open_store_to_read()
        if not as_json:
            _print_everything(store)
            return
        from frem_core.watching import health_of

        facts = {"sweeps": _plain(store.sweeps.frame()), "store": store.where}
        click.echo(json.dumps({**facts, **health_of(store).to_dict()}))
    except StoreError as error:
        if not as_json:
            raise
        # Whoever watches reads JSON also when there is no store to speak of.
        click.echo(json.dumps({"faults": [asdict(fault_of(error))]}))
        sys.exit(2)


def _print_everything(store: "Store") -> None:
    from frem_core.sweeps import engine_state
    from frem_core.sweeps.launch import why_no_engine
    from frem_core.watching.faults import faults_of

    faults = faults_of(store)
    engine, sweeps = engine_state(store), store.sweeps.frame()
    kept = store.kept_bytes()
    for fault in faults:
        results().print(escape(fault.sentence), style="yellow")
    states = [state for state in _STATES if (sweeps[state] > 0).any()]
    table = Table(title="Sweeps")
    for heading in ("id", "name", "queued at", "runs", *states, "trained"):
        words = heading in ("id", "name")
        table.add_column(heading, justify="left" if words else "right", no_wrap=heading == "id")
    for row in sweeps.to_dict("records"):
        when = datetime.fromtimestamp(row["created_at"]).strftime("%Y-%m-%d %H:%M")
        counts = [str(row[state]) if row[state] else "–" for state in states]
        name, share = escape(row["name"]), per_cent(row["progress"])
        table.add_row(row["id"], name, when, str(row["runs"]), *counts, share)
    if len(sweeps):
        results().print(table)
    else:
        results().print("No sweep yet; `frem sweep --help` shows how to describe one.")
    results().print(_engine_words(engine, sweeps, why_no_engine(store)))
    sizes = ", ".join(f"{what} {size / 1e6:.1f} MB" for what, size in kept.items())
    results().print(escape(f"Store {store.where}: {sizes}."))


def _engine_words(engine: Any, sweeps: Any, reason: str) -> str:
    if not engine.is_running:
        waiting = sweeps[sweeps["queued"] + sweeps["running"] > 0]
        if waiting.empty:
            return "The engine is not running; it starts when runs are queued."
        because = f"It could not start: {escape(reason.removesuffix('.'))}. " if reason else ""
        return (
            f"The engine is not running although runs wait for it. {because}"
            f"`frem resume {waiting['id'].iloc[0]}` or the dashboard starts it."
        )
    workers = counted(engine.workers, "worker")
    words = f"The engine runs on {engine.host} (process {engine.pid}) with {workers}"
    return escape(words + (f": {engine.message}" if engine.message else "."))


def _one(store: "Store", sweep: str, as_json: bool) -> None:
    runs = store.runs.frame(sweep)
    if as_json:
        summary = _plain(store.sweeps.frame(sweep))[0]
        click.echo(json.dumps({**summary, "members": _plain(runs)}))
        return
    rows = runs.to_dict("records")
    scores = {short: name for short, name in _SCORES.items() if name in runs.columns}
    table = Table(title=f"Runs of sweep {sweep}")
    for heading in ("run", "method", "λ", "seed", "state", "epochs", *scores):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        weight = row.get("config.fairness_weight", "")
        cells = [
            row["id"][:8],
            row["method"],
            f"{weight:.4g}" if weight not in ("", None) and weight == weight else "",
        ]
        cells += [str(row["seed"]), row["state"], f"{row['epoch']}/{row['epochs']}"]
        cells += ["" if row[name] != row[name] else f"{row[name]:.3f}" for name in scores.values()]
        table.add_row(*cells)
    results().print(table)
    for remark, remarked in groupby(sorted(rows, key=_remark), key=_remark):
        if remark:  # below the table: beside the scores there is no room for a sentence
            names = ", ".join(row["id"][:8] for row in remarked)
            results().print(f"{names}: {remark}", markup=False)


def _remark(row: dict[Any, Any]) -> str:
    texts = (row["error"], row["stage"], row["note"])
    return next((text for text in texts if isinstance(text, str) and text), "")


def _plain(frame: Any) -> Any:
    """Rows as JSON values, with null for what is missing."""
    return json.loads(frame.to_json(orient="records", double_precision=15))
