"""A chart as a picture that can be shown: title, whole legend, light ground, twice the pixels."""

import shutil
from functools import cache
from html import unescape
from importlib.util import find_spec
from typing import Final

import plotly.graph_objects as go
import plotly.io

from frem_core.errors import ConfigError
from frem_core.figures.layout import wrapped_text
from frem_core.figures.looks import INK, INK_ON_DARK
from frem_core.figures.plain_text import plain_text

FORMATS: Final = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}
_WIDTH, _SCALE = 1000, 2
_TITLE_CHARACTERS, _LINE = 84, 26
_LEGEND_WIDTH, _CHARACTER, _SYMBOL = 880, 8, 44  # pixels
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@cache
def can_draw_pictures() -> bool:
    """Whether this machine has what draws them: kaleido and a Chromium or Chrome."""
    return find_spec("kaleido") is not None and any(map(shutil.which, _BROWSERS))


def picture(figure: go.Figure, *, title: str, kind: str = "png") -> bytes:
    """Draws a figure for slides and papers, whatever theme its page has.

    Args:
        figure: from :mod:`frem_core.figures`; it stays as it is.
        title: stands above the chart; shown as text.
        kind: ``"png"``, ``"svg"`` or ``"pdf"``.

    Raises:
        ConfigError: another kind, or nothing here can draw.
    """
    if kind not in FORMATS:
        raise ConfigError(f"A chart is saved as {', '.join(FORMATS)}, not as {kind!r}.")
    if not can_draw_pictures():
        raise ConfigError(
            "Pictures are drawn by kaleido with a Chromium or Chrome; install both, or save the "
            "chart from its toolbar."
        )
    return bytes(presentable(figure, title=title).to_image(format=kind, scale=_SCALE))


def presentable(figure: go.Figure, *, title: str) -> go.Figure:
    """The figure on white with its title; what was light ink on dark ground is black again."""
    shown = plotly.io.from_json(figure.to_json().replace(INK_ON_DARK, INK))
    lines = wrapped_text(plain_text(title, longest=None), _TITLE_CHARACTERS).count("<br>") + 1
    names = [one.name for one in shown.data if one.name and one.showlegend is not False]
    legend = _legend_height(names) if shown.layout.showlegend else 0
    top = _LINE * lines + legend + 34
    height = (shown.layout.height or 450) + top
    return shown.update_layout(
        template="plotly_white",
        width=_WIDTH,
        height=height,
        margin={"t": top, "l": 80, "r": 40, "b": 70},
        title={
            "text": wrapped_text(plain_text(title, longest=None), _TITLE_CHARACTERS),
            "x": 0.02,
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 18},
            "font": {"size": 19},
        },
        paper_bgcolor="#FFFFFF",
        plot_bgcolor="#FFFFFF",
        font={"color": "#14262B", "size": 14},
    )


def _legend_height(names: list[str]) -> int:
    """Room for a legend whose entries stand beside each other, each as wide as the widest."""
    lines = [name.split("<br>") for name in names]
    widest = max((len(unescape(line)) for entry in lines for line in entry), default=0)
    beside = max(1, _LEGEND_WIDTH // (_CHARACTER * widest + _SYMBOL))
    return _LINE * max(map(len, lines), default=1) * -(-len(names) // beside)
