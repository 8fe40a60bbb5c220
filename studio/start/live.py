"""The Start page, which follows what is being trained."""

from typing import Final

import streamlit as st

from frem_core.sweeps import engine_state
from studio.engine import keep_engine
from studio.guard import guard
from studio.start.example import find_example, show_example
from studio.start.examples import show_examples
from studio.start.picture import show_picture
from studio.start.recent import show_recent_sweeps
from studio.start.welcome import show_welcome
from studio.store import sweeps_table, the_store
from studio.style import keep_steady
from studio.train.engine_words import engine_words

_EVERY: Final = 2.0


def show_live() -> None:
    """Draws the page; while something trains it redraws itself."""
    every = _EVERY if _is_training() else None
    if every is not None:
        keep_steady()
    st.fragment(_draw, run_every=every)(every is not None)


@guard()
def _draw(is_timed: bool) -> None:
    is_training = _is_training()
    if is_timed != is_training:
        st.rerun()  # as a whole, to start or end the timer
    if is_training:
        keep_engine()
    words, picture = st.columns([1, 1], gap="large")
    with words:
        show_welcome()
        show_example(find_example())
    with picture:
        show_picture()
    # Until there is something of one's own, what came with the program is the better start.
    parts = [show_recent_sweeps, show_examples]
    for show in reversed(parts) if sweeps_table().empty else parts:
        show()
    st.caption(engine_words(engine_state(the_store()), is_needed=is_training))


def _is_training() -> bool:
    sweeps = sweeps_table()
    return bool((sweeps["queued"] + sweeps["running"]).sum() > 0)
