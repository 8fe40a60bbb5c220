"""What runs predict along the sensitive attribute: curves of means, and boxes by group."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out, legend_name
from frem_core.figures.looks import GREY, RunLook
from frem_core.figures.plain_text import plain_text
from frem_core.figures.thin_data import shade_thin_data

_MARKS = 6  # of a line: enough to tell lines apart, few enough to see them


def conditional_mean_curves(
    curves: Sequence[tuple[RunLook, pd.DataFrame]],
    *,
    sensitive_name: str,
    prediction_title: str,
    outcome: pd.DataFrame | None = None,
    height: int = 400,
) -> go.Figure:
    """Draws E[ŷ | S = s] with its band, one line per run; a flat line treats everyone alike.

    Args:
        curves: look and table of each run, as :func:`frem_core.audit.conditional_mean` returns.
        sensitive_name: name of S.
        prediction_title: what is predicted, on the y axis; shown as text.
        outcome: the same table of the true outcomes, drawn thin and grey.
        height: in pixels.
    """
    figure = go.Figure()
    for look, table in curves:
        figure.add_scatter(
            x=[*table["s"], *table["s"][::-1]],
            y=[*table["high"], *table["low"][::-1]],
            fill="toself",
            fillcolor=look.tint,
            line={"width": 0},
            hoverinfo="skip",
            showlegend=False,
        )
    if outcome is not None:
        figure.add_scatter(
            x=outcome["s"],
            y=outcome["mean"],
            name="true outcome",
            mode="lines",
            line={"color": GREY, "width": 1.5, "dash": "dot"},
            hovertemplate="%{x:.3~r}: %{y:.3~r}<extra>true outcome</extra>",
        )
    for look, table in curves:
        figure.add_scatter(
            x=table["s"],
            y=table["mean"],
            name=legend_name(look.text),
            mode="lines+markers",
            line={"color": look.colour, "width": 2.5, "dash": look.dash},
            marker={"color": look.colour, "symbol": look.symbol, "size": 9, "maxdisplayed": _MARKS},
            customdata=table[["low", "high", "effective_n"]],
            hovertemplate="%{x:.3~r}: %{y:.3~r} (95 %: %{customdata[0]:.3~r} to "
            "%{customdata[1]:.3~r})<br>%{customdata[2]:,.0f} effective rows here"
            f"<extra>{look.text}</extra>",
        )
    if curves:
        shade_thin_data(figure, curves[0][1]["s"], curves[0][1]["effective_n"])
    return lay_out(
        figure,
        x_title=plain_text(sensitive_name),
        y_title=f"{plain_text(prediction_title)} (flat is fair)",
        height=height,
        legend=True,
    )


def prediction_boxes(
    runs: Sequence[tuple[RunLook, pd.DataFrame]],
    *,
    sensitive_name: str,
    prediction_title: str,
    height: int = 400,
) -> go.Figure:
    """Draws one box per group and run, the runs of a group side by side.

    Args:
        runs: look and table of each run, as :func:`frem_core.audit.box_statistics` returns.
        sensitive_name: name of S.
        prediction_title: what is predicted, on the y axis; shown as text.
        height: in pixels.
    """
    figure = go.Figure()
    for place, (look, table) in enumerate(runs):
        figure.add_box(
            x=[plain_text(group) for group in table["group"]],
            lowerfence=table["lower_whisker"],
            q1=table["q1"],
            median=table["median"],
            q3=table["q3"],
            upperfence=table["upper_whisker"],
            mean=table["mean"],
            boxmean=True,
            name=legend_name(look.text),
            offsetgroup=str(place),
            line={"color": look.colour, "width": 2},
            fillcolor=look.tint,
            whiskerwidth=0.5,
        )
    figure.update_xaxes(type="category")
    lay_out(
        figure,
        x_title=f"group by {plain_text(sensitive_name)}",
        y_title=f"{plain_text(prediction_title)} (alike is fair)",
        height=height,
        legend=True,
    )
    return figure.update_layout(boxmode="group", boxgap=0.25, boxgroupgap=0.15)
