"""Which sweep a viewer has open, kept in the address."""

from typing import Final

import streamlit as st

from frem_core.sweeps import SweepSpec
from studio.choice import Choice, choose
from studio.store import runs_table, store_of, sweeps_table
from studio.tables import the_tables

SWEEP: Final = "sweep"
RUN: Final = "run"
_MEMORY: Final = "train-open"


def open_sweep(sweep: str) -> None:
    """Puts a sweep into the address; what was open of another one is closed."""
    forget_tables()
    st.query_params.pop(RUN, None)
    st.query_params[SWEEP] = sweep


def opened_sweep(choice: Choice | None, *, came_by_menu: bool) -> str | None:
    """The sweep in the address; who comes back by the menu finds the one left open.

    Args:
        choice: the dataset now; with another one than before, a new sweep is to be planned.
        came_by_menu: whether the address was empty.
    """
    left_open: tuple[str, Choice | None] | None = st.session_state.get(_MEMORY)
    if came_by_menu and left_open is not None and left_open[1] == choice:
        st.query_params[SWEEP] = left_open[0]
    sweep: str | None = st.query_params.get(SWEEP)
    if sweep is not None:
        st.session_state[_MEMORY] = (sweep, choice)
    return sweep


def close_sweep() -> None:
    """Takes the sweep out of the address, so that a new one can be planned."""
    st.session_state.pop(_MEMORY, None)
    for name in (SWEEP, RUN):
        st.query_params.pop(name, None)


def plan_like(sweep: str) -> None:
    """Closes a sweep and goes on with its dataset, for a viewer who has chosen none."""
    close_sweep()
    if "dataset" in st.query_params:
        return
    spec = SweepSpec.from_toml(store_of(sweep).sweeps.spec(sweep))
    data = spec.dataset
    if data.table is not None:
        data = data.with_left_out(the_tables().column_names(data.table))
    choose(Choice(data, spec.fairness))


def forget_tables() -> None:
    """Makes the next look at the store a fresh one, after something was changed in it."""
    runs_table.clear()
    sweeps_table.clear()
