"""Where along the sensitive attribute too few rows count: as shade, and as a chart of its own."""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from frem_core.figures.layout import lay_out
from frem_core.figures.looks import GREY, TEAL
from frem_core.figures.plain_text import plain_text

FEWEST = 30
"""Effective rows below which a value along S is mostly noise."""


def thin_stretches(
    s: ArrayLike, effective_n: ArrayLike, fewest: float = FEWEST
) -> list[tuple[float, float]]:
    """The stretches of S in which fewer than ``fewest`` rows effectively speak.

    Each reaches half way to the neighbouring values that have enough.

    Args:
        s: rising values, (points,).
        effective_n: rows that effectively speak at each, (points,).
        fewest: what is enough.

    >>> thin_stretches([0.0, 1.0, 2.0, 3.0], [100, 100, 5, 2])
    [(1.5, 3.0)]
    """
    values, thin = np.asarray(s, np.float64), np.asarray(effective_n, np.float64) < fewest
    if not len(values):
        return []
    borders = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2, values[-1:]])
    changes = np.diff(np.concatenate([[False], thin, [False]]).astype(int))
    starts, stops = np.flatnonzero(changes == 1), np.flatnonzero(changes == -1)
    return [(float(borders[a]), float(borders[b])) for a, b in zip(starts, stops, strict=True)]


def shade_thin_data(
    figure: go.Figure, s: ArrayLike, effective_n: ArrayLike, fewest: float = FEWEST
) -> go.Figure:
    """Shades those stretches and writes "too little data here" into the widest one."""
    stretches = thin_stretches(s, effective_n, fewest)
    widest = max(stretches, key=lambda ends: ends[1] - ends[0], default=None)
    for stretch in stretches:
        # An annotation without text would be drawn as "new text".
        note = {"text": "too little data here", "font": {"size": 12}}
        figure.add_vrect(
            x0=stretch[0],
            x1=stretch[1],
            fillcolor="rgba(122, 130, 136, 0.22)",
            line_width=0,
            layer="below",
            **(
                {"annotation": note, "annotation_position": "top right"}
                if stretch is widest
                else {}
            ),
        )
    return figure


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
            hovertemplate="%{x:.4~r}: %{y:,.0f} effective rows<br>%{customdata[0]:,} rows have "
            "this value<extra></extra>",
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
        y_title="effective number of rows (more is steadier)",
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
