"""The finished runs that can be compared, found through their sweeps, and the scores to show."""

from collections.abc import Iterable, Sequence
from typing import cast

import pandas as pd
import streamlit as st

from frem_core.metrics import Metric, usual_metric
from frem_core.types import Task
from studio.store import has_files, runs_table, sweeps_and_examples
from studio.verdicts import first_fairness

_SHORTEST = 8
_SHOWN = 16


def sweeps_with_results() -> pd.DataFrame:
    """Sweeps with at least one finished run, newest first; after them the examples."""
    sweeps = sweeps_and_examples()
    return sweeps[sweeps["done"] > 0].reset_index(drop=True)


def finished_runs(sweep: str) -> pd.DataFrame:
    """The finished runs of a sweep in its order.

    The column ``sweep`` holds the sweep's id; ``has_files`` tells whether there is more of a run
    than its scores.
    """
    runs = runs_table(sweep)
    done = runs[runs["state"] == "done"].reset_index(drop=True)
    return done.assign(sweep=sweep, has_files=[has_files(sweep, run) for run in done["id"]])


def find_runs(names: Iterable[str], sweeps: Sequence[str]) -> tuple[pd.DataFrame, list[str]]:
    """Looks runs up by id, or by an unambiguous beginning of one.

    Args:
        names: ids in the order wanted.
        sweeps: where to look, in this order.

    Returns:
        The finished runs, and the names that belong to none.
    """
    found, unknown = [], []
    for name in dict.fromkeys(names):
        home = _home_of(name, tuple(sweeps)) if len(name) >= _SHORTEST else None
        if home is None:
            unknown.append(name)
        else:
            runs = finished_runs(home)
            found.append(runs[runs["id"].str.startswith(name)].head(1))
    table = pd.concat(found, ignore_index=True) if found else pd.DataFrame()
    return table.drop_duplicates("id", ignore_index=True) if found else table, unknown


def short_id(run: str) -> str:
    """As much of an id as an address needs."""
    return run[:_SHOWN]


# A finished run stays where it is; only one that was not found is looked for again.
def _home_of(name: str, sweeps: tuple[str, ...]) -> str | None:
    try:
        return _search(name, sweeps)
    except LookupError:
        return None


@st.cache_data(max_entries=4096, ttl=600, show_spinner=False)
def _search(name: str, sweeps: tuple[str, ...]) -> str:
    for sweep in sweeps:
        ids = finished_runs(sweep)["id"]
        if int(ids.str.startswith(name).sum()) == 1:
            return sweep
    raise LookupError(name)


def task_of(runs: pd.DataFrame) -> Task:
    """What the runs predict."""
    return cast(Task, runs["config.task"].iloc[0])


def notion_of(runs: pd.DataFrame) -> str:
    """``"eo"`` when any of the runs was trained for equal opportunity, else ``"dp"``."""
    return "eo" if (runs["config.method.fairness"] == "eo").any() else "dp"


def usual_prediction(runs: pd.DataFrame) -> Metric:
    """The prediction score that the paper puts first for the task of these runs."""
    return usual_metric(task_of(runs))


def usual_fairness(runs: pd.DataFrame) -> Metric:
    """The fairness score that was asked for, or that the paper puts first for their notion."""
    metric = first_fairness(runs)
    return metric if column(metric) in runs else usual_metric("dp")


def column(metric: Metric) -> str:
    """The score's column in a table of runs."""
    return f"test.{metric.name}"
