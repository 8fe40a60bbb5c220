"""What the page shows while there is nothing to compare yet."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from frem_core.figures import SeriesLook, pareto_fronts_figure
from frem_core.figures.palette import SERIES
from studio.link import page_link
from studio.theme import is_dark

# Invented methods: real ones would have to be loaded, and would seem to be judged.
_LOOKS = {
    name: SeriesLook(name, colour, symbol)
    for name, (colour, symbol, _) in zip(
        ("One method", "Another method", "Without fairness"), SERIES, strict=False
    )
}
_TRAIN, _DATA = "pages/2_Train.py", "pages/1_Data.py"


def show_no_sweeps() -> None:
    """Explains the page with a made-up picture and leads to where sweeps are started."""
    words, picture = st.columns([1, 1], gap="large", vertical_alignment="center")
    with words:
        st.header("Nothing has been trained yet", anchor=False)
        st.markdown(
            "A **sweep** trains each method several times, from no fairness at all to as much as "
            "possible. Every training becomes a point here: further up predicts better, further "
            "left is fairer. The line of a method shows the best it can do."
        )
        st.markdown("Start a sweep and watch the lines grow, while it still runs.")
        with st.container(horizontal=True):
            page_link(_TRAIN, "Train models", icon=":material/model_training:")
            page_link(_DATA, "Look at the data first", icon=":material/table_chart:")
    with picture:
        st.plotly_chart(
            _example(),
            key="tradeoffs-example",
            config={"staticPlot": True},
            alt="An invented example of two lines of points; the one further up and left is better",
        )
        st.caption("An invented example, to show how the chart is read.")


def _example() -> go.Figure:
    table = pd.DataFrame(
        {
            "method": ["Another method"] * 4 + ["One method"] * 4 + ["Without fairness"],
            "prediction": [0.78, 0.8, 0.825, 0.842, 0.81, 0.828, 0.84, 0.846, 0.85],
            "fairness": [0.16, 0.2, 0.28, 0.38, 0.08, 0.13, 0.22, 0.35, 0.46],
            "on_front": True,
        }
    )
    figure = pareto_fronts_figure(
        table,
        prediction="prediction",
        fairness="fairness",
        prediction_title="better predictions ↑",
        fairness_title="← fairer",
        looks=_LOOKS,
        dark=is_dark(),
        height=330,
    )
    return figure.update_xaxes(showticklabels=False).update_yaxes(showticklabels=False)
