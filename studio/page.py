"""The frame around every page."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

import frem_core
from studio.address import note_page
from studio.guard import guard
from studio.menu import show_menu

_SIDEBAR_WIDTH = 220
# Drawn here: Streamlit would fetch a named icon from a server on the internet.
_ICON = (
    '<svg viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#007580"/>'
    '<path d="M5 22C10 22 11 9 16 9s6 13 11 13M5 16h22" fill="none" stroke="#fff" '
    'stroke-width="2.6" stroke-linecap="round"/></svg>'
)
# Wide tables and charts need the width, running text does not.
_STYLE = """<style>
[data-testid="stMainBlockContainer"] { max-width: 1280px; padding: 3rem 2.5rem 4rem; }
[data-testid="stMainBlockContainer"] p { max-width: 78ch; }
/* The primary colour is made to carry white text; as text itself it is too dim on dark ground. */
[data-testid="stTab"][aria-selected="true"], [data-testid="stSliderThumbValue"],
[data-testid="stButtonGroup"] :is([aria-checked="true"], [aria-pressed="true"]) {
  color: inherit; font-weight: 600; }
[data-testid="stButtonGroup"] [aria-checked="true"] { color: inherit !important; }
/* Streamlit's grey for captions, axes and legends is fainter than 4.5:1. */
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] p {
  color: inherit; opacity: 0.92; }
.js-plotly-plot :is([class*="tick"], [class$="title"], .annotation, .legend, .bars) text,
.js-plotly-plot .heatmaplayer text { fill: currentColor !important; }
</style>"""


@contextmanager
def page(title: str, *, lead: str = "") -> Iterator[None]:
    """Sets a page up and guards it; the whole script of a page stands inside this block.

    Args:
        title: heading and name of the browser tab.
        lead: one to three sentences below the heading.

    Example::

        with page("Estimator lab", lead="Compare estimators where the truth is known."):
            …
    """
    st.set_page_config(
        page_title=title if title == "FREM Studio" else f"{title} · FREM Studio",
        page_icon=_ICON,
        layout="wide",
        initial_sidebar_state=_SIDEBAR_WIDTH,
        # An entry of our own keeps the menu that also holds the choice of light or dark.
        menu_items={"About": f"FREM Studio {frem_core.__version__}"},
    )
    note_page(title)
    st.html(_STYLE)
    show_menu()
    st.sidebar.caption(f"Version {frem_core.__version__}")
    with guard():
        st.title(title, anchor=False)
        if lead:
            st.markdown(lead)
        yield
