"""The one click that has a run trained once more, because a file of it is lost."""

import streamlit as st

from frem_core.sweeps import ensure_engine
from studio.rights import check_author, may_author
from studio.store import forget_sweeps, the_store


def offer_to_make_again(run: str) -> None:
    """Draws the button, for runs of the user's own store; the new result replaces the old one."""
    if not may_author() or not the_store().runs.states([run]):
        return
    st.button(
        "Train this run once more",
        key=f"make_again_{run}",
        icon=":material/refresh:",
        on_click=_make_again,
        args=(run,),
    )


def _make_again(run: str) -> None:
    check_author()
    store = the_store()
    store.runs.make_again([run])
    ensure_engine(store)
    forget_sweeps()
    st.toast("The run waits for training; its files are there when it is done.")
