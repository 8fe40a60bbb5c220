"""The bottom of a sweep: all runs as a table, the file that replays it, the log, deletion."""

import streamlit as st

from frem_core.errors import FremError
from frem_core.figures import spreadsheet_csv
from studio.guard import show_error
from studio.store import runs_table, store_of
from studio.train.engine_words import show_engine_log
from studio.train.opened import close_sweep, forget_tables
from studio.train.spec_preview import show_spec
from studio.train.sweep_state import SweepState


def show_more(sweep: str, state: SweepState) -> None:
    """Draws what is seldom needed, folded away."""
    store, runs = store_of(sweep), runs_table(sweep)
    with st.expander("All runs as a table", icon=":material/table:", key="runs-table"):
        st.dataframe(runs, hide_index=True, height=320, alt="All runs with settings and scores")
        st.download_button(
            "Download as CSV",
            data=lambda: spreadsheet_csv(runs),
            file_name=f"sweep-{sweep}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            key="runs-csv",
        )
    show_spec(store.sweeps.spec(sweep), name=state.name, key="spec")
    show_engine_log(store)
    with st.popover("Delete this sweep", icon=":material/delete:"):
        st.markdown(
            "Deletes the sweep and every run that no other sweep holds, with their models and "
            "predictions. This cannot be undone."
        )
        if st.button("Delete for good", type="primary", key="delete-sweep"):
            _delete(sweep)


def _delete(sweep: str) -> None:
    try:
        store_of(sweep).sweeps.delete(sweep)
    except FremError as error:
        show_error(error)
        return
    forget_tables()
    close_sweep()
    st.rerun()
