"""Takes the runs and the description of the sweeps along."""

import streamlit as st

from frem_core.figures import spreadsheet_csv
from studio.store import store_of
from studio.tradeoffs.subject import Subject


def show_exports(subject: Subject) -> None:
    """Draws the downloads; the chart itself is saved from its toolbar or below it."""
    st.header("Take it along", anchor=False)
    with st.container(horizontal=True):
        st.download_button(
            "All runs as CSV",
            data=lambda: spreadsheet_csv(subject.runs),
            file_name="runs.csv",
            mime="text/csv",
            key="tradeoffs-runs-csv",
            on_click="ignore",
            icon=":material/download:",
            help="One row per run with every setting, score and timing.",
        )
        for sweep in subject.sweeps:
            _offer_toml(sweep, alone=len(subject.sweeps) == 1)
    st.caption(
        "The sweep as TOML trains the same again: `frem sweep sweep.toml`. Below each chart its "
        "table, and the chart as PNG and HTML."
    )


def _offer_toml(sweep: str, *, alone: bool) -> None:
    st.download_button(
        "Sweep as TOML" if alone else f"Sweep {sweep} as TOML",
        data=lambda: store_of(sweep).sweeps.spec(sweep),
        file_name=f"sweep-{sweep}.toml",
        mime="application/toml",
        key=f"tradeoffs-toml-{sweep}",
        on_click="ignore",
        icon=":material/download:",
    )
