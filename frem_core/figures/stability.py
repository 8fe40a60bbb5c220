"""How far a score moves between bootstrap samples of the same rows."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.looks import SeriesLook, readable
from frem_core.figures.plain_text import plain_text


def stability_figure(
    table: pd.DataFrame,
    *,
    looks: Mapping[str, SeriesLook],
    title: str = "information shared with S, MI(Ŷ, S) (lower is fairer)",
    dark: bool = False,
    height: int = 340,
) -> go.Figure:
    """Draws, for each model, the mean over samples with the interval that 95 % of them lie in.

    Args:
        table: columns ``variant, estimate, mean, sd, cv, low, high``, one row per model.
        looks: how each variant is drawn.
        title: of the axis of the score.
        dark: whether the chart stands on dark ground.
        height: in pixels.
    """
    figure = go.Figure()
    for row in table.to_dict("records"):
        look = looks[str(row["variant"])]
        colour = readable(look.colour, dark=dark)
        figure.add_scatter(
            x=[row["mean"]],
            y=[plain_text(look.title)],
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [row["high"] - row["mean"]],
                "arrayminus": [row["mean"] - row["low"]],
                "color": colour,
                "thickness": 3,
                "width": 8,
            },
            customdata=[[row["sd"], row["cv"], row["low"], row["high"]]],
            mode="markers+text",
            text=[f"± {100 * row['cv']:.1f} %"],
            textposition="top center",
            marker={"color": colour, "symbol": look.symbol, "size": 13},
            showlegend=False,
            hovertemplate="mean %{x:.3f}, standard deviation %{customdata[0]:.3f}<br>"
            "95 %: %{customdata[2]:.3f} to %{customdata[3]:.3f}<extra></extra>",
        )
    lay_out(figure, x_title=title, y_title="model", height=height)
    figure.update_yaxes(type="category", autorange="reversed")
    return figure.update_xaxes(rangemode="tozero")
