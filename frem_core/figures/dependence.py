"""Which columns tell most about the sensitive attribute."""

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.palette import GREY, ORANGE, PURPLE, TEAL
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
        x_title=f"dependence on {plain_text(sensitive_name)} (0 none, 1 determined by it)",
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
