"""The menu in the sidebar, made from the files in ``pages/``."""

import base64
import re
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

_ROOT = Path(__file__).resolve().parents[1]
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
}


def menu_entries(root: Path = _ROOT) -> list[tuple[str, str]]:
    """Script and label of each page in menu order: the Start page, then ``pages/`` by number."""
    scripts = sorted((root / "pages").glob("[!_]*.py"), key=_order)
    return [("app.py", "Start")] + [(f"pages/{script.name}", _label(script)) for script in scripts]


def show_menu() -> None:
    """Draws the menu; a page that is run on its own, without app.py, goes without."""
    with st.sidebar:
        st.html(f'<div class="studio-name">{_PICTURE}<span>FREM Studio</span></div>')
        for script, label in menu_entries():
            try:
                st.page_link(script, label=label, icon=_ICONS.get(label))
            except StreamlitPageNotFoundError:
                return


def _order(script: Path) -> tuple[int, str]:
    number = re.match(r"\d+", script.stem)
    return (int(number.group()) if number else 10**6, script.stem)


def _label(script: Path) -> str:
    return _NUMBER.sub("", script.stem).replace("_", " ")
