"""What the Estimator lab shows before anything was drawn."""

from typing import Final

import streamlit as st

_CARD_WIDTH: Final = 270
_PARTS: Final = (
    (
        ":material/candlestick_chart:",
        "How far each one is off",
        "Box plots of estimate minus truth, growing while samples are drawn.",
    ),
    (
        ":material/table_chart:",
        "Errors beside the paper's",
        "Bias, mean absolute error and root mean squared error, with the printed values beside.",
    ),
    (
        ":material/trending_down:",
        "What more data changes",
        "Which errors shrink as samples grow, and which stay however many rows there are.",
    ),
)


def show_what_comes() -> None:
    """Draws what a run will show."""
    st.header("Press Run to see", anchor=False)
    with st.grid(3, min_column_width=_CARD_WIDTH, border=True, key="lab-cards") as grid:
        for icon, title, words in _PARTS:
            with grid.cell():
                st.markdown(f"{icon} **{title}**")
                st.caption(words)
