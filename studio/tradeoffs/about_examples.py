"""Says of examples that they are examples, and how they were made."""

import streamlit as st

from frem_core.library import about_example
from studio.store import is_example


def show_about_examples(sweeps: list[str]) -> None:
    """Draws one note for each of the sweeps that came with the program."""
    for sweep in filter(is_example, sweeps):
        st.info(about_example(sweep).sentence, icon=":material/library_books:")
