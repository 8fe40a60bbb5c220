"""Where to go once a dataset is chosen."""

import streamlit as st

from studio.choice import Choice
from studio.link import page_link


def show_next_step(choice: Choice, *, key: str) -> None:
    """Draws the links to the pages that use the dataset.

    Args:
        choice: the dataset.
        key: unique on the page.
    """
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=key):
        st.markdown("**Next:** see what fairness costs on this data.")
        page_link(
            "pages/2_Train.py",
            "Train models on it",
            icon=":material/model_training:",
            choice=choice,
        )
        page_link(
            "pages/6_Ablations.py",
            "Test the choices behind FREM",
            icon=":material/science:",
            choice=choice,
        )
