"""One ablation: its question, what the paper says, the button that trains it, and what came out."""

from typing import Any, Final

import streamlit as st

from frem_core.ablations import EFFORTS
from frem_core.words import counted
from studio.ablations.experiment import EFFORT, Experiment
from studio.ablations.fronts import show_fronts, show_train_vs_test
from studio.ablations.stability import show_stability
from studio.address import to_address
from studio.crowd.pace import in_good_time
from studio.engine import keep_engine
from studio.guard import guard
from studio.link import page_link
from studio.store import runs_table, sweeps_table, the_store
from studio.style import keep_steady
from studio.submitted import start_once
from studio.train.estimate import estimate_of
from studio.train.workload import Workload, workload_of
from studio.words import duration_words

_EVERY: Final = 2.0
_EVERY_ESTIMATE: Final = 1.5


def show_detail(experiment: Experiment) -> None:
    """Draws the question, and below it the launch or the results, live while it trains."""
    st.header(experiment.ablation.title, anchor=False)
    st.markdown(f"**{experiment.ablation.question}**")
    st.markdown(f"What the paper found ({experiment.ablation.source}): {experiment.ablation.claim}")
    _choose_effort(experiment)
    sweep = experiment.sweep
    if sweep is None:
        _show_launch(experiment)
        return
    if _is_training(sweep):
        keep_steady()
        st.fragment(_draw, run_every=in_good_time(_EVERY))(experiment, sweep, True)
    else:
        # Results may have a live part of their own, and timers must not be nested.
        _draw(experiment, sweep, False)


def _choose_effort(experiment: Experiment) -> None:
    key = f"ablation-effort-{experiment.effort}"
    st.segmented_control(
        "How thoroughly",
        list(EFFORTS),
        default=experiment.effort,
        required=True,
        format_func=lambda name: EFFORTS[name].title,
        key=key,
        on_change=to_address,
        args=(EFFORT, key),
        help="A quick look uses 50 epochs, 3 seeds and 5 fairness weights; the paper 200 epochs, "
        "5 seeds and every fairness weight that suits the dataset.",
    )


@guard()
def _draw(experiment: Experiment, sweep: str, is_timed: bool) -> None:
    training = _is_training(sweep)
    if is_timed and not training:
        st.rerun()  # once more as a whole, to end the timer
    if training:
        keep_engine()
    _show_progress(experiment, sweep)
    runs = runs_table(sweep)
    if not (runs["state"] == "done").any():
        st.skeleton(height=380) if training else st.info("No model was trained to its end.")
        return
    show = {
        "fronts": show_fronts,
        "train_vs_test": show_train_vs_test,
        "mi_stability": show_stability,
    }[experiment.ablation.reading]
    show(experiment, runs, is_complete=not training)


def _show_progress(experiment: Experiment, sweep: str) -> None:
    row = _row(sweep)
    left = row.queued + row.running
    with st.container(horizontal=True, vertical_alignment="center", key="ablation-progress"):
        if left:
            st.progress(float(row.progress), text=f"{row.done:,} of {row.runs:,} models trained")
        elif row.done < row.runs:
            st.markdown(f"{row.done:,} of {row.runs:,} models are trained.")
            if st.button("Train the rest", icon=":material/replay:", key="resume-ablation"):
                start_once(experiment.spec, experiment.dataset)
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


def _show_launch(experiment: Experiment) -> None:
    """Draws what would be trained and the button that starts it."""
    work = workload_of(experiment.spec, experiment.dataset, the_store())
    with st.container(border=True, key="ablation-launch"):
        left, right = st.columns([3, 1], vertical_alignment="center")
        with left:
            st.markdown(_size_words(experiment, work))
            if work.bundles:
                _show_estimate(experiment, work)
        left_over = work.total - work.done
        words = f"Train {counted(left_over, 'model')}" if left_over else "Show the results"
        if right.button(
            words,
            type="primary",
            icon=":material/play_arrow:",
            key="launch-ablation",
            width="stretch",
        ):
            with st.spinner("Queueing the runs …"):
                started = start_once(experiment.spec, experiment.dataset)
            if started:
                st.rerun()


def _size_words(experiment: Experiment, work: Workload) -> str:
    ablation, spec = experiment.ablation, experiment.spec
    names = ", ".join(variant.title for variant in ablation.all_variants)
    seeds, epochs = counted(len(spec.seeds), "seed"), counted(spec.training["epochs"], "epoch")
    words = f"**{counted(work.total, 'model')}**: {names}; {seeds}, {epochs}."
    if work.done:
        words += f" {work.done:,} of them were trained before and are taken as they are."
    return words


def _show_estimate(experiment: Experiment, work: Workload) -> None:
    every = _EVERY_ESTIMATE if estimate_of(experiment.spec, work).state == "measuring" else None
    st.fragment(_draw_estimate, run_every=every)(experiment, work, every is not None)


@guard()
def _draw_estimate(experiment: Experiment, work: Workload, is_timed: bool) -> None:
    estimate = estimate_of(experiment.spec, work)
    if is_timed and estimate.state != "measuring":
        st.rerun()  # once more as a whole, to end the timer
    if estimate.state == "measuring":
        st.caption(":material/timer: Timing a few steps to say how long it will take …")
    elif estimate.state == "known":
        st.caption(f":material/timer: About {duration_words(estimate.seconds)} on this computer.")
