"""Where along S the representations of several runs are unfair."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.plain_text import plain_text
from frem_core.figures.run_look import RunLook
from frem_core.figures.thin_data import shade_thin_data

_MARKS = 8


def ipm_profile_figure(
    profiles: Sequence[tuple[RunLook, pd.DataFrame]], *, sensitive_name: str, height: int = 420
) -> go.Figure:
    """Draws the distance between the representations of people at s and of everybody.

    Args:
        profiles: look and table of each run, as :func:`frem_core.eipm.eipm_profile` returns.
        sensitive_name: name of S.
        height: in pixels.
    """
    figure = go.Figure()
    for look, table in profiles:
        figure.add_scatter(
            x=table["s"],
            y=table["ipm"],
            name=look.title,
            mode="lines+markers",
            line={"color": look.colour, "width": 2.5, "dash": look.dash},
            marker={"color": look.colour, "symbol": look.symbol, "size": 9, "maxdisplayed": _MARKS},
            customdata=table[["effective_n"]],
            hovertemplate="%{x:.3~g}: distance %{y:.3f}<br>%{customdata[0]:,.0f} rows speak here"
            f"<extra>{look.title}</extra>",
        )
    if profiles:
        shade_thin_data(figure, profiles[0][1]["s"], profiles[0][1]["effective_n"])
    figure.update_yaxes(rangemode="tozero")
    return lay_out(
        figure,
        x_title=plain_text(sensitive_name),
        y_title="distance from everybody, IPM (lower is fairer)",
        height=height,
        legend=True,
    )
