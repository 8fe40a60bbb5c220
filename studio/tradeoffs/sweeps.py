"""Which sweeps are looked at, and what the page shows while there are none."""

from typing import cast

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from frem_core.figures import SeriesLook, pareto_fronts_figure, shown_text
from frem_core.figures.looks import SERIES
from frem_core.words import counted
from studio.address import names_in_address, to_address
from studio.guard import show_error
from studio.link import page_link
from studio.style import is_dark
from studio.words import sweep_title

_KEY = "tradeoffs-sweeps"
# Invented methods: real ones would have to be loaded, and would seem to be judged.
_INVENTED = {
    name: SeriesLook(name, colour, symbol)
    for name, (colour, symbol, _) in zip(
        ("One method", "Another method", "Without fairness"), SERIES, strict=False
    )
}
_TRAIN, _DATA = "pages/2_Train.py", "pages/1_Data.py"


def choose_sweeps(sweeps: pd.DataFrame) -> list[str]:
    """Draws the choice; by default the newest sweep that has a finished run.

    Args:
        sweeps: as ``sweeps_and_examples`` returns, not empty.
    """
    known = [str(name) for name in sweeps["id"]]
    unknown = [name for name in st.query_params.get_all("sweep") if name not in known]
    if unknown:
        show_error(
            f"There is no sweep '{shown_text(unknown[0], longest=40)}' here; it may have been "
            "deleted. Choose another one below."
        )
    chosen = names_in_address("sweep", allowed=known, default=[_newest(sweeps)])
    # How many are done would stand still here, beside a chart that fills.
    titles = [sweep_title(row, counted(cast(int, row.runs), "run")) for row in sweeps.itertuples()]
    labels = dict(zip(known, titles, strict=True))
    picked: list[str] = st.multiselect(
        "Sweeps",
        known,
        default=chosen,
        format_func=labels.__getitem__,
        key=f"{_KEY}-{'-'.join(chosen)}",
        on_change=to_address,
        args=("sweep", f"{_KEY}-{'-'.join(chosen)}"),
        placeholder="Choose at least one sweep",
        help="Several sweeps of one dataset are drawn together; equal settings are averaged over "
        "their runs. Sweeps of other datasets or notions of fairness get charts of their own.",
    )
    return picked


def _newest(sweeps: pd.DataFrame) -> str:
    own = sweeps[~sweeps["is_example"]]
    offered = own if len(own) else sweeps  # an example only until there is something of one's own
    finished = offered[offered["done"] > 0]
    return str((finished if len(finished) else offered)["id"].iloc[0])


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
            _invented_fronts(),
            key="tradeoffs-example",
            config={"staticPlot": True},
            alt="An invented example of two lines of points; the one further up and left is better",
        )
        st.caption("An invented example, to show how the chart is read.")


def _invented_fronts() -> go.Figure:
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
        looks=_INVENTED,
        dark=is_dark(),
        height=330,
    )
    return figure.update_xaxes(showticklabels=False).update_yaxes(showticklabels=False)
