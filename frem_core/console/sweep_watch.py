"""Waits for a sweep, in silence or with live bars, and says how it ended."""

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from frem_core.console.terminal import harmless, messages
from frem_core.sweeps.launch import engine_state, ensure_engine
from frem_core.sweeps.search import open_searches

if TYPE_CHECKING:
    import pandas as pd

    from frem_core.store import Store

_POLL_SECONDS = 0.4
_MOST_BARS = 12


def sweep_counts(store: "Store", sweep: str) -> dict[str, Any]:
    """Returns how many runs of a sweep are in which state, as plain values."""
    row = store.sweeps.frame(sweep).iloc[0]
    states = ("runs", "queued", "running", "done", "failed", "cancelled")
    counts = {name: int(row[name]) for name in states}
    missing = sum(one.missing for one in open_searches(store) if one.sweep == sweep)
    counts["runs"] += missing
    counts["queued"] += missing  # a search still has to choose them
    return counts | {"progress": float(row["progress"]) * row["runs"] / max(counts["runs"], 1)}


def wait_for(store: "Store", sweep: str, *, live: bool) -> dict[str, Any]:
    """Returns the counts of a sweep once none of its runs is queued or running.

    Whoever waits also looks after the engine: one that died is started again.

    Args:
        store: the store.
        sweep: its id.
        live: show a bar for the sweep and one for every run that is being trained.
    """
    display = _Display(_finished_runs(store)) if live else None
    try:
        while True:
            counts = sweep_counts(store, sweep)
            if display is not None:
                display.show(counts, store.runs.frame(sweep), engine_state(store).message)
            if counts["queued"] + counts["running"] == 0:
                return counts
            ensure_engine(store)
            time.sleep(_POLL_SECONDS)
    finally:
        if display is not None:
            display.close()


class _Display:
    """Bars on standard error.

    Args:
        earlier: finished runs, which tell what others will take.
    """

    def __init__(self, earlier: "pd.DataFrame") -> None:
        self._earlier = earlier
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._whole = Progress(*columns, TextColumn("runs  {task.fields[left]}"))
        self._runs = Progress(*columns, TextColumn("epochs  {task.fields[stage]}"))
        self._note = Text("", style="yellow")
        self._sweep = self._whole.add_task("Sweep", total=None, left="")
        self._bars: dict[str, Any] = {}
        self._live = Live(
            Group(self._whole, self._runs, self._note),
            console=messages(),
            transient=True,
            refresh_per_second=4,
        )
        self._live.start()

    def show(self, counts: dict[str, Any], runs: "pd.DataFrame", message: str) -> None:
        """Brings the bars up to date."""
        ended = counts["done"] + counts["failed"] + counts["cancelled"]
        missing = counts["runs"] - len(runs)  # of a search
        left = _left_words(runs, missing, self._earlier)
        self._whole.update(self._sweep, total=counts["runs"], completed=ended, left=left)
        failed = f"{counts['failed']} failed. " if counts["failed"] else ""
        self._note.plain = failed + harmless(message)
        running = runs[runs["state"] == "running"].head(_MOST_BARS)
        for gone in set(self._bars) - set(running["id"]):
            self._runs.remove_task(self._bars.pop(gone))
        for row in running.to_dict("records"):
            if row["id"] not in self._bars:
                self._bars[row["id"]] = self._runs.add_task(run_label(row), stage="")
            bar, stage = self._bars[row["id"]], row["stage"] or ""
            self._runs.update(
                bar, total=row["epochs"], completed=row["epoch"], stage=escape(str(stage))
            )

    def close(self) -> None:
        """Removes the bars."""
        self._live.stop()


def _finished_runs(store: "Store") -> "pd.DataFrame":
    from frem_core.store import RunState

    return store.runs.frame(states=[RunState.DONE])


def _left_words(runs: "pd.DataFrame", missing: int, earlier: "pd.DataFrame") -> str:
    """How long the rest takes, as far as the runs tell: "about 0:02:10 left"."""
    from frem_core.sweeps.timing.time_left import time_left

    seconds = time_left(runs, time.time(), missing=missing, earlier=earlier).seconds
    return "starting" if seconds is None else f"about {timedelta(seconds=round(seconds))} left"


def run_label(row: "dict[Any, Any]") -> str:
    """Names a run by method, fairness weight and seed."""
    weight, limit = row.get("config.fairness_weight"), row.get("config.limit")
    shown = "" if weight is None or weight != weight else f" λ={weight:.4g}"
    if isinstance(limit, str):
        shown = f" {limit}"
    return f"{row['method']}{shown} seed {row['seed']}"
