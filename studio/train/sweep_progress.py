"""The top of a sweep: how far it is, what can be done about it, and where to go next."""

import time
from typing import Final

import pandas as pd
import streamlit as st

from frem_core.store import RunState
from frem_core.sweeps import ensure_engine
from studio.engine import keep_engine
from studio.link import page_link
from studio.store import runs_table, store_of
from studio.train.engine_words import show_engine
from studio.train.estimate import duration_words
from studio.train.opened import forget_tables
from studio.train.sweep_state import SweepState

_LEAST_PROGRESS: Final = 0.03  # before that, a remaining time would be a guess
_WORDS: Final = {
    RunState.RUNNING: "training",
    RunState.QUEUED: "waiting",
    RunState.FAILED: "failed",
    RunState.CANCELLED: "cancelled",
}


def show_progress(sweep: str, state: SweepState) -> None:
    """Draws the overall progress, the buttons for the whole sweep and the engine's state."""
    store = store_of(sweep)
    if state.is_live:
        keep_engine()
    st.progress(state.progress, text=_progress_words(state, runs_table(sweep)))
    with st.container(horizontal=True, vertical_alignment="center"):
        if state.is_live:
            st.button(
                "Cancel the sweep",
                icon=":material/stop:",
                key="cancel-sweep",
                on_click=_cancel,
                args=(sweep,),
                help="Unfinished runs stop; what is finished stays.",
            )
        if state.stopped:
            st.button(
                f"Resume {state.stopped:,} failed or cancelled",
                icon=":material/replay:",
                key="resume-sweep",
                on_click=_resume,
                args=(sweep,),
                help="They go on from their last checkpoint, or start again.",
            )
        show_engine(store, is_needed=state.is_live)
    if state.counts[RunState.DONE]:
        _show_next(sweep)


def _progress_words(state: SweepState, runs: pd.DataFrame) -> str:
    done = state.counts[RunState.DONE]
    parts = [f"**{state.progress:.0%}**", f"{done:,} of {state.total:,} runs done"]
    parts += [f"{state.counts[one]:,} {word}" for one, word in _WORDS.items() if state.counts[one]]
    left = seconds_left(runs, time.time())
    if left is not None:
        parts.append(f"about {duration_words(left)} left")
    return " · ".join(parts)


def seconds_left(runs: pd.DataFrame, now: float) -> float | None:
    """How long the rest takes at the pace since the unfinished runs were queued.

    Args:
        runs: of one sweep, as `Store.runs.frame` gives them.
        now: seconds since 1970.

    Returns:
        None when nothing is left, or too little is trained to tell.
    """
    alive = runs[runs["state"].isin([RunState.RUNNING, RunState.QUEUED])]
    if alive.empty:
        return None
    # Runs that were finished for an earlier sweep say nothing about the pace of this one.
    own = runs[runs["started_at"] >= float(alive["queued_at"].min())]
    trained = float(own["epoch"].sum())
    if trained < _LEAST_PROGRESS * float(runs["epochs"].sum()):
        return None
    elapsed = max(now - float(own["started_at"].min()), 0.0)
    return elapsed / trained * float((alive["epochs"] - alive["epoch"]).sum())


def _show_next(sweep: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="where-next"):
        st.markdown("**Where next**", width="content")
        page_link(
            "pages/3_Trade-offs.py",
            "Weigh accuracy against fairness",
            icon=":material/balance:",
            sweep=sweep,
        )
        page_link("pages/4_Compare.py", "Compare models", icon=":material/compare:", sweep=sweep)


def _cancel(sweep: str) -> None:
    store_of(sweep).sweeps.cancel(sweep)
    forget_tables()


def _resume(sweep: str) -> None:
    store = store_of(sweep)
    store.sweeps.resume(sweep)
    ensure_engine(store)
    forget_tables()
