"""The sweeps so far, how far each is, and which of them a viewer has open."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import streamlit as st

from frem_core.figures import plain_text
from frem_core.store import RunState
from frem_core.sweeps import SweepSpec
from frem_core.words import counted, per_cent
from studio.choice import Choice, choose
from studio.crowd.shared import Shared
from studio.store import (
    everybodys_sweeps,
    forget_sweeps,
    hidden_sweeps,
    runs_to_choose,
    store_of,
)
from studio.tables import the_tables
from studio.words import moment_words

SWEEP: Final = "sweep"
RUN: Final = "run"
_MEMORY: Final = "train-open"
_MOST_LISTED: Final = 8


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
    forget_sweeps()


@dataclass(frozen=True)
class SweepState:
    """One row of the table of sweeps.

    Attributes:
        name: what its owner called it.
        created_at: when it was queued, by the store's clock.
        counts: how many runs are in each state.
        progress: share of all epochs that is trained.
        missing: runs that a search will add.
        queued_by: who queued it; "" where nobody has to log in.
    """

    name: str
    created_at: float
    counts: Mapping[RunState, int]
    progress: float
    missing: int = 0
    queued_by: str = ""

    @property
    def is_live(self) -> bool:
        """Whether something is still to come."""
        return self.counts[RunState.QUEUED] + self.counts[RunState.RUNNING] + self.missing > 0

    @property
    def stopped(self) -> int:
        """How many runs ended without a result."""
        return self.counts[RunState.FAILED] + self.counts[RunState.CANCELLED]

    @property
    def total(self) -> int:
        """How many runs it will have."""
        return sum(self.counts.values()) + self.missing


def all_sweeps() -> dict[str, SweepState]:
    """The sweeps of the store by id, newest first."""
    hidden = hidden_sweeps()
    return {sweep: state for sweep, state in _states().items() if sweep not in hidden}


@Shared
def _states() -> dict[str, SweepState]:
    """Those of all viewers."""
    rows, to_choose = everybodys_sweeps().to_dict("records"), runs_to_choose()
    return {str(row["id"]): _state_of(row, to_choose.get(str(row["id"]), 0)) for row in rows}


def _state_of(row: Mapping[Hashable, Any], missing: int) -> SweepState:
    runs = int(row["runs"])
    return SweepState(
        name=str(row["name"]),
        created_at=float(row["created_at"]),
        counts={state: int(row[state.value]) for state in RunState},
        progress=min(float(row["progress"]), 1.0) * runs / max(runs + missing, 1),
        missing=missing,
        queued_by=row["queued_by"] if isinstance(row["queued_by"], str) else "",
    )


def sweep_state(sweep: str) -> SweepState | None:
    """The state of one sweep; None when the store holds no such sweep."""
    return all_sweeps().get(sweep)


def show_sweep_list() -> None:
    """Draws the newest sweeps with their state; nothing when there are none."""
    sweeps = all_sweeps()
    if not sweeps:
        return
    with st.expander(
        f"Sweeps so far ({len(sweeps):,})", icon=":material/history:", key="sweep-list"
    ):
        for sweep, state in islice(sweeps.items(), _MOST_LISTED):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    plain_text(state.name),
                    key=f"open-{sweep}",
                    type="tertiary",
                    help="Open this sweep",
                    on_click=open_sweep,
                    args=(sweep,),
                )
                st.caption(f"{_state_words(state)} · {moment_words(state.created_at)}")
        if len(sweeps) > _MOST_LISTED:
            st.caption(f"{len(sweeps) - _MOST_LISTED:,} older ones: `frem status` lists them all.")


def _state_words(state: SweepState) -> str:
    if state.is_live:
        return f"training, {per_cent(state.progress)}"
    parts = [f"{state.counts[RunState.DONE]:,} of {counted(state.total, 'run')} done"]
    parts += [
        f"{state.counts[one]:,} {one.value}"
        for one in (RunState.FAILED, RunState.CANCELLED)
        if state.counts[one]
    ]
    return ", ".join(parts)
