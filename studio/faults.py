"""What is wrong with the store or the engine, at the top of every page."""

import os

import streamlit as st

from frem_core.errors import FremError
from frem_core.figures import plain_text
from frem_core.store import ReadOnlyStore
from frem_core.watching.faults import faults_of
from studio.store import the_store

_TOLD = "faults_told"


def show_faults() -> None:
    """Draws one sentence with its remedy for everything that is wrong now."""
    try:
        sentences = _faults(the_store().where)
    except FremError as error:  # the store cannot even be opened
        sentences = (str(error),)
    st.session_state[_TOLD] = sentences
    for sentence in sentences:
        st.error(plain_text(sentence, longest=None), icon=":material/report:")


def is_told(error: FremError) -> bool:
    """Whether this very sentence stands at the top of the page already."""
    return str(error) in st.session_state.get(_TOLD, ())


# Everybody sees the same faults, and a look costs a few queries.
@st.cache_data(ttl=5, max_entries=8, show_spinner=False)
def _faults(where: str) -> tuple[str, ...]:
    del where  # only tells stores apart
    store = the_store()
    if isinstance(store, ReadOnlyStore) and os.access(store.folder, os.W_OK):
        the_store.clear()  # it can be written to again
        store = the_store()
    return tuple(fault.sentence for fault in faults_of(store))
