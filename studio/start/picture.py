"""The picture that says what this is about: one dataset, two models."""

from pathlib import Path
from typing import Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from frem_core.figures.looks import run_looks
from frem_core.figures.predictions import conditional_mean_curves
from studio.chart import kept
from studio.style import is_dark

# Written by `python -m tools.start_picture`, which trains both models.
_TABLE: Final = Path(__file__).with_name("picture.csv")
_TITLES: Final = {"unfair": "ordinary model", "frem": "FREM"}


def show_picture() -> None:
    """Draws the mean prediction of an ordinary model and of FREM along S, on test rows."""
    table = _table()
    scores = table.groupby("method")[["mae", "hgr"]].first()
    st.markdown("**What two models predict for the same communities**")
    st.plotly_chart(
        kept(_figure, table, dark=is_dark()),
        key="start-picture",
        config={"staticPlot": True},
        alt="Mean predicted crime rate along the share of Black residents of a community. The "
        "line of an ordinary model climbs steeply; that of FREM stays nearly flat.",
    )
    ordinary, fair = scores.loc["unfair"], scores.loc["frem"]
    st.caption(
        "Crime rate predicted for communities the models have not seen, along their share of "
        "Black residents (both scaled to 0–1; five random splits). FREM brings the dependence "
        f"(HGR) from {ordinary['hgr']:.2f} down to {fair['hgr']:.2f}; the mean error rises from "
        f"{ordinary['mae']:.3f} to {fair['mae']:.3f}."
    )


@st.cache_data(show_spinner=False)
def _table() -> pd.DataFrame:
    return pd.read_csv(_TABLE)


def _figure(table: pd.DataFrame, *, dark: bool) -> go.Figure:
    parts = dict(tuple(table.groupby("method")))
    looks = run_looks(list(_TITLES.items()), dark=dark)
    return conditional_mean_curves(
        [(look, parts[name]) for look, name in zip(looks, _TITLES, strict=True)],
        sensitive_name="share of Black residents",
        prediction_title="mean predicted crime rate",
        outcome=parts["outcome"],
        height=380,
    )
