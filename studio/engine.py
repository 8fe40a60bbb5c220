"""Looks after the engine for the pages that wait for runs."""

import streamlit as st

from frem_core.sweeps import ensure_engine
from studio.store import the_store


def keep_engine() -> None:
    """Replaces an engine that died; every page calls this while it waits for runs."""
    _look_after(the_store().where)


# Several viewers wait for the same engine; a look every few seconds is enough for all of them.
@st.cache_data(ttl=5, max_entries=8, show_spinner=False)
def _look_after(where: str) -> None:
    del where  # only tells stores apart
    ensure_engine(the_store())
