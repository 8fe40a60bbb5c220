"""The runs of a sweep one below the other, and one of them in full."""

from typing import Any, Final

import pandas as pd
import streamlit as st

from frem_core.evaluation import available_scores, get_score
from frem_core.figures import plain_text, spreadsheet_csv
from frem_core.methods import get_method
from frem_core.store import Run, RunState
from frem_core.sweeps import ensure_engine
from studio.guard import guard, show_error
from studio.link import page_link
from studio.people import the_person
from studio.rights import check_change, may_change
from studio.store import names_of, store_of
from studio.style import is_dark, marker_picture
from studio.takehome.model import offer_model
from studio.train.sweeps import RUN, forget_tables
from studio.verdicts import show_verdict
from studio.words import duration_words

_PER_PAGE: Final = 8
_STATES: Final = {
    RunState.RUNNING: (":material/play_circle:", "training"),
    RunState.QUEUED: (":material/schedule:", "waiting"),
    RunState.DONE: (":material/check_circle:", "done"),
    RunState.FAILED: (":material/error:", "failed"),
    RunState.CANCELLED: (":material/cancel:", "cancelled"),
}
_ALL: Final = "all"
_WEIGHTS: Final = {
    "fairness_weight": "fairness weight (λ)",
    "relative_weight": "fairness weight (λ), in units of the balance",
    "limit": "limit",
}
_LONGEST_NOTE: Final = 2000
# What a run's time is made of; the processor time beside it is the same time once more.
_PARTS: Final = ("choosing_gamma", "training", "evaluation")
_COLUMNS: Final = (
    *("id", "method", "state", "epoch", "epochs", "stage", "error"),
    *(f"seconds.{name}" for name in _PARTS),
)


