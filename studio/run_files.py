"""Whether there is more of a run than its scores."""

import streamlit as st

from studio.store import is_example, runs_table, store_of


def has_files(sweep: str, run: str) -> bool:
    """Whether predictions and the like can be read; only examples come without, to be small."""
    return not is_example(sweep) or run in _with_files(sweep)


@st.cache_data(show_spinner=False)  # examples never change
def _with_files(sweep: str) -> set[str]:
    files = store_of(sweep).artefacts
    return {str(run) for run in runs_table(sweep)["id"] if "representations" in files.of_run(run)}
