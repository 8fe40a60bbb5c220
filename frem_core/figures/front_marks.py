"""What is drawn on top of fronts: limits, rings, the best constant, models that are no better."""

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.looks import GREY, INK, channels, readable

BEST_CONSTANT = "Best constant"
BEST_WITHIN_LIMITS = "best within the limits"
NO_BETTER = "predicts no better than a constant"
_RING, _CONSTANT, _CROSS = 22, 13, 9


def draw_constant(figure: go.Figure, value: float, *, dark: bool) -> None:
    """Draws the best constant prediction: it depends on nothing, so its unfairness is 0."""
    colour = readable(GREY, dark=dark)
    figure.add_scatter(
        x=[0.0],
        y=[value],
        mode="markers",
        name=BEST_CONSTANT,
        legendrank=1900,
        marker={"symbol": "bowtie", "size": _CONSTANT, "color": colour},
        hovertemplate=f"the same prediction for everybody<br>prediction {value:.4f}<br>"
        "unfairness 0: it depends on nothing<extra>Best constant</extra>",
    )
    figure.add_hline(y=value, line={"color": colour, "dash": "dot", "width": 1}, layer="below")


def draw_band(figure: go.Figure, band: pd.DataFrame, colour: str, group: str) -> None:
    """Draws where a front would lie on other seeds or test rows: columns x, low and high."""
    figure.add_scatter(
        x=[*band["x"], *band["x"][::-1]],
        y=[*band["high"], *band["low"][::-1]],
        fill="toself",
        fillcolor=f"rgba{(*channels(colour), 0.14)}",
        mode="lines",
        line={"width": 0},
        name=f"{group}, 95 % band",
        legendgroup=group,
        showlegend=False,
        hoverinfo="skip",
    )


def draw_no_better(
    figure: go.Figure, rows: pd.DataFrame, prediction: str, fairness: str, *, dark: bool
) -> None:
    """Crosses out points that a constant could replace."""
    if rows.empty:
        return
    figure.add_scatter(
        x=rows[fairness],
        y=rows[prediction],
        mode="markers",
        name=NO_BETTER,
        legendrank=1901,
        hoverinfo="skip",
        marker={
            "symbol": "x-thin",
            "size": _CROSS,
            "color": readable(INK, dark=dark),
            "line": {"width": 1.6, "color": readable(INK, dark=dark)},
        },
    )


def draw_rings(
    figure: go.Figure,
    rows: pd.DataFrame,
    prediction: str,
    fairness: str,
    *,
    dark: bool,
    name: str = BEST_WITHIN_LIMITS,
) -> None:
    """Puts a ring around each of these points; the legend says what a ring means."""
    if rows.empty:
        return
    figure.add_scatter(
        x=rows[fairness],
        y=rows[prediction],
        mode="markers",
        name=name,
        hoverinfo="skip",
        marker={
            "symbol": "circle-open",
            "size": _RING,
            "color": readable(INK, dark=dark),
            "line": {"width": 2},
        },
    )


def draw_limits(
    figure: go.Figure, noise_floor: float | None, at_most: float | None, at_least: float | None
) -> None:
    """Draws what chance gives as a band, and what is asked for as dashed lines."""
    if noise_floor is not None:
        figure.add_vrect(
            x0=0,
            x1=noise_floor,
            fillcolor=GREY,
            opacity=0.16,
            line={"width": 0},
            layer="below",
            annotation={"text": "no more than chance", "font": {"size": 12}, "textangle": -90},
            annotation_position="inside top left",
        )
    dashed = {"color": GREY, "dash": "dash", "width": 1.5}
    if at_most is not None:
        figure.add_vline(
            x=at_most,
            line=dashed,
            annotation={"text": f"at most {at_most:.3g}", "font": {"size": 12}},
            annotation_position="top right",
        )
    if at_least is not None:
        figure.add_hline(
            y=at_least,
            line=dashed,
            annotation={"text": f"at least {at_least:.3g}", "font": {"size": 12}},
            annotation_position="top right",
        )
