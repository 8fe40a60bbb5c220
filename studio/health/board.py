"""How the server is doing, read anew every few seconds."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text
from frem_core.watching import Health, health_of
from frem_core.words import counted
from studio.engine import engine_words, keep_engine, show_engine_log
from studio.guard import guard
from studio.people import the_person
from studio.store import the_store
from studio.words import moment_words

_EVERY: Final = 5.0


def show_board() -> None:
    """Draws everything, or why it is not drawn."""
    if not the_person().is_administrator:
        st.info("This page is for administrators.", icon=":material/lock:")
        return
    _draw()
    show_engine_log(the_store())


@st.fragment(run_every=_EVERY)
@guard()
def _draw() -> None:
    if not the_person().is_administrator:  # a timer goes on when a role was taken away
        return
    health = health_of(the_store())
    waiting = health.queue["queued"] + health.queue["running"]
    if waiting:
        keep_engine()
    with st.container(horizontal=True):
        st.metric("Engine", "running" if health.engine.is_running else "not running", border=True)
        st.metric("Workers", health.engine.workers, border=True)
        st.metric("Runs under way", f"{health.queue['running']:,}", border=True)
        st.metric("Runs waiting", f"{health.queue['queued']:,}", border=True)
        st.metric("Free on disk", f"{health.free_bytes / 1e9:.1f} GB", border=True)
    st.caption(engine_words(health.engine, is_needed=waiting > 0))
    _show_faults(health)
    left, right = st.columns(2, gap="large")
    with left:
        _show_queue(health)
    with right:
        _show_disk(health)
    _show_slow(health)


def _show_faults(health: Health) -> None:
    if not health.faults:
        st.success("Nothing is wrong.", icon=":material/check:")


def _show_queue(health: Health) -> None:
    st.subheader("Queue", anchor=False)
    st.dataframe(
        pd.DataFrame({"state": list(health.queue), "runs": list(health.queue.values())}),
        hide_index=True,
        alt="Runs by state",
    )
    if not any(health.waiting_by_person):  # nobody logs in here, or nobody waits
        return
    for person, count in sorted(health.waiting_by_person.items(), key=lambda item: -item[1]):
        name = plain_text(person, longest=60) if person else "nobody in particular"
        st.markdown(f"{name}: {counted(count, 'run')} waiting or under way")


def _show_disk(health: Health) -> None:
    st.subheader("What is kept", anchor=False)
    sizes = {part: size / 1e6 for part, size in health.kept_bytes.items()}
    st.dataframe(
        pd.DataFrame({"part": list(sizes), "megabytes": list(sizes.values())}),
        hide_index=True,
        column_config={"megabytes": st.column_config.NumberColumn(format="%.1f")},
        alt="Megabytes that the store takes",
    )


def _show_slow(health: Health) -> None:
    st.subheader("Slow queries of this dashboard", anchor=False)
    if not health.slow_queries:
        st.markdown("None took a quarter of a second or longer since it was started.")
        return
    rows = [(one.name, one.seconds, moment_words(one.at)) for one in health.slow_queries]
    st.dataframe(
        pd.DataFrame(rows, columns=["question", "seconds", "when"]),
        hide_index=True,
        alt="The slowest questions to the database",
    )
