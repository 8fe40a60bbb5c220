"""What the page shows before there is anything to compare."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text
from frem_core.words import per_cent
from studio.crowd.pace import in_good_time
from studio.engine import keep_engine
from studio.guard import guard
from studio.link import page_link
from studio.store import sweeps_table
from studio.style import keep_steady

_EVERY: Final = 2.0


def unfinished_sweep() -> str | None:
    """The sweep in the address, when it is known but has nothing to compare yet."""
    wanted = st.query_params.get("sweep", "")
    if "run" in st.query_params or "match" in st.query_params:
        return None
    row = _row(wanted)
    return wanted if len(row) and not row["done"].iloc[0] else None


def show_waiting(sweep: str) -> None:
    """Draws what is being waited for; as soon as a run is finished the page goes on by itself."""
    row = _row(sweep).iloc[0]
    is_live = bool(row["queued"] + row["running"] > 0)
    if is_live:
        keep_steady()
    st.fragment(_draw, run_every=in_good_time(_EVERY) if is_live else None)(sweep, is_live)
    with st.container(horizontal=True):
        page_link(
            "pages/2_Train.py", "Open the training", icon=":material/monitoring:", sweep=sweep
        )
        st.button(
            "Compare others",
            type="tertiary",
            icon=":material/compare:",
            key="compare-others",
            on_click=st.query_params.clear,
        )


@guard()
def _draw(sweep: str, is_timed: bool) -> None:
    row = _row(sweep).iloc[0]
    is_live = bool(row["queued"] + row["running"] > 0)
    if row["done"] or is_live != is_timed:
        st.rerun()  # as a whole: there is something to compare, or nothing to wait for
    name = plain_text(row["name"])
    if not is_live:
        st.info(
            f"No run of {name} has finished. Resume it on the Train page, or compare others.",
            icon=":material/pause_circle:",
        )
        return
    keep_engine()
    st.info(
        f"The first runs of {name} are still under way. They appear here by themselves.",
        icon=":material/hourglass_top:",
    )
    st.progress(float(row["progress"]), text=f"{per_cent(row['progress'])} trained")
    st.skeleton(height=320)


def _row(sweep: str) -> pd.DataFrame:
    sweeps = sweeps_table()
    return sweeps[sweeps["id"] == sweep]


def show_nothing_yet() -> None:
    """Says what to do where no run is finished yet."""
    with st.container(border=True):
        st.subheader("Nothing to compare yet", anchor=False)
        st.markdown(
            "This page puts trained models side by side: an ordinary model, FREM and other fair "
            "methods on the same people. Train a few first; as soon as two runs are finished they "
            "can be compared here."
        )
        with st.container(horizontal=True):
            page_link("pages/2_Train.py", "Train models", icon=":material/play_arrow:")
            page_link("app.py", "Start with an example", icon=":material/home:")
