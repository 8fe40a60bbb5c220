"""The engine that trains, for the pages that wait for runs: kept alive, and told of in words."""

import time
from pathlib import Path

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text
from frem_core.store import RunState, Store
from frem_core.sweeps import EngineState, engine_state, ensure_engine
from frem_core.sweeps.launch import log_file
from frem_core.sweeps.timing.time_left import TimeLeft, time_left
from frem_core.words import counted
from studio.crowd.shared import Shared
from studio.store import the_store

_LINES = 15
_TAIL_BYTES = 8000


def keep_engine() -> None:
    """Replaces an engine that died; every page calls this while it waits for runs."""
    _look_after(the_store().where)


# Several viewers wait for the same engine; a look every few seconds is enough for all of them.
@st.cache_data(ttl=5, max_entries=8, show_spinner=False)
def _look_after(where: str) -> None:
    del where  # only tells stores apart
    ensure_engine(the_store())


def time_left_of(what: object, runs: pd.DataFrame, *, missing: int = 0) -> TimeLeft:
    """How far sweeps are and how long they take, reckoned once for all who look at them.

    Args:
        what: names the runs.
        runs: as `Store.runs.frame` gives them.
        missing: how many a search will add.
    """
    return _time_left(what, missing, runs)


@st.cache_resource(ttl=2, max_entries=64, show_spinner=False)
def _time_left(what: object, missing: int, _runs: pd.DataFrame) -> TimeLeft:
    # Once a method has finished runs in the sweep, they tell more than earlier ones.
    unknown = set(_runs["method"]) - set(_runs.loc[_runs["state"] == "done", "method"])
    earlier = finished_runs() if unknown else None
    return time_left(_runs, time.time(), missing=missing, earlier=earlier)


@st.cache_resource(ttl=30, max_entries=1, show_spinner=False)
def finished_runs() -> pd.DataFrame:
    """All finished runs of the store: what they took tells what others will take."""
    return the_store().runs.frame(states=[RunState.DONE])


@Shared
def the_engine() -> EngineState:
    """The engine of the store as it was a moment ago."""
    return engine_state(the_store())


def show_engine(*, is_needed: bool) -> None:
    """Draws one line on the engine.

    Args:
        is_needed: whether runs wait for it.
    """
    st.caption(engine_words(the_engine(), is_needed=is_needed))


def engine_words(engine: EngineState, *, is_needed: bool) -> str:
    """Running, idle, starting or not running, and what holds it up."""
    if not engine.is_running:
        if is_needed:
            return ":material/hourglass_top: The engine that trains is starting."
        return ":material/bedtime: The engine is not running. It starts by itself when needed."
    where = f"on {plain_text(engine.host)} (process {engine.pid})"
    if engine.message:
        return f":material/hourglass_top: The engine {where}: {plain_text(engine.message)}."
    if not is_needed:
        return f":material/bedtime: The engine {where} is idle."
    workers = counted(engine.workers, "worker")
    return f":material/settings: The engine {where} trains with {workers}."


def show_engine_log(store: Store) -> None:
    """Draws the last lines of the engine's log, folded away."""
    lines = _tail(log_file(store))
    if lines:
        with st.expander("What the engine wrote last", icon=":material/terminal:"):
            st.code("\n".join(lines[-_LINES:]), language=None, wrap_lines=True)


def _tail(file: Path) -> list[str]:
    try:
        with file.open("rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - _TAIL_BYTES))
            return log.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
