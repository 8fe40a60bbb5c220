"""The Start page from top to bottom: what this is, the example, and what has been trained."""

from typing import Any, Final

import streamlit as st

from frem_core.figures import plain_text
from frem_core.library import about_example
from frem_core.words import counted, per_cent
from studio.crowd.pace import in_good_time
from studio.engine import keep_engine, show_engine
from studio.guard import guard
from studio.link import page_link
from studio.start.example import find_example, show_example
from studio.start.picture import show_picture
from studio.store import sweeps_and_examples, sweeps_table
from studio.style import keep_steady
from studio.words import moment_words

_EVERY: Final = 2.0
_DATA: Final = "pages/1_Data.py"
_WORDS: Final = (
    "A model can follow a person's age, income or neighbourhood even when it is never told about "
    "it. FREM Studio measures that along the whole range of such a continuous attribute and trains "
    "models whose inner representation says as little as possible about it. It shows what that "
    "costs in accuracy, beside other published methods, so that you can decide."
)
_MOST = 6


def show_live() -> None:
    """Draws the page; while something trains it redraws itself."""
    every = in_good_time(_EVERY) if _is_training() else None
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
        _show_welcome()
        show_example(find_example())
    with picture:
        show_picture()
    # Until there is something of one's own, what came with the program is the better start.
    parts = [_show_recent_sweeps, _show_examples]
    for show in reversed(parts) if sweeps_table().empty else parts:
        show()
    show_engine(is_needed=is_training)


def _is_training() -> bool:
    sweeps = sweeps_table()
    return bool((sweeps["queued"] + sweeps["running"]).sum() > 0)


def _show_welcome() -> None:
    """Draws the three sentences and the links."""
    st.markdown(_WORDS)
    with st.container(horizontal=True):
        page_link(_DATA, "Choose or bring data", icon=":material/table_chart:")
        page_link(
            "pages/5_Estimator_lab.py", "See how it is measured", icon=":material/straighten:"
        )


def go_to_dataset() -> None:
    """Forwards addresses from when datasets were shown on this page."""
    if "dataset" in st.query_params:
        address = {name: st.query_params.get_all(name) for name in st.query_params}
        st.switch_page(_DATA, query_params=address)


def _show_recent_sweeps() -> None:
    """Draws one line per sweep, or what to do while there is none."""
    st.header("Recent sweeps", anchor=False)
    sweeps = sweeps_table()
    if sweeps.empty:
        st.markdown(
            "Nothing has been trained yet. A sweep trains several methods at several strengths of "
            "fairness; run the example above, or bring your own data."
        )
        return
    for row in sweeps.head(_MOST).itertuples():
        _show_sweep(row)
    if len(sweeps) > _MOST:
        st.caption(f"{len(sweeps) - _MOST:,} older ones: Train and Trade-offs list them all.")


def _show_sweep(row: Any) -> None:
    with st.container(border=True, key=f"recent-{row.id}"):
        words, links = st.columns([3, 2], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain_text(row.name)}**")
            by = f" · {plain_text(row.queued_by)}" if isinstance(row.queued_by, str) else ""
            st.caption(f"{state_words(row)} · {moment_words(row.created_at)}{by}")
            if row.queued or row.running:
                st.progress(float(row.progress), text=f"{per_cent(row.progress)} of all epochs")
        with links.container(horizontal=True, horizontal_alignment="right"):
            page_link("pages/2_Train.py", "Training", icon=":material/monitoring:", sweep=row.id)
            if row.done:
                page_link(
                    "pages/3_Trade-offs.py",
                    "Trade-offs",
                    icon=":material/scatter_plot:",
                    sweep=row.id,
                )
                page_link("pages/4_Compare.py", "Compare", icon=":material/compare:", sweep=row.id)


def state_words(row: Any) -> str:
    """The state of a sweep in words, from its row of the sweep table."""
    parts = [f"{row.done:,} of {row.runs:,} runs done"]
    counts = (
        (row.running, "training"),
        (row.queued, "waiting"),
        (row.failed, "failed"),
        (row.cancelled, "cancelled"),
    )
    parts += [f"{count:,} {word}" for count, word in counts if count]
    return ", ".join(parts)


def _show_examples() -> None:
    """Draws one card per example; nothing where examples are left out."""
    sweeps = sweeps_and_examples()
    examples = sweeps[sweeps["is_example"]]
    if examples.empty:
        return
    st.header("Finished results to look at", anchor=False)
    st.markdown("All methods of the comparison, trained with the paper's settings: no waiting.")
    for row in examples.itertuples():
        _show_finished(row)


def _show_finished(row: Any) -> None:
    about = about_example(row.id)
    with st.container(border=True, key=f"finished-{row.id}"):
        words, links = st.columns([3, 2], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain_text(row.name.removeprefix('Example: '))}**")
            models, seeds = counted(about.runs, "trained model"), counted(about.seeds, "seed")
            st.caption(f"{models}, {seeds}, made on {about.made}")
        with links.container(horizontal=True, horizontal_alignment="right"):
            page_link(
                "pages/3_Trade-offs.py",
                "See the trade-off",
                icon=":material/scatter_plot:",
                sweep=row.id,
            )
            page_link(
                "pages/4_Compare.py", "Compare models", icon=":material/compare:", sweep=row.id
            )