def show_run_rows(sweep: str, runs: pd.DataFrame) -> None:
    """Draws a page of the runs, in the order in which they are trained."""
    st.header("Runs", anchor=False)
    # A sweep has a hundred columns, and rows are taken from this many only.
    shown = _filtered(runs[[name for name in _COLUMNS if name in runs]])
    pages = max(1, -(-len(shown) // _PER_PAGE))
    key = f"run-page-{sweep}"
    # A filter may leave fewer pages than the one that was open.
    if st.session_state.get(key, 1) > pages:
        st.session_state[key] = pages
    page = st.session_state.get(key, 1)
    names = names_of(sweep)
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
        parts = [row.get(f"seconds.{name}") for name in _PARTS]
        seconds = [value for value in parts if value is not None and value == value]
        return f"done in {duration_words(sum(seconds))}" if seconds else label
    return label if not row["epoch"] else f"{label} after epoch {row['epoch']:,}"


def _show_buttons(sweep: str, row: dict[str, Any], name: str) -> None:
    run, state, is_own = row["id"], RunState(row["state"]), may_change(sweep)
    if is_own and state in (RunState.QUEUED, RunState.RUNNING):
        st.button(
            "Cancel",
            key=f"cancel-{run[:12]}",
            help=f"Stop {name}",
            on_click=_cancel,
            args=(sweep, run, name),
        )
    elif is_own and state in (RunState.FAILED, RunState.CANCELLED):
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


@guard()
def _cancel(sweep: str, run: str, name: str) -> None:
    check_change(sweep)
    if the_person().name is not None and store_of(sweep).sweeps.others_wait_for(run, sweep):
        st.toast("Another sweep waits for this run, so it goes on.", icon=":material/info:")
        return
    store_of(sweep).queue.cancel([run])
    st.toast(f"{plain_text(name)} is asked to stop.", icon=":material/stop:")
    forget_tables()


@guard()
def _resume(sweep: str, run: str) -> None:
    check_change(sweep)
    store = store_of(sweep)
    store.queue.resume([run])
    ensure_engine(store)
    forget_tables()


@st.fragment
@guard()
def show_run_details(sweep: str, run_id: str) -> None:
    """Draws the run that the address names; it must belong to the sweep."""
    names = names_of(sweep)
    own = [name for name in names if name.startswith(run_id)]
    with st.container(border=True, key="run-details"):
        if len(own) != 1:
            show_error("The address names no run of this sweep; it may have been deleted.")
            return
        run = store_of(sweep).runs.get(own[0])
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(plain_text(names[run.id], longest=120), anchor=False)
            if st.button("Close", icon=":material/close:", key="close-details"):
                st.query_params.pop(RUN, None)
                st.rerun()
        if run.error:
            show_error(run.error, title="It failed")
        if "limit" in run.facts:
            show_verdict(run.facts["limit"])
        left, right = st.columns([3, 2], gap="large")
        with left:
            _show_scores(run)
        with right:
            _show_note(sweep, run)
            _show_settings(run)
        if run.state == RunState.DONE:
            offer_model(sweep, run.id, title=names[run.id], key="run")
            page_link(
                "pages/4_Compare.py",
                "Look into its predictions",
                icon=":material/compare:",
                sweep=sweep,
                run=run.id,
            )


def _show_scores(run: Run) -> None:
    if not run.scores:
        is_over = run.state in (RunState.FAILED, RunState.CANCELLED)
        st.markdown(
            "It ended without scores."
            if is_over
            else "It has no scores yet; they are computed when training is over."
        )
        return
    table = _score_table(run)
    # As a table that wraps: on a telephone the names alone would fill a grid.
    words = table.set_index("score").map(lambda value: "–" if pd.isna(value) else f"{value:.4f}")
    st.table(words, border="horizontal")
    st.download_button(
        "Download as CSV",
        data=lambda: spreadsheet_csv(table),
        file_name=f"run-{run.id[:12]}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="run-csv",
    )


def _score_table(run: Run) -> pd.DataFrame:
    known = available_scores()
    rows: dict[str, dict[str, float | None]] = {}
    for split, scores in run.scores.items():
        for name, value in scores.items():
            rows.setdefault(name, {})[split] = value
    ordered = [name for name in known if name in rows]
    ordered += [name for name in rows if name not in known]
    labels = [
        get_score(name).label if name in known else name.replace("_", " ") for name in ordered
    ]
    table = pd.DataFrame([rows[name] for name in ordered]).astype(float)
    table.insert(0, "score", labels)
    return table


def _show_note(sweep: str, run: Run) -> None:
    if not may_change(sweep):
        if run.note:
            st.markdown(f"**Note** {plain_text(run.note, longest=None)}")
        return
    key = f"note-{run.id[:12]}"
    with st.form(f"{key}-form", border=False):
        text = st.text_area(
            "Note",
            run.note,
            key=key,
            max_chars=_LONGEST_NOTE,
            height=90,
            placeholder="Why this run, what you saw …",
        )
        if st.form_submit_button("Save the note", icon=":material/save:"):
            check_change(sweep)
            store_of(sweep).runs.write_note(run.id, (text or "").strip())
            forget_tables()
            st.toast("The note is saved.", icon=":material/check:")


def _show_settings(run: Run) -> None:
    with st.expander("Settings, timings and versions", icon=":material/list:"):
        settings = {
            **{f"method: {name}": value for name, value in run.config["method"].items()},
            **{f"training: {name}": value for name, value in run.config["training"].items()},
            **{f"split: {name}": value for name, value in run.config["split"].items()},
            **{_WEIGHTS[name]: value for name, value in run.config.items() if name in _WEIGHTS},
            "seed": run.seed,
            **{f"outcome: {name}": value for name, value in run.facts.items()},
            **{f"seconds: {name}": round(value, 2) for name, value in run.timings.items()},
            **{f"version: {name}": value for name, value in run.versions.items()},
            "run": run.id,
        }
        table = pd.DataFrame({"what": list(settings), "value": [str(v) for v in settings.values()]})
        st.dataframe(table, hide_index=True, alt="Everything that determined the run")
