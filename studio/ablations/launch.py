"""Before an ablation is trained: what it compares, how long it takes, and the button."""

from typing import Final

import streamlit as st

from studio.ablations.subject import Subject
from studio.guard import guard
from studio.store import the_store
from studio.submitted import start_once
from studio.train.estimate import duration_words, estimate_of
from studio.train.workload import Workload, workload_of

_EVERY: Final = 1.5


def show_launch(subject: Subject) -> None:
    """Draws what would be trained and the button that starts it."""
    work = workload_of(subject.spec, subject.dataset, the_store())
    with st.container(border=True, key="ablation-launch"):
        left, right = st.columns([3, 1], vertical_alignment="center")
        with left:
            st.markdown(_size_words(subject, work))
            if work.bundles:
                _show_estimate(subject, work)
        left_over = work.total - work.done
        words = f"Train {left_over:,} models" if left_over else "Show the results"
        if right.button(
            words,
            type="primary",
            icon=":material/play_arrow:",
            key="launch-ablation",
            width="stretch",
        ):
            with st.spinner("Queueing the runs …"):
                started = start_once(subject.spec, subject.dataset)
            if started:
                st.rerun()


def _size_words(subject: Subject, work: Workload) -> str:
    ablation, spec = subject.ablation, subject.spec
    names = ", ".join(variant.title for variant in ablation.all_variants)
    seeds = f"{len(spec.seeds)} seed{'s' if len(spec.seeds) != 1 else ''}"
    words = f"**{work.total:,} models**: {names}; {seeds}, {spec.training['epochs']} epochs."
    if work.done:
        words += f" {work.done:,} of them were trained before and are taken as they are."
    return words


def _show_estimate(subject: Subject, work: Workload) -> None:
    every = _EVERY if estimate_of(subject.spec, work).state == "measuring" else None
    st.fragment(_draw_estimate, run_every=every)(subject, work, every is not None)


@guard()
def _draw_estimate(subject: Subject, work: Workload, is_timed: bool) -> None:
    estimate = estimate_of(subject.spec, work)
    if is_timed and estimate.state != "measuring":
        st.rerun()  # once more as a whole, to end the timer
    if estimate.state == "measuring":
        st.caption(":material/timer: Timing a few steps to say how long it will take …")
    elif estimate.state == "known":
        st.caption(f":material/timer: About {duration_words(estimate.seconds)} on this computer.")
