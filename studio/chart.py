"""A chart with its table and its downloads.

Pictures with title and legend are drawn by the server. Where it cannot draw (no Chromium beside
it), the viewer's browser saves what it shows: the button for that presses the one in the chart's
own toolbar, which shows itself to a mouse alone.

Many viewers look at the same charts, and live ones again and again: to build a figure takes tens
of milliseconds, to know that it is the one from before takes one (`kept`).
"""

import hashlib
import pickle
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from frem_core.figures import spreadsheet_csv
from frem_core.figures.picture import FORMATS, can_draw_pictures, picture
from studio.crowd.pace import in_good_time

P = ParamSpec("P")
T = TypeVar("T")

_MOST: Final = 96
_MOST_BYTES: Final = 20_000_000  # of what the results were made from; they are about as large
_LARGEST: Final = 2_000_000
_MANY, _SLOWER = 100, 2.5  # runs
_lock: Final = threading.Lock()
_results: Final[OrderedDict[bytes, tuple[int, Any]]] = OrderedDict()

_TOOLBAR = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "png", "scale": 2},
}
_HTML = """<button type="button"><svg viewBox="0 -960 960 960" aria-hidden="true"><path
d="M480-320 280-520l56-58 104 104v-326h80v326l104-104 56 58-200 200ZM240-160q-33
0-56.500-23.500T160-240v-120h80v120h480v-120h80v120q0 33-23.500 56.500T720-160H240Z"/></svg>
Download chart as PNG</button>"""
_CSS = """button { display: inline-flex; align-items: center; gap: 0.5rem; cursor: pointer;
  min-height: 2.5rem; padding: 0.25rem 0.75rem; font-family: var(--st-font);
  font-size: 0.875rem; color: var(--st-text-color);
  background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius); white-space: nowrap; }
button:hover, button:focus-visible { color: var(--st-link-color);
  border-color: var(--st-link-color); outline: none; }
svg { width: 1.05rem; height: 1.05rem; fill: currentColor; }"""
_JS = """export default function ({ parentElement, data }) {
  parentElement.querySelector("button").onclick = () => document.querySelector(
    `.st-key-${CSS.escape(data.chart)} .modebar-btn[data-title^="Download plot"]`)?.click();
}"""
_BUTTON = st.components.v2.component("studio-picture", html=_HTML, css=_CSS, js=_JS)


def chart(
    figure: go.Figure,
    table: pd.DataFrame,
    *,
    key: str,
    alt: str,
    file_name: str,
    selectable: bool = False,
) -> list[dict[str, Any]]:
    """Shows a figure; the numbers behind it are one click away, and CSV, PNG and HTML to keep.

    Args:
        figure: what to draw, from ``frem_core.figures``.
        table: the numbers it was drawn from.
        key: unique on the page.
        alt: what a reader who cannot see the chart should know: what it shows and its main point.
        file_name: of the download, without ending.
        selectable: whether a click on a point selects it and reruns the page (or fragment).

    Returns:
        The selected points as Plotly describes them (``customdata`` included); empty without any.
    """
    config = {**_TOOLBAR, "toImageButtonOptions": {"filename": file_name, "scale": 2}}
    selected: list[dict[str, Any]] = []
    if selectable:
        event = st.plotly_chart(
            figure, key=key, alt=alt, config=config, on_select="rerun", selection_mode="points"
        )
        selected = list(event["selection"]["points"])
    else:
        st.plotly_chart(figure, key=key, alt=alt, config=config)
    with st.expander("Table and downloads", icon=":material/table:", key=f"{key}-table"):
        st.dataframe(table, hide_index=True, placeholder="–", alt=f"Numbers behind: {alt}")
        with st.container(horizontal=True):
            st.download_button(
                "Download as CSV",
                data=lambda: spreadsheet_csv(table),
                file_name=f"{file_name}.csv",
                mime="text/csv",
                key=f"{key}-csv",
                on_click="ignore",
                icon=":material/download:",
            )
            if can_draw_pictures():
                for kind, mime in FORMATS.items():
                    _offer_drawn(figure, kind, mime, title=alt, key=key, file_name=file_name)
            else:
                offer_picture(key)
            st.download_button(
                "Download chart as HTML",
                data=lambda: figure.to_html(include_plotlyjs=True, full_html=True),
                file_name=f"{file_name}.html",
                mime="text/html",
                key=f"{key}-html",
                on_click="ignore",
                icon=":material/download:",
            )
    return selected


def _offer_drawn(
    figure: go.Figure, kind: str, mime: str, *, title: str, key: str, file_name: str
) -> None:
    st.download_button(
        f"Download chart as {kind.upper()}",
        data=lambda: picture(figure, title=_heading(title), kind=kind),
        file_name=f"{file_name}.{kind}",
        mime=mime,
        key=f"{key}-{kind}",
        on_click="ignore",
        icon=":material/download:",
        help="With its title and whole legend, on white, for slides and papers.",
    )


def _heading(alt: str) -> str:
    """What a chart shows: the first sentence of its description."""
    return re.split(r"(?<=\S)[.;:](?=\s|$)", alt, maxsplit=1)[0]


def offer_picture(chart: str) -> None:
    """Draws the button for the chart with this key."""
    _BUTTON(data={"chart": chart}, key=f"{chart}-png", width="content", height="content")


def kept(make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls a function, or returns what it gave for the same arguments before.

    All viewers share the result, so it must not be changed in place.

    Args:
        make: a function of a module whose result depends on its arguments alone.
        args: compared by what they hold, tables and arrays too.
        kwargs: the same.
    """
    content = pickle.dumps((make.__module__, make.__qualname__, args, kwargs), protocol=5)
    key = hashlib.blake2b(content, digest_size=16).digest()
    with _lock:
        if key in _results:
            _results.move_to_end(key)
            known: T = _results[key][1]
            return known
    result = make(*args, **kwargs)
    if len(content) > _LARGEST:
        return result
    with _lock:
        _results[key] = (len(content), result)
        while len(_results) > _MOST or sum(size for size, _ in _results.values()) > _MOST_BYTES:
            _results.popitem(last=False)
    return result


def forget_kept() -> None:
    """Lets go of everything, after somebody's data was deleted."""
    with _lock:
        _results.clear()


def charts_every(seconds: float, runs: int) -> float:
    """After how many seconds live charts are drawn again: of many runs, one more changes little.

    Args:
        seconds: for a sweep of few runs.
        runs: how many it has.
    """
    return in_good_time(seconds if runs <= _MANY else _SLOWER * seconds)
