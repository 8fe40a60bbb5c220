"""Results that come with the program: something real to look at before anything is trained."""

from typing import Any

import streamlit as st

from frem_core.figures import plain_text
from frem_core.library import about_example
from studio.link import page_link
from studio.store import sweeps_and_examples


def show_examples() -> None:
    """Draws one card per example; nothing where examples are left out."""
    sweeps = sweeps_and_examples()
    examples = sweeps[sweeps["is_example"]]
    if examples.empty:
        return
    st.header("Finished results to look at", anchor=False)
    st.markdown("All methods of the comparison, trained with the paper's settings: no waiting.")
    for row in examples.itertuples():
        _show_example(row)


def _show_example(row: Any) -> None:
    about = about_example(row.id)
    with st.container(border=True, key=f"finished-{row.id}"):
        words, links = st.columns([3, 2], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain_text(row.name.removeprefix('Example: '))}**")
            seeds = f"{about.seeds} seed{'s' if about.seeds != 1 else ''}"
            st.caption(f"{about.runs:,} trained models, {seeds}, made on {about.made}")
        with links.container(horizontal=True, horizontal_alignment="right"):
            page_link(
                "pages/3_Trade-offs.py",
                "See the trade-off",
                icon=":material/scatter_plot:",
                sweep=row.id,
            )
            page_link(
                "pages/4_Compare.py", "Compare models", icon=":material/compare:", sweep=row.id
            )
