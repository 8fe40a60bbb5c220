"""The look all figures share."""

import re
from html import unescape

import pandas as pd
import plotly.graph_objects as go

_X_LINE = 46  # characters of a title along x that a telephone has room for
# Along y a title has the height of the plot: what is left of a chart between legend and x axis.
_AROUND_PLOT, _CHARACTER = 110, 7.6  # pixels
_SHORTEST_LINE, _MOST_LINES = 20, 3
# Two lines of this in a legend leave room for its symbol on a telephone.
_LEGEND_LINE, _LEGEND_LINES = 30, 2
_CHARACTERS = re.compile(r"&#?\w+;|.", re.DOTALL)


def wrapped_text(text: str, characters: int, most: int | None = None) -> str:
    """Breaks a label into lines of like length; entities count as the one character they show.

    A word that is longer than a line is cut. What does not fit into ``most`` lines ends in an
    ellipsis: the full name then stands in the caption or heading of the chart.

    >>> wrapped_text("one two three", 8)
    'one two<br>three'
    >>> wrapped_text("https&#58;//example.org", 10, most=2)
    'https&#58;//ex<br>ample.org'
    >>> wrapped_text("one two three four", 8, most=2)
    'one two<br>three …'
    """
    lines = _lines(text, characters)
    if most is not None and len(lines) > most:
        return "<br>".join([*lines[: most - 1], f"{lines[most - 1]} …"])
    # As few lines, but none of a single word below a full one.
    word = min(characters, max(len(unescape(one)) for one in text.split(" ")) or 1)
    narrowest = next(
        width for width in range(word, characters + 1) if len(_lines(text, width)) <= len(lines)
    )
    return "<br>".join(_lines(text, narrowest))


def legend_name(title: str) -> str:
    """The name of a series in a legend: long ones wrap, then end in an ellipsis.

    The full one belongs into the hover text: ``<extra>{title}</extra>``.

    Args:
        title: already encoded.

    >>> legend_name("FREM, λ 0.1")
    'FREM, λ 0.1'
    >>> legend_name("FREM, ΔHGR ≤ 50 % of unfair (λ 2.13)")
    'FREM, ΔHGR ≤ 50 %<br>of unfair (λ 2.13)'
    """
    return wrapped_text(title, _LEGEND_LINE, _LEGEND_LINES)


def _lines(text: str, characters: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in (part for whole in text.split(" ") for part in _cut(whole, characters)):
        longer = f"{line} {word}".strip()
        if line and len(unescape(longer)) > characters:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def _cut(word: str, characters: int) -> list[str]:
    shown = _CHARACTERS.findall(word)
    starts = range(0, len(shown), characters)
    return ["".join(shown[start : start + characters]) for start in starts] or [""]


def _y_line(height: int) -> int:
    return max(_SHORTEST_LINE, int((height - _AROUND_PLOT) / _CHARACTER))


def lay_out(
    figure: go.Figure, *, x_title: str, y_title: str, height: int = 360, legend: bool = False
) -> go.Figure:
    """Gives a figure its axis titles, margins and fonts; colours come from the page's theme.

    Args:
        figure: changed in place.
        x_title: what runs along x, with its unit or the direction that is better.
        y_title: the same for y.
        height: in pixels.
        legend: whether several series need names.

    Returns:
        The same figure.
    """
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 16, "t": 24, "b": 8},
        xaxis={
            "title": {"text": wrapped_text(x_title, _X_LINE, _MOST_LINES), "standoff": 12},
            "automargin": True,
        },
        yaxis={
            "title": {"text": wrapped_text(y_title, _y_line(height), _MOST_LINES), "standoff": 12},
            "automargin": True,
        },
        showlegend=legend,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
        hoverlabel={"align": "left", "namelength": -1},
        bargap=0.04,
        # A constant revision keeps the reader's zoom when the same chart is drawn again.
        uirevision="keep",
    )


def interval_bars(table: pd.DataFrame) -> dict[str, object]:
    """Error bars from ``low`` to ``high`` around ``mean``."""
    return {
        "type": "data",
        "symmetric": False,
        "array": table["high"] - table["mean"],
        "arrayminus": table["mean"] - table["low"],
        "thickness": 1.5,
        "width": 5,
    }
