"""How representations differ along the sensitive attribute: profiles of distances, and boxes."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from frem_core.figures.layout import lay_out, legend_name, wrapped_text
from frem_core.figures.looks import RunLook
from frem_core.figures.plain_text import plain_text
from frem_core.figures.thin_data import shade_thin_data
from frem_core.words import per_cent

_MARKS = 8
_ROW_HEIGHT, _FRAME_HEIGHT = 215, 88
_ROW_CHARACTERS = 26  # of a title beside a row
_MARGINS = {"l": 84, "r": 8, "t": 46}
_BELOW, _CHARACTER = 44, 6.4  # pixels: of the title below, and along a name of a group


def ipm_profile_figure(
    profiles: Sequence[tuple[RunLook, pd.DataFrame]], *, sensitive_name: str, height: int = 420
) -> go.Figure:
    """Draws the distance between the representations of people at s and of everybody.

    Args:
        profiles: look and table of each run, as :func:`frem_core.eipm.eipm_profile` returns.
        sensitive_name: name of S.
        height: in pixels.
    """
    figure = go.Figure()
    for look, table in profiles:
        figure.add_scatter(
            x=table["s"],
            y=table["ipm"],
            name=legend_name(look.text),
            mode="lines+markers",
            line={"color": look.colour, "width": 2.5, "dash": look.dash},
            marker={"color": look.colour, "symbol": look.symbol, "size": 9, "maxdisplayed": _MARKS},
            customdata=table[["effective_n"]],
            hovertemplate="%{x:.3~r}: distance %{y:.3f}<br>%{customdata[0]:,.0f} effective "
            f"rows here<extra>{look.text}</extra>",
        )
    if profiles:
        shade_thin_data(figure, profiles[0][1]["s"], profiles[0][1]["effective_n"])
    figure.update_yaxes(rangemode="tozero")
    return lay_out(
        figure,
        x_title=plain_text(sensitive_name),
        y_title="distance from everybody, IPM (lower is fairer)",
        height=height,
        legend=True,
    )


def representation_boxes(
    runs: Sequence[tuple[RunLook, pd.DataFrame]], *, sensitive_name: str, value_title: str
) -> go.Figure:
    """Draws a row of small charts per run, one chart per dimension, all on the same y axis.

    The axis of a row names its run.

    Args:
        runs: look and table of each run, as :func:`frem_core.audit.dimension_boxes` returns.
        sensitive_name: name of S.
        value_title: what the y axis shows; shown as it is given.
    """
    widest = max(table["dimension"].nunique() for _, table in runs)
    figure = make_subplots(
        rows=len(runs),
        cols=widest,
        shared_yaxes="all",
        shared_xaxes="all",
        horizontal_spacing=0.03,
        vertical_spacing=0.22 / len(runs),
        subplot_titles=[title for _, table in runs for title in _titles(table, widest)],
    )
    for row, (look, table) in enumerate(runs, start=1):
        for column, (_, boxes) in enumerate(table.groupby("dimension", sort=False), start=1):
            figure.add_trace(_box(look, boxes), row=row, col=column)
        figure.update_yaxes(title_text=_row_title(look, value_title), row=row, col=1)
    lay_out(figure, x_title="", y_title="", height=_FRAME_HEIGHT + _ROW_HEIGHT * len(runs))
    figure.update_annotations(font_size=13)
    # Margins that fit themselves make a browser draw every small chart several times over.
    longest = max(len(str(group)) for _, table in runs for group in table["group"])
    below = int(max(76, _BELOW + _CHARACTER * longest))  # where little width turns the names
    figure.update_layout(margin={**_MARGINS, "b": below})
    figure.update_xaxes(title_text=None, type="category", automargin=False)
    figure.update_yaxes(automargin=False)
    # Once, in the middle: beside each other the titles would overlap.
    figure.update_xaxes(
        title={"text": f"group by {plain_text(sensitive_name)}", "standoff": 8},
        row=len(runs),
        col=(widest + 1) // 2,
    )
    return figure.update_yaxes(title_text=_row_title(runs[0][0], value_title), row=1, col=1)


def _row_title(look: RunLook, value_title: str) -> str:
    return f"{wrapped_text(look.text, _ROW_CHARACTERS, 2)}<br>{value_title}"


def _titles(table: pd.DataFrame, widest: int) -> list[str]:
    shares = table.drop_duplicates("dimension")
    titles = [
        f"dimension {number}<br>{per_cent(share)} between"
        for number, share in zip(shares["dimension"], shares["between_groups"], strict=True)
    ]
    return titles + [""] * (widest - len(titles))


def _box(look: RunLook, boxes: pd.DataFrame) -> go.Box:
    return go.Box(
        x=[plain_text(group) for group in boxes["group"]],
        lowerfence=boxes["lower_whisker"],
        q1=boxes["q1"],
        median=boxes["median"],
        q3=boxes["q3"],
        upperfence=boxes["upper_whisker"],
        name=legend_name(look.text),
        line={"color": look.colour, "width": 2},
        fillcolor=look.tint,
        whiskerwidth=0.5,
    )
