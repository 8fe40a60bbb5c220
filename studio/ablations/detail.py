"""One ablation: its question, what the paper says, and what came out here."""

from typing import Any, Final

import streamlit as st

from frem_core.ablations import EFFORTS
from studio.ablations.fronts import show_fronts
from studio.ablations.launch import show_launch
from studio.ablations.stability import show_stability
from studio.ablations.subject import EFFORT, Subject
from studio.ablations.train_vs_test import show_train_vs_test
from studio.address import to_address
from studio.engine import keep_engine
from studio.guard import guard
from studio.link import page_link
from studio.store import runs_table, sweeps_table
from studio.style import keep_steady
from studio.submitted import start_once

_EVERY: Final = 2.0


def show_detail(subject: Subject) -> None:
    """Draws the question, and below it the launch or the results, live while it trains."""
    st.header(subject.ablation.title, anchor=False)
    st.markdown(f"**{subject.ablation.question}**")
    st.markdown(f"What the paper found ({subject.ablation.source}): {subject.ablation.claim}")
    _choose_effort(subject)
    sweep = subject.sweep
    if sweep is None:
        show_launch(subject)
        return
    if _is_training(sweep):
        keep_steady()
        st.fragment(_draw, run_every=_EVERY)(subject, sweep, True)
    else:
        # Results may have a live part of their own, and timers must not be nested.
        _draw(subject, sweep, False)


def _choose_effort(subject: Subject) -> None:
    key = f"ablation-effort-{subject.effort}"
    st.segmented_control(
        "How thoroughly",
        list(EFFORTS),
        default=subject.effort,
        required=True,
        format_func=lambda name: EFFORTS[name].title,
        key=key,
        on_change=to_address,
        args=(EFFORT, key),
        help="A quick look uses 50 epochs, 3 seeds and 5 fairness weights; the paper 200 epochs, "
        "5 seeds and every fairness weight that suits the dataset.",
    )


@guard()
def _draw(subject: Subject, sweep: str, is_timed: bool) -> None:
    training = _is_training(sweep)
    if is_timed and not training:
        st.rerun()  # once more as a whole, to end the timer
    if training:
        keep_engine()
    _show_progress(subject, sweep)
    runs = runs_table(sweep)
    if not (runs["state"] == "done").any():
        st.skeleton(height=380) if training else st.info("No model was trained to its end.")
        return
    show = {
        "fronts": show_fronts,
        "train_vs_test": show_train_vs_test,
        "mi_stability": show_stability,
    }[subject.ablation.reading]
    show(subject, runs, is_complete=not training)


def _show_progress(subject: Subject, sweep: str) -> None:
    row = _row(sweep)
    left = row.queued + row.running
    with st.container(horizontal=True, vertical_alignment="center", key="ablation-progress"):
        if left:
            st.progress(float(row.progress), text=f"{row.done:,} of {row.runs:,} models trained")
        elif row.done < row.runs:
            st.markdown(f"{row.done:,} of {row.runs:,} models are trained.")
            if st.button("Train the rest", icon=":material/replay:", key="resume-ablation"):
                start_once(subject.spec, subject.dataset)
                st.rerun()
        page_link(
            "pages/2_Train.py", "Open the training", icon=":material/monitoring:", sweep=sweep
        )


def _is_training(sweep: str) -> bool:
    row = _row(sweep)
    return bool(row.queued or row.running)


def _row(sweep: str) -> Any:
    sweeps = sweeps_table()
    return next(sweeps[sweeps["id"] == sweep].itertuples())
