"""One run in full: settings, scores, what went wrong, and a note of the user's own."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.evaluation import available_scores, get_score
from frem_core.figures import plain_text, spreadsheet_csv
from frem_core.figures.run_titles import run_names
from frem_core.store import Run, RunState
from studio.guard import guard, show_error
from studio.link import page_link
from studio.store import runs_table, store_of
from studio.train.opened import RUN, forget_tables

_LONGEST_NOTE: Final = 2000


@st.fragment
@guard()
def show_run_details(sweep: str, run_id: str) -> None:
    """Draws the run that the address names; it must belong to the sweep."""
    names = run_names(runs_table(sweep))
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
        left, right = st.columns([3, 2], gap="large")
        with left:
            _show_scores(run)
        with right:
            _show_note(sweep, run)
            _show_settings(run)
        if run.state == RunState.DONE:
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
    st.dataframe(
        table,
        hide_index=True,
        alt="Scores of the run on training and test rows",
        column_config={
            name: st.column_config.NumberColumn(format="%.4f") for name in table.columns[1:]
        },
        placeholder="–",
    )
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
            store_of(sweep).runs.write_note(run.id, (text or "").strip())
            forget_tables()
            st.toast("The note is saved.", icon=":material/check:")


def _show_settings(run: Run) -> None:
    with st.expander("Settings, timings and versions", icon=":material/list:"):
        settings = {
            **{f"method: {name}": value for name, value in run.config["method"].items()},
            **{f"training: {name}": value for name, value in run.config["training"].items()},
            **{f"split: {name}": value for name, value in run.config["split"].items()},
            "fairness weight (λ)": run.config["fairness_weight"],
            "seed": run.seed,
            **{f"outcome: {name}": value for name, value in run.facts.items()},
            **{f"seconds: {name}": round(value, 2) for name, value in run.timings.items()},
            **{f"version: {name}": value for name, value in run.versions.items()},
            "run": run.id,
        }
        table = pd.DataFrame({"what": list(settings), "value": [str(v) for v in settings.values()]})
        st.dataframe(table, hide_index=True, alt="Everything that determined the run")
