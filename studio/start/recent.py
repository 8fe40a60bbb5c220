"""The newest sweeps, how far they are, and ways into them."""

from typing import Any

import streamlit as st

from frem_core.figures import plain_text
from studio.link import page_link
from studio.store import sweeps_table
from studio.train.sweep_list import moment_words

_MOST = 6


def show_recent_sweeps() -> None:
    """Draws one line per sweep, or what to do while there is none."""
    st.header("Recent sweeps", anchor=False)
    sweeps = sweeps_table()
    if sweeps.empty:
        st.markdown(
            "Nothing has been trained yet. A sweep trains several methods at several strengths of "
            "fairness; run the example above, or bring your own data."
        )
        return
    for row in sweeps.head(_MOST).itertuples():
        _show_sweep(row)
    if len(sweeps) > _MOST:
        st.caption(f"{len(sweeps) - _MOST:,} older ones: Train and Trade-offs list them all.")


def _show_sweep(row: Any) -> None:
    with st.container(border=True, key=f"recent-{row.id}"):
        words, links = st.columns([3, 2], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain_text(row.name)}**")
            st.caption(f"{state_words(row)} · {moment_words(row.created_at)}")
            if row.queued or row.running:
                st.progress(float(row.progress), text=f"{row.progress:.0%} of all epochs")
        with links.container(horizontal=True, horizontal_alignment="right"):
            page_link("pages/2_Train.py", "Training", icon=":material/monitoring:", sweep=row.id)
            if row.done:
                page_link(
                    "pages/3_Trade-offs.py",
                    "Trade-offs",
                    icon=":material/scatter_plot:",
                    sweep=row.id,
                )
                page_link("pages/4_Compare.py", "Compare", icon=":material/compare:", sweep=row.id)


def state_words(row: Any) -> str:
    """The state of a sweep in words, from its row of the sweep table."""
    parts = [f"{row.done:,} of {row.runs:,} runs done"]
    counts = (
        (row.running, "training"),
        (row.queued, "waiting"),
        (row.failed, "failed"),
        (row.cancelled, "cancelled"),
    )
    parts += [f"{count:,} {word}" for count, word in counts if count]
    return ", ".join(parts)
