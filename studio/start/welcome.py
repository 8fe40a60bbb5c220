"""What FREM Studio is, in three sentences, and the ways in."""

from typing import Final

import streamlit as st

from studio.link import page_link

_DATA: Final = "pages/1_Data.py"
_WORDS: Final = (
    "A model can follow a person's age, income or neighbourhood even when it is never told about "
    "it. FREM Studio measures that along the whole range of such a continuous attribute and trains "
    "models whose inner representation says as little as possible about it. It shows what that "
    "costs in accuracy, beside seven other methods, so that you can decide."
)


def show_welcome() -> None:
    """Draws the three sentences and the links."""
    st.markdown(_WORDS)
    with st.container(horizontal=True):
        page_link(_DATA, "Choose or bring data", icon=":material/table_chart:")
        page_link(
            "pages/5_Estimator_lab.py", "See how it is measured", icon=":material/straighten:"
        )


def go_to_dataset() -> None:
    """Forwards addresses from when datasets were shown on this page."""
    if "dataset" in st.query_params:
        address = {name: st.query_params.get_all(name) for name in st.query_params}
        st.switch_page(_DATA, query_params=address)
