"""One column over groups of the sensitive attribute: boxes for numbers, shares for categories."""

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.looks import TEAL
from frem_core.figures.plain_text import plain_text

_MOST_WRITTEN = 8  # with more groups the numbers in the cells would overlap


def group_boxes(
    statistics: pd.DataFrame, *, feature_name: str, sensitive_name: str, height: int = 380
) -> go.Figure:
    """Draws box plots from precomputed quartiles, so that no row leaves the server.

    Args:
        statistics: as :func:`frem_core.audit.box_statistics` returns; dates make an axis of dates.
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
            fillcolor="rgba(10, 134, 146, 0.25)",
            whiskerwidth=0.5,
            showlegend=False,
        )
    )
    figure.update_xaxes(type="category")
    if pd.api.types.is_datetime64_any_dtype(statistics["median"]):
        figure.update_yaxes(type="date")
    return lay_out(
        figure,
        x_title=f"group by {plain_text(sensitive_name)}",
        y_title=plain_text(feature_name),
        height=height,
    )


def group_shares(
    shares: pd.DataFrame, *, feature_name: str, sensitive_name: str, height: int = 380
) -> go.Figure:
    """Draws how the share of each value of a category moves along S, as a table of tinted cells.

    Args:
        shares: as :func:`frem_core.audit.level_shares` returns.
        feature_name: name of the column, on the y axis.
        sensitive_name: name of S.
        height: in pixels.
    """
    groups, levels = shares["group"].unique(), shares["level"].unique()
    grid = shares.pivot(index="level", columns="group", values="share").loc[levels, groups]
    figure = go.Figure(
        go.Heatmap(
            x=[plain_text(group) for group in groups],
            y=list(range(len(levels))),
            z=100 * grid.to_numpy(),
            zmin=0,
            zmax=100,
            colorscale=[[0, "rgba(10, 134, 146, 0)"], [1, "rgba(10, 134, 146, 0.6)"]],
            showscale=False,
            xgap=2,
            ygap=2,
            texttemplate="%{z:.0f} %" if len(groups) <= _MOST_WRITTEN else None,
            hovertemplate="%{x}: %{z:.1f} %<extra></extra>",
        )
    )
    lay_out(
        figure,
        x_title=f"group by {plain_text(sensitive_name)}",
        y_title=f"share by {plain_text(feature_name)}",
        height=height,
    )
    figure.update_xaxes(type="category", showgrid=False)
    return figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(levels))),
        ticktext=[plain_text(level, longest=18) for level in levels],
        autorange="reversed",
        showgrid=False,
        zeroline=False,
    )
