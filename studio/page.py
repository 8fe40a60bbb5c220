"""The frame around every page: title, guard, and the menu made from the files in ``pages/``."""

import base64
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

import frem_core
from studio.address import note_page
from studio.door import admit
from studio.faults import show_faults
from studio.guard import guard
from studio.here import show_way
from studio.people import the_person
from studio.style import show_style

_SIDEBAR_WIDTH = 230
_INSTALLED = Path(__file__).resolve().parent / "dashboard"
# The folder of app.py: the top of the repository, or inside an installed package.
_ROOT = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parents[1]
_NUMBER = re.compile(r"^\d+[_ -]*")
# Drawn here: Streamlit would fetch a named icon of a browser tab from a server on the internet.
ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="7" fill="#007580"/>'
    '<path d="M5 22C10 22 11 9 16 9s6 13 11 13M5 16h22" fill="none" stroke="#fff" '
    'stroke-width="2.6" stroke-linecap="round"/></svg>'
)
"""The sign of the program: a curve that is to become flat."""
# As an image, because Streamlit removes drawings from HTML.
_PICTURE: Final = (
    f'<img alt="" src="data:image/svg+xml;base64,{base64.b64encode(ICON.encode()).decode()}">'
)
_ICONS: Final = {
    "Start": ":material/home:",
    "Data": ":material/table_chart:",
    "Train": ":material/model_training:",
    "Trade-offs": ":material/scatter_plot:",
    "Compare": ":material/compare:",
    "Estimator lab": ":material/straighten:",
    "Ablations": ":material/science:",
    "Predict": ":material/online_prediction:",
    "Audit": ":material/fact_check:",
    "Health": ":material/monitor_heart:",
}
_FOR_ADMINISTRATORS: Final = ("Health",)


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
    show_style()
    admit()
    note_page(title)
    show_menu()
    show_way(title)
    st.sidebar.caption(f"Version {frem_core.__version__}")
    with guard():
        st.title(title, anchor=False)
        if lead:
            st.markdown(lead)
        show_faults()
        yield


def menu_entries(root: Path = _ROOT) -> list[tuple[str, str]]:
    """Script and label of each page in menu order: the Start page, then ``pages/`` by number."""
    scripts = sorted((root / "pages").glob("[!_]*.py"), key=_order)
    return [("app.py", "Start")] + [(f"pages/{script.name}", _label(script)) for script in scripts]


def show_menu() -> None:
    """Draws the menu; a page that is run on its own, without app.py, goes without."""
    with st.sidebar:
        st.html(f'<div class="studio-name">{_PICTURE}<span>FREM Studio</span></div>')
        for script, label in menu_entries():
            if label in _FOR_ADMINISTRATORS and not the_person().is_administrator:
                continue
            try:
                st.page_link(script, label=label, icon=_ICONS.get(label))
            except StreamlitPageNotFoundError:
                return


def _order(script: Path) -> tuple[int, str]:
    number = re.match(r"\d+", script.stem)
    return (int(number.group()) if number else 10**6, script.stem)


def _label(script: Path) -> str:
    return _NUMBER.sub("", script.stem).replace("_", " ")
