"""The last step: how much there is to train, how long it takes, and the button."""

from typing import Final

import streamlit as st

from frem_core.datasets import Dataset
from frem_core.errors import FremError
from frem_core.figures import plain_text
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from frem_core.words import counted
from studio.guard import guard, show_error
from studio.rights import in_my_name, may_author
from studio.store import forget_sweeps, the_store
from studio.train.estimate import Estimate, estimate_of, the_timings
from studio.train.sweep_file import show_spec
from studio.train.sweeps import open_sweep
from studio.train.workload import Workload, workload_of
from studio.words import duration_words

_EVERY: Final = 2.0
_MANY_RUNS: Final = 5000


def show_launch(spec: SweepSpec, dataset: Dataset) -> None:
    """Draws the summary of a sweep, its file and the button that starts it."""
    st.header("Start", anchor=False)
    if spec.count() > _MANY_RUNS:
        show_error(
            f"This sweep has {spec.count():,} runs, more than {_MANY_RUNS:,}. Use fewer fairness "
            "weights, seeds or values of a setting."
        )
        return
    work = workload_of(spec, dataset, the_store())
    with st.container(border=True, key="launch"):
        left, right = st.columns([3, 1], vertical_alignment="center")
        with left:
            st.markdown(_size_words(work))
            _show_estimate(spec, work)
        words = (
            f"Train {counted(work.total - work.done, 'run')}"
            if work.bundles
            else "Show the results"
        )
        if right.button(
            words,
            type="primary",
            icon=":material/play_arrow:",
            key="launch-sweep",
            width="stretch",
            disabled=not may_author(),
            help=None if may_author() else "Authors train; you look at results.",
        ):
            _launch(spec, dataset)
    show_spec(spec.to_toml(), the_store().tables, name=spec.name, key="spec")


def _size_words(work: Workload) -> str:
    words = f"**{counted(work.total, 'run')}**"
    if not work.bundles:
        return f"{words}, all of them finished before: nothing has to be trained again."
    if work.done:
        words += f", {work.done:,} of them finished before and taken as they are"
    waiting = the_store().queue.unfinished()
    if waiting:
        verb = "wait" if waiting > 1 else "waits"
        words += f". {counted(waiting, 'run')} of other sweeps {verb} before"
    return f"{words}."


def _show_estimate(spec: SweepSpec, work: Workload) -> None:
    if not work.bundles:
        return
    estimate = estimate_of(spec, work)
    every = _EVERY if estimate.state == "measuring" else None
    st.fragment(_draw_estimate, run_every=every)(spec, work, every is not None)


@guard()
def _draw_estimate(spec: SweepSpec, work: Workload, is_timed: bool) -> None:
    estimate = estimate_of(spec, work)
    if is_timed != (estimate.state == "measuring"):
        st.rerun()  # once more as a whole, to end or start the timer
    st.markdown(_estimate_words(estimate))
    if estimate.state == "unknown":
        st.button(
            "Try again",
            icon=":material/replay:",
            key="time-again",
            help="Time a few training steps once more.",
            on_click=the_timings().forget_failures,
            args=(estimate.kinds,),
        )


def _estimate_words(estimate: Estimate) -> str:
    if estimate.state == "measuring":
        return (
            ":material/timer: Timing a few training steps on this computer to say how long it "
            "will take. You need not wait for it."
        )
    if estimate.state == "unknown":
        reason = plain_text(estimate.reason, longest=None)
        return f":material/timer: How long it takes could not be measured here. {reason}"
    sources = []
    if estimate.finished_runs:
        sources.append(
            f"from {counted(estimate.finished_runs, 'run')} of this kind that finished here"
        )
    if estimate.is_measured:
        sources.append("from a few steps timed on this computer")
    side = f"{estimate.workers} at a time" if estimate.workers > 1 else "one at a time"
    return (
        f":material/timer: About **{duration_words(estimate.seconds)}** with bundles of runs "
        f"trained {side}. Estimated {' and '.join(sources)}; it takes "
        "longer while the computer is busy with other things."
    )


def _launch(spec: SweepSpec, dataset: Dataset) -> None:
    try:
        with st.spinner("Queueing the runs …"):
            sweep = submit(the_store(), spec, dataset, **in_my_name())
            ensure_engine(the_store())
    except FremError as error:
        show_error(error, title="The sweep was not started")
        return
    forget_sweeps()
    open_sweep(sweep)
    st.rerun()
