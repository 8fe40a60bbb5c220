"""The report of sweeps, one click away."""

from collections.abc import Sequence

import streamlit as st

from frem_core.report import Report
from frem_core.sweep_report import sweep_report
from studio.store import store_of


def offer_report(sweeps: Sequence[str], *, key: str, runs: Sequence[str] = ()) -> None:
    """Draws the downloads of the report, as HTML and as JSON.

    Args:
        sweeps: what it is about; those of one store.
        key: unique on the page.
        runs: runs whose curves are drawn; the best of each method by default.
    """
    first = store_of(sweeps[0])
    own = [sweep for sweep in sweeps if store_of(sweep) is first]

    def build() -> Report:
        return sweep_report(first, own, runs=runs)

    st.download_button(
        "Download the report",
        data=lambda: build().to_html(),
        file_name=f"report-{own[0]}.html",
        mime="text/html",
        key=f"{key}-report",
        on_click="ignore",
        icon=":material/description:",
        help="One HTML file with the answer in plain words, fronts, curves, the data, settings "
        "and commands. It opens without network; print it from the browser to get a PDF.",
    )
    st.download_button(
        "Report as JSON",
        data=lambda: build().to_json(),
        file_name=f"report-{own[0]}.json",
        mime="application/json",
        key=f"{key}-report-json",
        on_click="ignore",
        icon=":material/data_object:",
    )
