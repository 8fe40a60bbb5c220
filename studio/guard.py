"""Turns every failure of a page into one readable message, with the remedy where there is one."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from frem_core.errors import FremError
from frem_core.figures import plain_text
from frem_core.store import DamagedFileError
from frem_core.sweeps import ensure_engine
from studio.faults import is_told
from studio.rights import check_author, may_author
from studio.store import forget_sweeps, the_store

logger = logging.getLogger(__name__)


@contextmanager
def guard() -> Iterator[None]:
    """Shows errors as messages and never a traceback; use it as a block or as ``@guard()``.

    A :class:`FremError` is written for users and shown as it is. Anything else is logged under an
    id that the message repeats. Streamlit's own rerun and stop signals pass through.

    A fragment that reruns by itself runs outside its page's guard: decorate its function too.
    """
    try:
        yield
    except DamagedFileError as error:
        show_error(error)
        offer_to_make_again(error.run)
    except FremError as error:
        if not is_told(error):
            show_error(error)
    except Exception:
        error_id = secrets.token_hex(4)
        logger.exception("A page failed; error id %s", error_id)
        st.error(
            "Your tables and settings are kept. Reload the page. If it happens again, look for "
            f"the id {error_id} in the terminal in which the dashboard was started.",
            title="Something failed that was not foreseen",
            icon=":material/error:",
        )


def show_error(error: FremError | str, *, title: str | None = None) -> None:
    """Shows one message; names from a user's table appear as text."""
    st.error(plain_text(error, longest=None), title=title, icon=":material/error:")


def offer_to_make_again(run: str) -> None:
    """Draws the one click that has a run trained once more, because a file of it is lost.

    For runs of the user's own store; the new result replaces the old one.
    """
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
