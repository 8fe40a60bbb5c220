"""How the engine is doing, in words."""

from pathlib import Path

import streamlit as st

from frem_core.figures import plain_text
from frem_core.store import Store
from frem_core.sweeps import EngineState, engine_state
from frem_core.sweeps.launch import log_file

_LINES = 15
_TAIL_BYTES = 8000


def show_engine(store: Store, *, is_needed: bool) -> None:
    """Draws one line on the engine.

    Args:
        store: which it serves.
        is_needed: whether runs wait for it.
    """
    st.caption(engine_words(engine_state(store), is_needed=is_needed))


def engine_words(engine: EngineState, *, is_needed: bool) -> str:
    """Running, idle, starting or not running, and what holds it up."""
    if not engine.is_running:
        if is_needed:
            return ":material/hourglass_top: The engine that trains is starting."
        return ":material/bedtime: The engine is not running. It starts by itself when needed."
    where = f"on {plain_text(engine.host)} (process {engine.pid})"
    if engine.message:
        return f":material/hourglass_top: The engine {where}: {plain_text(engine.message)}."
    if not is_needed:
        return f":material/bedtime: The engine {where} is idle."
    workers = f"{engine.workers} worker{'s' if engine.workers != 1 else ''}"
    return f":material/settings: The engine {where} trains with {workers}."


def show_engine_log(store: Store) -> None:
    """Draws the last lines of the engine's log, folded away."""
    lines = _tail(log_file(store))
    if lines:
        with st.expander("What the engine wrote last", icon=":material/terminal:"):
            st.code("\n".join(lines[-_LINES:]), language=None, wrap_lines=True)


def _tail(file: Path) -> list[str]:
    try:
        with file.open("rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - _TAIL_BYTES))
            return log.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
