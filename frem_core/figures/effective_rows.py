"""How many rows speak along the sensitive attribute."""

import math

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.palette import GREY, TEAL
from frem_core.figures.plain_text import plain_text
from frem_core.figures.thin_data import FEWEST, shade_thin_data


def effective_rows_figure(
    table: pd.DataFrame, *, sensitive_name: str, fewest: float = FEWEST, height: int = 360
) -> go.Figure:
    """Draws the effective sample size along S, and shades where it is too small.

    Args:
        table: columns ``s``, ``rows``, ``effective_n``, as
            :func:`frem_core.audit.effective_rows` returns.
        sensitive_name: name of S.
        fewest: effective rows that are enough.
        height: in pixels.
    """
    figure = go.Figure(
        go.Scatter(
            x=table["s"],
            y=table["effective_n"].where(table["effective_n"] > 0),
            customdata=table[["rows"]],
            mode="lines",
            line={"color": TEAL, "width": 2.5},
            hovertemplate="%{x:.4~g}: %{y:,.0f} rows speak<br>%{customdata[0]:,} rows have this "
            "value<extra></extra>",
        )
    )
    shade_thin_data(figure, table["s"], table["effective_n"], fewest)
    figure.add_hline(y=fewest, line={"color": GREY, "dash": "dash", "width": 1.5})
    figure.add_annotation(
        text=f"enough: {fewest:g}",
        x=0,
        xref="paper",
        xanchor="left",
        y=math.log10(fewest),  # on a logarithmic axis Plotly places notes by their logarithm
        yanchor="bottom",
        showarrow=False,
        font={"size": 12},
    )
    lay_out(
        figure,
        x_title=plain_text(sensitive_name),
        y_title="rows that effectively speak (more is steadier)",
        height=height,
    )
    highest = max(float(table["effective_n"].max()), fewest)
    lowest = min(max(float(table["effective_n"].min()), 1.0), fewest)
    return figure.update_yaxes(
        type="log",
        dtick=1,
        tickformat=",.0f",
        range=[math.log10(lowest / 2), math.log10(highest * 2)],
    )
