"""A sweep while it is trained and afterwards; everything shown is read from the store."""

from typing import Final

import streamlit as st

from frem_core.errors import FremError
from frem_core.figures import plain_text, spreadsheet_csv
from frem_core.store import RunState
from frem_core.sweeps import ensure_engine
from frem_core.sweeps.portable import runs_by_dataset_name
from frem_core.sweeps.timing.time_left import TimeLeft
from frem_core.words import counted, per_cent
from studio.chart import charts_every
from studio.crowd.pace import in_good_time
from studio.engine import (
    keep_engine,
    show_engine,
    show_engine_log,
    time_left_of,
)
from studio.guard import guard, show_error
from studio.link import page_link
from studio.people import the_person
from studio.rights import check_change, may_change, most_runs
from studio.store import runs_table, store_of
from studio.style import keep_steady
from studio.train.live_charts import show_curves, show_front
from studio.train.runs import show_run_details, show_run_rows
from studio.train.sweep_file import show_spec
from studio.train.sweeps import (
    RUN,
    SweepState,
    close_sweep,
    forget_tables,
    plan_like,
    sweep_state,
)
from studio.verdicts import show_verdicts
from studio.words import duration_words, moment_words

_STATE_EVERY: Final = 1.0
_RUNS_EVERY: Final = 1.5
_CHARTS_EVERY: Final = 2.5
_CHART_WIDTH: Final = 430
_WORDS: Final = {
    RunState.RUNNING: "training",
    RunState.QUEUED: "waiting",
    RunState.FAILED: "failed",
    RunState.CANCELLED: "cancelled",
}


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
    st.fragment(_draw_progress, run_every=in_good_time(_STATE_EVERY) if live else None)(sweep, live)
    charts = charts_every(_CHARTS_EVERY, state.total)
    st.fragment(_draw_charts, run_every=charts if live else None)(sweep)
    st.fragment(_draw_runs, run_every=in_good_time(_RUNS_EVERY) if live else None)(sweep)
    run = st.query_params.get(RUN)
    if run:
        show_run_details(sweep, run)
    _show_more(sweep, state)


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
    by = f" by {plain_text(state.queued_by, longest=60)}" if state.queued_by else ""
    st.caption(f"Sweep {plain_text(sweep)}, queued{by} {moment_words(state.created_at)}.")


@guard()
def _draw_progress(sweep: str, is_timed: bool) -> None:
    state = sweep_state(sweep)
    if state is None or is_timed != state.is_live:
        st.rerun()  # as a whole, to start or end the timers
    _show_progress(sweep, state)


@guard()
def _draw_charts(sweep: str) -> None:
    runs = runs_table(sweep)
    if runs.empty:
        return
    show_verdicts(runs)
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


def _show_progress(sweep: str, state: SweepState) -> None:
    """Draws the overall progress, the buttons for the whole sweep and the engine's state."""
    if state.is_live:
        keep_engine()
    rest = time_left_of(sweep, runs_table(sweep), missing=state.missing)
    share = rest.share if state.is_live else state.progress
    st.progress(share, text=_progress_words(state, rest))
    is_own = may_change(sweep)
    with st.container(horizontal=True, vertical_alignment="center"):
        if state.is_live and is_own:
            st.button(
                "Cancel the sweep",
                icon=":material/stop:",
                key="cancel-sweep",
                on_click=_cancel,
                args=(sweep,),
                help="Unfinished runs stop; what is finished stays.",
            )
        if state.stopped and is_own:
            st.button(
                f"Resume {state.stopped:,} failed or cancelled",
                icon=":material/replay:",
                key="resume-sweep",
                on_click=_resume,
                args=(sweep,),
                help="They go on from their last checkpoint, or start again.",
            )
        show_engine(is_needed=state.is_live)
    if state.counts[RunState.DONE]:
        _show_next(sweep)


def _progress_words(state: SweepState, rest: TimeLeft) -> str:
    done = state.counts[RunState.DONE]
    share = rest.share if state.is_live else state.progress
    parts = [f"**{per_cent(share)}**", f"{done:,} of {counted(state.total, 'run')} done"]
    parts += [f"{state.counts[one]:,} {word}" for one, word in _WORDS.items() if state.counts[one]]
    if state.missing:
        parts.append(f"{state.missing:,} to be chosen by the search")
    if state.is_live and rest.seconds is not None:
        parts.append(f"about {duration_words(rest.seconds)} left")
    elif state.is_live:
        parts.append("starting, the time left is told with the first epochs")
    return " · ".join(parts)


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


@guard()
def _cancel(sweep: str) -> None:
    check_change(sweep)
    store_of(sweep).sweeps.cancel(sweep)
    forget_tables()


@guard()
def _resume(sweep: str) -> None:
    check_change(sweep)
    store = store_of(sweep)
    store.sweeps.resume(sweep, most_unfinished=most_runs())
    ensure_engine(store)
    forget_tables()


def _show_more(sweep: str, state: SweepState) -> None:
    """Draws what is seldom needed, folded away."""
    store, runs = store_of(sweep), runs_table(sweep)
    with st.expander("All runs as a table", icon=":material/table:", key="runs-table"):
        st.dataframe(
            runs,
            hide_index=True,
            height=320,
            placeholder="–",
            alt="All runs with settings and scores",
        )
        st.download_button(
            "Download as CSV",
            data=lambda: spreadsheet_csv(runs_by_dataset_name(runs, store)),
            file_name=f"sweep-{sweep}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            key="runs-csv",
        )
    show_spec(store.sweeps.spec(sweep), store.tables, name=state.name, key="spec")
    if the_person().is_administrator:  # it speaks of everybody's runs
        show_engine_log(store)
    if not may_change(sweep):
        return
    with st.popover("Delete this sweep", icon=":material/delete:"):
        st.markdown(
            "Deletes the sweep and every run that no other sweep holds, with their models and "
            "predictions. This cannot be undone."
        )
        if st.button("Delete for good", type="primary", key="delete-sweep"):
            _delete(sweep)


def _delete(sweep: str) -> None:
    try:
        check_change(sweep)
        store_of(sweep).sweeps.delete(sweep)
    except FremError as error:
        show_error(error)
        return
    forget_tables()
    close_sweep()
    st.rerun()
