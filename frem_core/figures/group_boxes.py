"""One column over groups of the sensitive attribute: boxes for numbers, lines for categories."""

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.palette import SERIES, TEAL
from frem_core.figures.plain_text import plain_text


def group_boxes(
    statistics: pd.DataFrame, *, feature_name: str, sensitive_name: str, height: int = 360
) -> go.Figure:
    """Draws box plots from precomputed quartiles, so that no row leaves the server.

    Args:
        statistics: as :func:`frem_core.audit.box_statistics` returns.
        feature_name: name of the column, on the y axis.
        sensitive_name: name of S.
        height: in pixels.
    """
    figure = go.Figure(
        go.Box(
            x=[plain_text(group) for group in statistics["group"]],
            lowerfence=statistics["lower_whisker"],
            q1=statistics["q1"],
            median=statistics["median"],
            q3=statistics["q3"],
            upperfence=statistics["upper_whisker"],
            mean=statistics["mean"],
            boxmean=True,
            line={"color": TEAL, "width": 2},
            fillcolor="rgba(0, 117, 128, 0.25)",
            whiskerwidth=0.5,
            showlegend=False,
        )
    )
    figure.update_xaxes(type="category")
    return lay_out(
        figure,
        x_title=f"group of {plain_text(sensitive_name)}",
        y_title=plain_text(feature_name),
        height=height,
    )


def group_shares(
    shares: pd.DataFrame, *, feature_name: str, sensitive_name: str, height: int = 360
) -> go.Figure:
    """Draws how the share of each value of a category moves along S.

    Args:
        shares: as :func:`frem_core.audit.level_shares` returns.
        feature_name: name of the column, on the y axis.
        sensitive_name: name of S.
        height: in pixels.
    """
    figure = go.Figure()
    for position, (level, rows) in enumerate(shares.groupby("level", sort=False)):
        colour, symbol, dash = SERIES[position % len(SERIES)]
        figure.add_scatter(
            x=[plain_text(group) for group in rows["group"]],
            y=rows["share"],
            name=plain_text(level, longest=24),
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2},
            marker={"color": colour, "symbol": symbol, "size": 9},
            hovertemplate="%{x}: %{y:.1%}",
        )
    figure.update_xaxes(type="category")
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    return lay_out(
        figure,
        x_title=f"group of {plain_text(sensitive_name)}",
        y_title=f"share by {plain_text(feature_name)}",
        height=height,
        legend=True,
    )
