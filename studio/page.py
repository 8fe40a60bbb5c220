"""The frame around every page."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

import frem_core
from studio.address import note_page
from studio.guard import guard
from studio.menu import ICON, show_menu
from studio.style import show_style

_SIDEBAR_WIDTH = 230


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
        page_icon=ICON,
        layout="wide",
        initial_sidebar_state=_SIDEBAR_WIDTH,
        # An entry of our own keeps the menu that also holds the choice of light or dark.
        menu_items={"About": f"FREM Studio {frem_core.__version__}"},
    )
    note_page(title)
    show_style()
    show_menu()
    st.sidebar.caption(f"Version {frem_core.__version__}")
    with guard():
        st.title(title, anchor=False)
        if lead:
            st.markdown(lead)
        yield
