"""How far a sweep is and how long the rest takes.

Everything counts: reading the data, choosing γ, training and evaluating. What each costs is known
in seconds of the processor, from the sweep's own runs and, before those tell, from earlier ones on
this machine. How many seconds on the clock that takes depends on the load of the machine, and only
the runs of this moment tell that.
"""

import heapq
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from frem_core.sweeps.timing.slowdown import Slowdown
from frem_core.sweeps.timing.stack_costs import COLUMNS, Costs, Row, Stack

_NEWEST_RUNS: Final = 50  # so many of a kind tell what it takes


@dataclass(frozen=True)
class TimeLeft:
    """How far a sweep is.

    Attributes:
        seconds: until its last run is finished; None while too little is known to tell.
        share: what is done of the whole work, from 0 to 1.
    """

    seconds: float | None
    share: float


def time_left(
    runs: pd.DataFrame, now: float, *, missing: int = 0, earlier: pd.DataFrame | None = None
) -> TimeLeft:
    """Judges the rest of a sweep by its runs.

    Args:
        runs: of one sweep, as `Store.runs.frame` gives them.
        now: seconds since 1970.
        missing: runs that a search will add.
        earlier: finished runs of the store; those of this machine on the same data tell what
            a sweep takes before its own runs do.
    """
    alive = runs["state"].isin(["running", "queued"])
    if not alive.any() and not missing:
        return TimeLeft(None, 1.0)
    runs = runs[[name for name in COLUMNS if name in runs]]
    # Runs that were finished for an earlier sweep say nothing about the load of this one.
    since = float(runs.loc[alive, "queued_at"].min()) if alive.any() else float("-inf")
    begun = runs[(runs["started_at"] >= since) & runs["state"].isin(["running", "done"])]
    stacks = _stacks(begun, now)
    if not stacks:
        return TimeLeft(None, 0.0)
    workers = _side_by_side(stacks)
    costs = Costs.of(stacks, _earlier(earlier, runs, now), workers)
    if costs is None:
        return TimeLeft(None, 0.0)
    slowdown = Slowdown.of(stacks, costs, now)
    waiting = _stacks(runs[runs["state"] == "queued"], now)
    if missing:
        waiting += _searched(runs, missing, now)
    to_come = [costs.length(one) for one in waiting]
    under_way = [one for one in stacks if not one.is_done]
    running = [costs.left(one, slowdown.beside(len(under_way))) for one in under_way]
    whole = sum(costs.length(one) for one in stacks) + sum(to_come)
    left = sum(running) + sum(to_come)
    return TimeLeft(
        _until_the_last(running, to_come, workers, slowdown),
        min(max(1 - left / whole, 0.0), 0.99),
    )


def _stacks(runs: pd.DataFrame, now: float) -> list[Stack]:
    """The stacks of some runs, in the order in which they appear."""
    stacks: dict[object, list[Row]] = {}
    for row in runs.to_dict("records"):
        stacks.setdefault(row["bundle"], []).append(row)
    return [Stack.of(rows, now) for rows in stacks.values()]


def _earlier(earlier: pd.DataFrame | None, runs: pd.DataFrame, now: float) -> list[Stack]:
    """The newest stacks that ended on this machine before, on the same data."""
    if earlier is None or earlier.empty or "seconds.epoch_processor" not in earlier:
        return []
    same = earlier[[name for name in COLUMNS if name in earlier]]
    same = same[same["dataset"].isin(runs["dataset"].unique())]
    same = same[~same["id"].isin(runs["id"]) & same["seconds.epoch_processor"].notna()]
    if "facts.host" in same:  # another machine's pace is another one
        same = same[same["facts.host"].isna() | (same["facts.host"] == socket.gethostname())]
    newest = same.sort_values("finished_at").groupby("method").tail(_NEWEST_RUNS)
    return _stacks(newest, now)


def _until_the_last(
    running: Sequence[float], waiting: Sequence[float], workers: int, slowdown: Slowdown
) -> float:
    """Seconds until the last one ends, if each worker takes the next as soon as it is free."""
    free_at = sorted([*running, *[0.0] * max(workers - len(running), 0)]) or [0.0]
    for length in waiting:
        heapq.heapreplace(free_at, free_at[0] + length)
    seconds, before = 0.0, 0.0
    for done, end in enumerate(sorted(free_at)):  # one worker after the other has no more to do
        seconds += (end - before) * slowdown.beside(len(free_at) - done)
        before = end
    return seconds


def _side_by_side(stacks: Sequence[Stack]) -> int:
    """How many are trained at once: as many as were when the newest began, or as are now."""
    newest = max(one.started for one in stacks)
    ends = [one.started + one.spent for one in stacks if one.is_done]
    then = len(stacks) - sum(end <= newest for end in ends)
    return max(then, sum(not one.is_done for one in stacks), 1)


def _searched(runs: pd.DataFrame, missing: int, now: float) -> list[Stack]:
    """The stacks that a search will add, like those it has."""
    size = int(runs.groupby("bundle").size().max())
    sizes = [size] * (missing // size) + ([missing % size] if missing % size else [])
    (like,) = _stacks(runs.head(1).assign(state="queued"), now)
    epochs = float(runs["epochs"].mean())
    return [replace(like, kind="", size=one, epochs=one * epochs) for one in sizes]
