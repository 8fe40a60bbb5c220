"""The sweeps so far, newest first, each one click away."""

from datetime import UTC, datetime
from itertools import islice
from typing import Final

import streamlit as st

from frem_core.figures import plain_text
from frem_core.store import RunState
from studio.train.opened import open_sweep
from studio.train.sweep_state import SweepState, all_sweeps

_MOST: Final = 8


def show_sweep_list() -> None:
    """Draws the newest sweeps with their state; nothing when there are none."""
    sweeps = all_sweeps()
    if not sweeps:
        return
    with st.expander(
        f"Sweeps so far ({len(sweeps):,})", icon=":material/history:", key="sweep-list"
    ):
        for sweep, state in islice(sweeps.items(), _MOST):
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
        if len(sweeps) > _MOST:
            st.caption(f"{len(sweeps) - _MOST:,} older ones: `frem status` lists them all.")


def moment_words(seconds: float) -> str:
    """A moment of the store's clock, e.g. "16 Nov 2026, 06:03 UTC"."""
    return f"{datetime.fromtimestamp(seconds, UTC):%-d %b %Y, %H:%M} UTC"


def _state_words(state: SweepState) -> str:
    if state.is_live:
        return f"training, {state.progress:.0%}"
    parts = [f"{state.counts[RunState.DONE]:,} of {state.total:,} runs done"]
    parts += [
        f"{state.counts[one]:,} {one.value}"
        for one in (RunState.FAILED, RunState.CANCELLED)
        if state.counts[one]
    ]
    return ", ".join(parts)
