"""The sensitive attribute of a dataset: its distribution, and what goes along with it."""

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import interval_bars, lay_out
from frem_core.figures.looks import GREY, ORANGE, PURPLE, TEAL
from frem_core.figures.plain_text import plain_text

_LOOKS = {
    "rises": (TEAL, "↑", "rises with it"),
    "falls": (ORANGE, "↓", "falls with it"),
    "bends": (PURPLE, "↕", "rises and falls"),
    "category": (GREY, "◆", "category, no order"),
    "none": (GREY, "", "no more than chance"),
}
_BAR_HEIGHT, _FRAME_HEIGHT = 28, 110
_BAR_WIDTH = 0.72  # the same in every series, whose own spacing differs


def sensitive_histogram(
    bars: pd.DataFrame, *, sensitive_name: str, groups: pd.DataFrame | None = None
) -> go.Figure:
    """Draws how many rows have which value of S.

    Args:
        bars: columns ``low``, ``high``, ``rows``, as :func:`frem_core.audit.histogram` returns.
        sensitive_name: name of S.
        groups: quantile groups with ``low`` and ``high``; their borders are drawn when given.
    """
    figure = go.Figure(
        go.Bar(
            x=(bars["low"] + bars["high"]) / 2,
            y=bars["rows"],
            width=bars["high"] - bars["low"],
            customdata=bars[["low", "high"]],
            marker={"color": TEAL, "line": {"width": 0}},
            hovertemplate="%{customdata[0]:.4~r} to %{customdata[1]:.4~r}"
            "<br>%{y:,} rows<extra></extra>",
        )
    )
    if groups is not None:
        borders = (groups["high"].to_numpy()[:-1] + groups["low"].to_numpy()[1:]) / 2
        for border in borders:
            figure.add_vline(x=float(border), line={"color": GREY, "dash": "dot", "width": 1.5})
    figure.update_yaxes(tickformat=",")
    return lay_out(figure, x_title=plain_text(sensitive_name), y_title="rows")


def outcome_along_s(
    outcome: pd.DataFrame, *, sensitive_name: str, outcome_title: str, overall: float
) -> go.Figure:
    """Draws the mean outcome of each group of S with its 95 % interval.

    Args:
        outcome: columns ``group``, ``rows``, ``mean``, ``low``, ``high``, as
            :func:`frem_core.audit.outcome_by_group` returns.
        sensitive_name: name of S.
        outcome_title: what the mean is, e.g. "share with income >50K"; shown as it is given.
        overall: mean over all rows, drawn as a dashed line.
    """
    figure = go.Figure(
        go.Scatter(
            x=[plain_text(group) for group in outcome["group"]],
            y=outcome["mean"],
            error_y=interval_bars(outcome),
            customdata=outcome[["low", "high", "rows"]],
            mode="lines+markers",
            marker={"color": TEAL, "size": 10},
            line={"color": TEAL, "width": 2},
            hovertemplate="%{x}<br>mean %{y:.3~r} (95 %: %{customdata[0]:.3~r} to "
            "%{customdata[1]:.3~r})<br>%{customdata[2]:,} rows<extra></extra>",
        )
    )
    figure.add_hline(
        y=overall,
        line={"color": GREY, "dash": "dash", "width": 1.5},
        annotation={"text": "all rows", "font": {"size": 12}},
        annotation_position="top left",
    )
    figure.update_xaxes(type="category")
    return lay_out(
        figure, x_title=f"group by {plain_text(sensitive_name)}", y_title=plain_text(outcome_title)
    )


def dependence_bars(ranking: pd.DataFrame, *, sensitive_name: str, most: int = 15) -> go.Figure:
    """Draws the strongest dependencies as horizontal bars, strongest on top.

    The colour of a bar repeats what the arrow at its end says.

    Args:
        ranking: as :func:`frem_core.audit.rank_dependence` returns.
        sensitive_name: name of S.
        most: show at most this many columns.
    """
    shown = ranking.head(most).assign(place=lambda table: range(len(table)))
    figure = go.Figure()
    for direction, (colour, arrow, words) in _LOOKS.items():
        rows = shown[shown["direction"] == direction]
        if rows.empty:
            continue
        figure.add_bar(
            x=rows["strength"],
            y=rows["place"],
            orientation="h",
            width=_BAR_WIDTH,
            name=f"{arrow} {words}".strip(),
            marker={"color": colour},
            text=[f"{strength:.2f} {arrow}".strip() for strength in rows["strength"]],
            textposition="outside",
            cliponaxis=False,
            customdata=rows[["maximal_correlation", "chance"]],
            hovertemplate="strength %{x:.3f}<br>maximal correlation %{customdata[0]:.3f}"
            "<br>by chance %{customdata[1]:.3f}<extra></extra>",
        )
    lay_out(
        figure,
        x_title=f"dependence on {plain_text(sensitive_name)} "
        "(0\N{NO-BREAK SPACE}none, 1\N{NO-BREAK SPACE}determined by it)",
        y_title="column",
        height=_FRAME_HEIGHT + _BAR_HEIGHT * max(len(shown), 3),
        legend=True,
    )
    figure.update_yaxes(
        tickmode="array",
        tickvals=shown["place"],
        ticktext=[plain_text(name, longest=32) for name in shown["feature"]],
        range=[len(shown) - 0.4, -0.6],
        showgrid=False,
    )
    figure.update_xaxes(range=[0, 1.08])
    return figure.update_layout(barmode="overlay")
