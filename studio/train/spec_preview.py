"""A sweep as the text that replays it, with the command for it."""

import re

import streamlit as st

_LONGEST_FILE_NAME = 60


def show_spec(text: str, *, name: str, key: str) -> None:
    """Draws the TOML of a sweep on demand, its download and the command that replays it.

    Args:
        text: the TOML.
        name: of the sweep; the file is named after it.
        key: unique on the page.
    """
    file_name = f"{_file_stem(name)}.toml"
    with st.expander("This sweep as a file, and how to repeat it", icon=":material/code:", key=key):
        st.markdown(
            "The file says everything that determines the runs. Anyone with the same data gets "
            "the same sweep from it, here or on the command line:"
        )
        st.code(f"frem sweep {file_name} --watch", language="bash")
        st.code(text, language="toml")
        st.download_button(
            "Download the file",
            data=text,
            file_name=file_name,
            mime="application/toml",
            key=f"{key}-download",
            on_click="ignore",
            icon=":material/download:",
        )


def _file_stem(name: str) -> str:
    """A file name that needs no quotes in any shell."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return plain[:_LONGEST_FILE_NAME].strip("-") or "sweep"
