"""The runs of a sweep one below the other: state, progress, and what can be done about each."""

from typing import Any, Final

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text
from frem_core.figures.run_titles import run_names
from frem_core.methods import get_method
from frem_core.store import RunState
from frem_core.sweeps import ensure_engine
from studio.store import store_of
from studio.theme import is_dark
from studio.train.estimate import duration_words
from studio.train.method_marker import marker_picture
from studio.train.opened import RUN, forget_tables

_PER_PAGE: Final = 8
_STATES: Final = {
    RunState.RUNNING: (":material/play_circle:", "training"),
    RunState.QUEUED: (":material/schedule:", "waiting"),
    RunState.DONE: (":material/check_circle:", "done"),
    RunState.FAILED: (":material/error:", "failed"),
    RunState.CANCELLED: (":material/cancel:", "cancelled"),
}
_ALL: Final = "all"


def show_run_rows(sweep: str, runs: pd.DataFrame) -> None:
    """Draws a page of the runs, in the order in which they are trained."""
    st.header("Runs", anchor=False)
    shown = _filtered(runs)
    pages = max(1, -(-len(shown) // _PER_PAGE))
    key = f"run-page-{sweep}"
    # A filter may leave fewer pages than the one that was open.
    if st.session_state.get(key, 1) > pages:
        st.session_state[key] = pages
    page = st.session_state.get(key, 1)
    names = run_names(runs)
    for row in shown.iloc[(page - 1) * _PER_PAGE : page * _PER_PAGE].to_dict("records"):
        _show_row(sweep, {str(name): value for name, value in row.items()}, names[row["id"]])
    if shown.empty:
        st.caption("No run is in this state now.")
    if pages > 1:
        st.pagination(pages, key=key)


def _filtered(runs: pd.DataFrame) -> pd.DataFrame:
    counts = runs["state"].value_counts()
    words = {_ALL: f"All {len(runs):,}"} | {
        state.value: f"{label.capitalize()} {int(counts[state.value]):,}"
        for state, (_, label) in _STATES.items()
        if counts.get(state.value, 0)
    }
    # Every state stays on offer: options that come and go would reset the choice.
    for state, (_, label) in _STATES.items():
        words.setdefault(state.value, f"{label.capitalize()} 0")
    chosen = st.segmented_control(
        "Show",
        [_ALL, *(state.value for state in _STATES)],
        format_func=words.__getitem__,
        default=_ALL,
        required=True,
        key="run-filter",
        label_visibility="collapsed",
    )
    return runs if chosen == _ALL else runs[runs["state"] == chosen]


def _show_row(sweep: str, row: dict[str, Any], name: str) -> None:
    icon, label = _STATES[RunState(row["state"])]
    with st.container(key=f"row-{row['id'][:12]}"):
        marker, words, bar, buttons = st.columns(
            [0.25, 3, 3, 2.2], vertical_alignment="center", gap="small"
        )
        marker.html(marker_picture(get_method(row["method"]), dark=is_dark()))
        words.markdown(f"{plain_text(name, longest=120)}")
        with bar:
            share = min(row["epoch"] / max(row["epochs"], 1), 1.0)
            st.progress(share, text=f"{icon} {_progress_words(row, label)}")
        with buttons, st.container(horizontal=True, gap="small"):
            _show_buttons(sweep, row, name)
        if row["state"] == RunState.FAILED and row["error"]:
            st.caption(f":material/error: {plain_text(row['error'], longest=600)}")


def _progress_words(row: dict[str, Any], label: str) -> str:
    if row["state"] == RunState.RUNNING:
        stage = plain_text(row["stage"] or label)
        return f"{stage}, epoch {row['epoch']:,} of {row['epochs']:,}"
    if row["state"] == RunState.DONE:
        seconds = [
            value
            for name, value in row.items()
            if name.startswith("seconds.") and value is not None and value == value
        ]
        return f"done in {duration_words(sum(seconds))}" if seconds else label
    return label if not row["epoch"] else f"{label} after epoch {row['epoch']:,}"


def _show_buttons(sweep: str, row: dict[str, Any], name: str) -> None:
    run, state = row["id"], RunState(row["state"])
    if state in (RunState.QUEUED, RunState.RUNNING):
        st.button(
            "Cancel",
            key=f"cancel-{run[:12]}",
            help=f"Stop {name}",
            on_click=_cancel,
            args=(sweep, run, name),
        )
    elif state != RunState.DONE:
        st.button(
            "Resume",
            key=f"resume-{run[:12]}",
            help=f"Queue {name} again",
            on_click=_resume,
            args=(sweep, run),
        )
    if st.button("Details", key=f"details-{run[:12]}", type="tertiary", help=f"Look into {name}"):
        st.query_params[RUN] = run[:12]
        st.rerun()


def _cancel(sweep: str, run: str, name: str) -> None:
    store_of(sweep).queue.cancel([run])
    st.toast(f"{plain_text(name)} is asked to stop.", icon=":material/stop:")
    forget_tables()


def _resume(sweep: str, run: str) -> None:
    store = store_of(sweep)
    store.queue.resume([run])
    ensure_engine(store)
    forget_tables()
