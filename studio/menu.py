"""The menu in the sidebar, made from the files in ``pages/``."""

import re
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

_ROOT = Path(__file__).resolve().parents[1]
_NUMBER = re.compile(r"^\d+[_ -]*")


def menu_entries(root: Path = _ROOT) -> list[tuple[str, str]]:
    """Script and label of each page in menu order: the Start page, then ``pages/`` by number."""
    scripts = sorted((root / "pages").glob("[!_]*.py"), key=_order)
    return [("app.py", "Start")] + [(f"pages/{script.name}", _label(script)) for script in scripts]


def show_menu() -> None:
    """Draws the menu; a page that is run on its own, without app.py, goes without."""
    with st.sidebar:
        st.markdown("**FREM Studio**")
        for script, label in menu_entries():
            try:
                st.page_link(script, label=label)
            except StreamlitPageNotFoundError:
                return


def _order(script: Path) -> tuple[int, str]:
    number = re.match(r"\d+", script.stem)
    return (int(number.group()) if number else 10**6, script.stem)


def _label(script: Path) -> str:
    return _NUMBER.sub("", script.stem).replace("_", " ")
