"""A sweep as a TOML text: one that was pasted or uploaded, and one to take along."""

import re
from typing import Final

import streamlit as st

from frem_core.errors import ConfigError
from frem_core.store.tables import Tables
from frem_core.sweeps import SweepSpec
from frem_core.sweeps.portable import needs_tables, portable_file

_LARGEST_FILE_MB: Final = 1
_EXAMPLE: Final = """name = "Crime, a first look"
seeds = [0, 1]

[dataset]
name = "crime"

[training]
epochs = 20

[[methods]]
method = "frem"
fairness_weights = [0.03, 0.1, 0.3]

[[methods]]
method = "unfair"
"""
_LONGEST_FILE_NAME: Final = 60
_ABOUT_FILE: Final = (
    "The file says everything that determines the runs. Anyone gets the same sweep from it, here "
    "or on the command line:"
)
_ABOUT_ZIP: Final = (
    "The text below says everything that determines the runs. It names your table by the id it has "
    "here, so it is for this computer. The download is for any other one too: a zip with the table "
    "and a text that names its file. Unpacked, the command line trains the same sweep:"
)


def show_spec_file() -> SweepSpec | None:
    """Draws the upload and the text field; returns the sweep, or None while there is no text.

    Raises:
        ConfigError: the text describes no sweep; the message says where and what is allowed.
    """
    upload = st.file_uploader(
        "TOML file of a sweep", type=["toml"], max_upload_size=_LARGEST_FILE_MB, key="spec-upload"
    )
    typed = st.text_area(
        "Or paste its text",
        height=260,
        key="spec-text",
        placeholder=_EXAMPLE,
        disabled=upload is not None,
        persist_state="session",
    )
    text = _decoded(upload.getvalue()) if upload is not None else (typed or "")
    if not text.strip():
        st.caption("Every sweep on this page offers its file for download.")
        return None
    spec = SweepSpec.from_toml(text)
    file = spec.dataset.path or spec.dataset.edges
    if file is not None:
        # Whoever reaches this page could read any file of the machine through it.
        raise ConfigError(
            f"[dataset] names the file '{file}'. Files are read by the command line "
            "only (frem sweep); here, upload the table on the Data page and give its id as table."
        )
    return spec


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError("This is not a TOML file: it is no UTF-8 text.") from error


def show_spec(text: str, tables: Tables, *, name: str, key: str) -> None:
    """Draws the TOML of a sweep on demand, its download and the command that replays it.

    Args:
        text: the TOML.
        tables: what it may refer to; the download then holds a copy.
        name: of the sweep; the file is named after it.
        key: unique on the page.
    """
    stem = _file_stem(name)
    zipped = needs_tables(text)
    with st.expander("This sweep as a file, and how to repeat it", icon=":material/code:", key=key):
        st.markdown(_ABOUT_ZIP if zipped else _ABOUT_FILE)
        st.code(f"frem sweep {stem}.toml --watch", language="bash")
        st.code(text, language="toml")
        st.download_button(
            "Download file and table" if zipped else "Download the file",
            data=lambda: portable_file(text, tables, name=f"{stem}.toml"),
            file_name=f"{stem}.{'zip' if zipped else 'toml'}",
            mime="application/zip" if zipped else "application/toml",
            key=f"{key}-download",
            on_click="ignore",
            icon=":material/download:",
        )


def _file_stem(name: str) -> str:
    """A file name that needs no quotes in any shell."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return plain[:_LONGEST_FILE_NAME].strip("-") or "sweep"
