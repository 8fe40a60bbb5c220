"""A sweep while it is trained and afterwards; everything shown is read from the store."""

from typing import Final

import streamlit as st

from frem_core.figures import plain_text
from studio.guard import guard, show_error
from studio.store import runs_table
from studio.style import keep_steady
from studio.train.live_charts import show_curves, show_front
from studio.train.opened import RUN, close_sweep, plan_like
from studio.train.run_details import show_run_details
from studio.train.run_rows import show_run_rows
from studio.train.sweep_list import moment_words
from studio.train.sweep_more import show_more
from studio.train.sweep_progress import show_progress
from studio.train.sweep_state import SweepState, sweep_state

_STATE_EVERY: Final = 1.0
_RUNS_EVERY: Final = 1.5
_CHARTS_EVERY: Final = 2.5
_CHART_WIDTH: Final = 430


def show_sweep(sweep: str) -> None:
    """Draws one sweep; it redraws itself as long as runs are unfinished."""
    state = sweep_state(sweep)
    if state is None:
        show_error(
            "The address names no sweep of this store; it may have been deleted.",
            title="There is no such sweep",
        )
        st.button("Plan a new sweep", icon=":material/add:", on_click=close_sweep)
        return
    keep_steady()
    _show_head(sweep, state)
    live = state.is_live
    st.fragment(_draw_progress, run_every=_STATE_EVERY if live else None)(sweep, live)
    st.fragment(_draw_charts, run_every=_CHARTS_EVERY if live else None)(sweep)
    st.fragment(_draw_runs, run_every=_RUNS_EVERY if live else None)(sweep)
    run = st.query_params.get(RUN)
    if run:
        show_run_details(sweep, run)
    show_more(sweep, state)


def _show_head(sweep: str, state: SweepState) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(plain_text(state.name, longest=120), anchor=False)
        st.button(
            "Plan another sweep",
            icon=":material/add:",
            on_click=plan_like,
            args=(sweep,),
            key="plan-another",
        )
    st.caption(f"Sweep {plain_text(sweep)}, queued {moment_words(state.created_at)}.")


@guard()
def _draw_progress(sweep: str, is_timed: bool) -> None:
    state = sweep_state(sweep)
    if state is None or is_timed != state.is_live:
        st.rerun()  # as a whole, to start or end the timers
    show_progress(sweep, state)


@guard()
def _draw_charts(sweep: str) -> None:
    runs = runs_table(sweep)
    if runs.empty:
        return
    with st.grid(2, min_column_width=_CHART_WIDTH, gap="large", key="train-charts") as grid:
        with grid.cell():
            show_front(runs)
        with grid.cell():
            show_curves(sweep, runs)


@guard()
def _draw_runs(sweep: str) -> None:
    runs = runs_table(sweep)
    if not runs.empty:
        show_run_rows(sweep, runs)
