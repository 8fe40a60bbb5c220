"""How much MI(Ŷ, S) moves over bootstrap samples of the test rows."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.ablations import conclude_stability, variant_looks
from frem_core.figures.stability import stability_figure
from frem_core.paper import paper_mutual_information_stability
from studio.ablations.experiment import Experiment
from studio.ablations.stability_job import StabilityJob, stability_job
from studio.address import number_in_address, to_address
from studio.chart import chart
from studio.guard import guard, show_error
from studio.style import is_dark, keep_steady

_RESAMPLES: Final = (100, 300, 1000)
_EVERY: Final = 1.0
_ADDRESS: Final = "resamples"


def show_stability(experiment: Experiment, runs: pd.DataFrame, *, is_complete: bool) -> None:
    """Starts the bootstrap once all models are trained, and draws what it gives.

    Args:
        experiment: what is looked at.
        runs: the runs of its sweep.
        is_complete: whether no more runs are to come.
    """
    if not is_complete:
        st.caption("The test rows are resampled as soon as all models are trained.")
        return
    resamples = _choose_resamples()
    done = runs[runs["state"] == "done"]
    variants = experiment.ablation.variant_of(done)
    names = tuple(zip(done["id"], variants, strict=True))
    job = stability_job(names, resamples)
    every = None if job.is_over else _EVERY
    if every is not None:
        keep_steady()
    st.fragment(_draw, run_every=every)(experiment, job, every is not None)


def _choose_resamples() -> int:
    given = number_in_address(_ADDRESS, default=_RESAMPLES[-1], low=2, high=_RESAMPLES[-1])
    start = given if given in _RESAMPLES else _RESAMPLES[-1]
    key = f"ablation-resamples-{start}"
    return int(
        st.segmented_control(
            "Bootstrap samples",
            _RESAMPLES,
            default=start,
            required=True,
            format_func=lambda count: f"{count:,}",
            key=key,
            on_change=to_address,
            args=(_ADDRESS, key),
            help="How often the test rows are drawn anew, with replacement. The paper draws 1,000 "
            "times. A drawn row may repeat and is then its own nearest neighbour, so the mean "
            "over samples lies above the estimate; what counts here is how much it moves.",
        )
    )


@guard()
def _draw(experiment: Experiment, job: StabilityJob, is_timed: bool) -> None:
    running = not job.is_over
    if is_timed != running:
        st.rerun()  # once more as a whole, to end or start the timer
    table = job.table()
    if running:
        st.progress(len(table) / job.total, text=f"{len(table)} of {job.total} models resampled")
    if job.error:
        show_error(job.error, title="The test rows could not be resampled")
        if not running:
            st.button(
                "Try again", icon=":material/replay:", key="stability-again", on_click=job.start
            )
    if table.empty:
        if running:
            st.skeleton(height=300)
        return
    words = conclude_stability(experiment.ablation, table)
    if not running:
        st.success(words, icon=":material/lightbulb:")
    shown = _with_paper(experiment, table)
    chart(
        stability_figure(table, looks=variant_looks(experiment.ablation), dark=is_dark()),
        shown,
        key="stability",
        alt=f"Estimates of MI(Ŷ, S) over bootstrap samples, one bar per model. {words}",
        file_name="mi-stability",
    )
    st.dataframe(
        shown,
        hide_index=True,
        placeholder="–",
        alt="Mean, standard deviation and coefficient of variation of each model.",
        key="stability-numbers",
        column_config={
            name: st.column_config.NumberColumn(format="%.3f")
            for name in shown.select_dtypes("number").columns
            if name != "Test rows"
        },
    )


def _with_paper(experiment: Experiment, table: pd.DataFrame) -> pd.DataFrame:
    titles = {variant.name: variant.title for variant in experiment.ablation.all_variants}
    shown = pd.DataFrame(
        {
            "Model": table["variant"].map(titles),
            "Estimate": table["estimate"],
            "Mean": table["mean"],
            "Standard deviation": table["sd"],
            "Coefficient of variation": table["cv"],
            "Test rows": table["rows"],
        }
    )
    paper = paper_mutual_information_stability()
    own = paper[paper["dataset"] == experiment.choice.dataset].set_index("method")
    if len(own):
        for column, label in (("mean", "Mean"), ("sd", "Standard deviation"), ("cv", "CV")):
            shown[f"{label}, paper"] = table["variant"].map(own[column])
    return shown
