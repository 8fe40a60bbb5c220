"""The store of sweeps and runs, as pages read it."""

import pandas as pd
import streamlit as st

from frem_core.store import Store, open_store


@st.cache_resource(show_spinner=False)
def the_store() -> Store:
    """The user's store, opened once for all viewers of this server."""
    return open_store()


# Many viewers poll the same sweep; a second is soon enough for all of them.
@st.cache_data(ttl=1, max_entries=64, show_spinner=False)
def sweeps_table() -> pd.DataFrame:
    """All sweeps, newest first, with the number of runs in each state."""
    return the_store().sweeps.frame()


@st.cache_data(ttl=1, max_entries=64, show_spinner=False)
def runs_table(sweep: str) -> pd.DataFrame:
    """The runs of one sweep in its order."""
    return the_store().runs.frame(sweep)


def store_of(sweep: str) -> Store:
    """The store that holds a sweep."""
    del sweep
    return the_store()
