"""Several sensitive attributes at once: who is where, and what is predicted there."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out, legend_name
from frem_core.figures.looks import GREY, SERIES
from frem_core.figures.plain_text import plain_text

# Runs from blue to orange, which colour-blind readers tell apart; the middle is grey.
_TWO_SIDED = [(0.0, "#1F6FB2"), (0.5, "#D9DDE0"), (1.0, "#C9501E")]
_ROW_HEIGHT, _FRAME_HEIGHT = 44, 190
_LONGEST_TICK = 16


def crossing_map(
    table: pd.DataFrame, *, first: str, second: str, outcome_title: str, few: int
) -> go.Figure:
    """Draws the mean outcome in each combination of two attributes, with its number of rows.

    Args:
        table: columns ``first``, ``second``, ``rows`` and ``mean``, as `crossing` returns.
        first: name of the attribute down the side.
        second: name of the attribute along the bottom.
        outcome_title: what the mean is.
        few: combinations with fewer rows show their number only.
    """
    down, along = table["first"].drop_duplicates(), table["second"].drop_duplicates()
    shape = (len(down), len(along))
    rows = table["rows"].to_numpy().reshape(shape)
    means = table["mean"].to_numpy().reshape(shape)
    shown = np.where(rows >= few, means, np.nan)
    figure = go.Figure(
        go.Heatmap(
            z=shown,
            x=[plain_text(word) for word in along],
            y=[plain_text(word) for word in down],
            customdata=rows,
            text=np.where(rows >= few, np.vectorize("{:.3g}".format)(means), ""),
            texttemplate="%{text}",
            colorscale=_TWO_SIDED,
            # Above the chart it takes nothing from the width of a telephone.
            colorbar={
                "title": {"text": outcome_title, "side": "top"},
                "orientation": "h",
                "thickness": 12,
                "y": 1.0,
                "yanchor": "bottom",
            },
            hovertemplate="%{y}, %{x}<br>%{customdata:,} rows<br>%{z:.3g}<extra></extra>",
            xgap=2,
            ygap=2,
            hoverongaps=True,
        )
    )
    for (row, column), count in np.ndenumerate(rows):
        if count < few:
            figure.add_annotation(
                x=column, y=row, text=f"{count:,}", showarrow=False, font={"color": GREY}
            )
    figure.update_yaxes(autorange="reversed", **_short_ticks(down, first))
    figure.update_xaxes(**_short_ticks(along, second))
    height = _FRAME_HEIGHT + _ROW_HEIGHT * len(down)
    return lay_out(figure, x_title=plain_text(second), y_title=plain_text(first), height=height)


def _short_ticks(words: pd.Series, name: str) -> dict[str, object]:
    """Words along an axis without the name that its title has, cut where they are long."""
    return {
        "tickvals": [plain_text(word) for word in words],
        "ticktext": [
            plain_text(word.removeprefix(f"{name} "), longest=_LONGEST_TICK) for word in words
        ],
    }


def category_curves(
    curves: Sequence[tuple[str, pd.DataFrame]], *, sensitive_name: str, prediction_title: str
) -> go.Figure:
    """Draws the mean prediction along a number, one line with its 95 % band for each category.

    Args:
        curves: name of the category, and ``s``, ``mean``, ``low``, ``high``.
        sensitive_name: the number along x.
        prediction_title: what is predicted.
    """
    figure = go.Figure()
    for place, (name, curve) in enumerate(curves):
        colour, symbol, dash = SERIES[place % len(SERIES)]
        band = {"line": {"width": 0}, "hoverinfo": "skip", "showlegend": False, "mode": "lines"}
        title = plain_text(name)
        figure.add_scatter(x=curve["s"], y=curve["high"], legendgroup=title, **band)
        figure.add_scatter(
            x=curve["s"],
            y=curve["low"],
            fill="tonexty",
            fillcolor=_faint(colour),
            legendgroup=title,
            **band,
        )
        figure.add_scatter(
            x=curve["s"],
            y=curve["mean"],
            name=legend_name(title),
            legendgroup=title,
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5},
            marker={"symbol": symbol, "size": 8, "maxdisplayed": 8},
            hovertemplate=f"{title}<br>%{{x:.4~r}}: %{{y:.4~r}}<extra></extra>",
        )
    return lay_out(
        figure, x_title=plain_text(sensitive_name), y_title=prediction_title, legend=True
    )


def place_map(
    table: pd.DataFrame, *, first: str, second: str, value: str, title: str, fewest: float
) -> go.Figure:
    """Draws a value over two numbers; places with too few people stay empty.

    Args:
        table: columns ``first``, ``second``, ``value`` and ``effective_n``.
        first: column along x.
        second: column along y.
        value: column of the value.
        title: what it is.
        fewest: effective people that a place needs.
    """
    covered = table[value].where(table["effective_n"] >= fewest)
    wide = table.assign(shown=covered).pivot(index=second, columns=first, values="shown")
    speaking = table.pivot(index=second, columns=first, values="effective_n")
    figure = go.Figure(
        go.Heatmap(
            z=wide.to_numpy(),
            x=wide.columns,
            y=wide.index,
            customdata=speaking.to_numpy(),
            colorscale=_TWO_SIDED,
            colorbar={"title": {"text": title, "side": "right"}, "thickness": 12},
            hovertemplate=f"{plain_text(first)} %{{x:.3~r}}, {plain_text(second)} %{{y:.3~r}}<br>"
            "%{z:.3g}, %{customdata:.0f} people<extra></extra>",
        )
    )
    return lay_out(figure, x_title=plain_text(first), y_title=plain_text(second), height=420)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.15)"
