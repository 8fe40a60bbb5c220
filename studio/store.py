"""The stores of sweeps and runs, as pages read them: the user's own, and the examples."""

import os
from dataclasses import dataclass
from functools import cache

import pandas as pd
import streamlit as st

from frem_core.figures.run_titles import run_names
from frem_core.library import about_example, available_examples, open_library
from frem_core.store import Store, StoreError, open_store_to_read
from frem_core.sweeps.search import open_searches
from studio.crowd.shared import Shared, forget_shared
from studio.people import the_person


@st.cache_resource(show_spinner=False)
def the_store() -> Store:
    """The user's store, opened once for all viewers; only to look at where it is read-only."""
    return open_store_to_read()


@st.cache_resource(show_spinner=False)
def the_library() -> Store:
    """The examples that come with the program: read like a store, never written to."""
    return open_library()


def sweeps_table() -> pd.DataFrame:
    """All sweeps the viewer may see, newest first, with the number of runs in each state."""
    hidden = hidden_sweeps()
    sweeps = everybodys_sweeps()
    if hidden:
        return sweeps[~sweeps["id"].isin(hidden)].reset_index(drop=True)
    return sweeps.copy(deep=False)  # whoever changes it changes their own


def is_live(chosen: list[str]) -> bool:
    """Whether any run of the sweeps is still to come."""
    sweeps = sweeps_table()
    own = sweeps[sweeps["id"].isin(chosen)]
    if (own["queued"] + own["running"]).sum() > 0:
        return True
    return any(sweep in chosen for sweep in runs_to_choose())


@Shared
def everybodys_sweeps() -> pd.DataFrame:
    """All sweeps, also those that the viewer may not see; nobody may change the table."""
    return the_store().sweeps.frame()


@Shared
def runs_to_choose() -> dict[str, int]:
    """How many runs each search has still to add to its sweep; only searches that go on."""
    return {one.sweep: one.missing for one in open_searches(the_store())}


def hidden_sweeps() -> frozenset[str]:
    """The sweeps that the viewer may not see: those about tables that others keep to themselves."""
    person = the_person()
    if person.name is None or person.is_administrator:
        return frozenset()
    return _hidden_from(person.name)


@Shared
def _hidden_from(person: str) -> frozenset[str]:
    return frozenset(the_store().owners.hidden_sweeps(person))


def forget_sweeps() -> None:
    """Makes the next look at the store a fresh one, after something was changed in it."""
    forget_shared()


def close_store() -> None:
    """Lets go of the store, so that the next look opens the one that is set up then."""
    the_store.clear()
    forget_sweeps()


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


def runs_table(sweep: str) -> pd.DataFrame:
    """The runs of one sweep in its order, each with what it is to be compared with."""
    return _seen(sweep).table.copy(deep=False)  # whoever changes it changes their own


def names_of(sweep: str) -> dict[str, str]:
    """The titles of all runs of a sweep by their ids, in its order."""
    return dict(_seen(sweep).names)


@dataclass(frozen=True)
class _Seen:
    """The runs of a sweep as they were a moment ago, and their titles."""

    table: pd.DataFrame
    names: dict[str, str]


def _seen(sweep: str) -> _Seen:
    store_of(sweep)  # what is kept for all viewers is not for all to see
    if is_example(sweep):
        return _seen_example(sweep)
    # A page that has seen the end of a sweep draws it for the last time: with all runs ended.
    return _seen_now(sweep, is_live([sweep]))


@cache  # examples never change
def _seen_example(sweep: str) -> _Seen:
    return _read_runs(sweep)


@Shared
def _seen_now(sweep: str, _is_live: bool) -> _Seen:
    return _read_runs(sweep)


def _read_runs(sweep: str) -> _Seen:
    runs = _runs(sweep)
    return _Seen(runs, _names(tuple(runs["id"]), runs))


@st.cache_resource(max_entries=64, show_spinner=False)  # a run's name never changes
def _names(ids: tuple[str, ...], _runs: pd.DataFrame) -> dict[str, str]:
    return run_names(_runs)


def _runs(sweep: str) -> pd.DataFrame:
    runs = store_of(sweep).runs.frame(sweep)
    known = runs.filter(like="facts.constant.test.").notna().any(axis=1)
    lacking = tuple(runs.loc[(runs["state"] == "done") & ~known, "id"])
    return runs.combine_first(_earlier(sweep, lacking, runs)) if lacking else runs


@st.cache_data(max_entries=64, show_spinner=False)  # finished runs never change
def _earlier(sweep: str, lacking: tuple[str, ...], _runs: pd.DataFrame) -> pd.DataFrame:
    from frem_core.sweeps.baselines import earlier_baselines  # torch comes with it

    return earlier_baselines(store_of(sweep), _runs)


def is_example(sweep: str) -> bool:
    """Whether a sweep came with the program."""
    return sweep in available_examples()


def show_about_examples(sweeps: list[str]) -> None:
    """Draws one note for each of the sweeps that came with the program."""
    for sweep in filter(is_example, sweeps):
        st.info(about_example(sweep).sentence, icon=":material/library_books:")


def store_of(sweep: str) -> Store:
    """The store that holds a sweep.

    Raises:
        StoreError: the viewer may not see it; the words are those for one that is not there.
    """
    if is_example(sweep):
        return the_library()
    if sweep in hidden_sweeps():
        raise StoreError(f"There is no sweep '{sweep}'; it may have been deleted.")
    return the_store()


def has_files(sweep: str, run: str) -> bool:
    """Whether predictions and the like can be read; only examples come without, to be small."""
    return not is_example(sweep) or run in _with_files(sweep)


@cache  # examples never change, and every point of a chart asks
def _with_files(sweep: str) -> frozenset[str]:
    files = store_of(sweep).artefacts
    runs = runs_table(sweep)["id"]
    return frozenset(str(run) for run in runs if "representations" in files.of_run(run))
