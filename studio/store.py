"""The stores of sweeps and runs, as pages read them: the user's own, and the examples."""

import os
from functools import cache

import pandas as pd
import streamlit as st

from frem_core.library import about_example, available_examples, open_library
from frem_core.store import Store, open_store


@st.cache_resource(show_spinner=False)
def the_store() -> Store:
    """The user's store, opened once for all viewers of this server."""
    return open_store()


@st.cache_resource(show_spinner=False)
def the_library() -> Store:
    """The examples that come with the program: read like a store, never written to."""
    return open_library()


# Many viewers poll the same sweep; a second is soon enough for all of them.
@st.cache_data(ttl=1, max_entries=64, show_spinner=False)
def sweeps_table() -> pd.DataFrame:
    """All sweeps of the user, newest first, with the number of runs in each state."""
    return the_store().sweeps.frame()


def sweeps_and_examples() -> pd.DataFrame:
    """The user's sweeps, newest first, and after them the examples; ``is_example`` tells.

    ``FREM_EXAMPLES=off`` leaves the examples out.
    """
    own = sweeps_table().assign(is_example=False)
    if os.environ.get("FREM_EXAMPLES", "").strip().lower() in ("0", "no", "off"):
        return own
    return _examples() if own.empty else pd.concat([own, _examples()], ignore_index=True)


@st.cache_data(show_spinner=False)  # they never change
def _examples() -> pd.DataFrame:
    return the_library().sweeps.frame().assign(is_example=True)


@st.cache_data(ttl=1, max_entries=64, show_spinner=False)
def runs_table(sweep: str) -> pd.DataFrame:
    """The runs of one sweep in its order."""
    return store_of(sweep).runs.frame(sweep)


def is_example(sweep: str) -> bool:
    """Whether a sweep came with the program."""
    return sweep in available_examples()


def show_about_examples(sweeps: list[str]) -> None:
    """Draws one note for each of the sweeps that came with the program."""
    for sweep in filter(is_example, sweeps):
        st.info(about_example(sweep).sentence, icon=":material/library_books:")


def store_of(sweep: str) -> Store:
    """The store that holds a sweep."""
    return the_library() if is_example(sweep) else the_store()


def has_files(sweep: str, run: str) -> bool:
    """Whether predictions and the like can be read; only examples come without, to be small."""
    return not is_example(sweep) or run in _with_files(sweep)


@cache  # examples never change, and every point of a chart asks
def _with_files(sweep: str) -> frozenset[str]:
    files = store_of(sweep).artefacts
    runs = runs_table(sweep)["id"]
    return frozenset(str(run) for run in runs if "representations" in files.of_run(run))
