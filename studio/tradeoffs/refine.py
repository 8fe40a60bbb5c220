"""Refine here: trains next where the chart tells least, or next to the limit."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.errors import FremError
from frem_core.figures import NO_BETTER, method_looks
from frem_core.sweeps import SweepSpec
from frem_core.sweeps.search import SearchSpec
from frem_core.sweeps.search.refine import Refinement, refined_sweep, refinement, searching_sweep
from frem_core.words import counted
from studio.chart import kept
from studio.guard import show_error
from studio.store import store_of
from studio.submitted import queue_sweep
from studio.tradeoffs.limits import Limits
from studio.tradeoffs.question import Question
from studio.tradeoffs.view import View

_PLACES: Final = {
    "limit": "Next to the limit",
    "gap": "In the largest gap",
    "search": "Search all settings",
}
_TRAININGS: Final = 24
_MOST: Final = 0.5  # share of settings that may collapse before the page warns


def show_collapsed(points: pd.DataFrame) -> None:
    """Says so when most settings have given up all prediction."""
    tried = points[points["method"] != "unfair"]
    bad = int(tried["no_better"].sum())
    if len(tried) and bad > _MOST * len(tried):
        st.warning(
            f"{bad} of {counted(len(tried), 'setting')} {_plural(bad)}: their fairness weights (λ) "
            "are too large for this data. None of them is recommended. **Refine here**, below, "
            "trains smaller ones.",
            icon=":material/trending_flat:",
        )


def _plural(count: int) -> str:
    return NO_BETTER if count == 1 else NO_BETTER.replace("predicts", "predict")


def show_refine(question: Question, view: View, points: pd.DataFrame, limits: Limits) -> None:
    """Draws where to train next and the button that does it."""
    st.header("Refine here", anchor=False)
    place = st.segmented_control(
        "Train next",
        list(_PLACES),
        format_func=_PLACES.__getitem__,
        default="limit",
        required=True,
        key="tradeoffs-refine-place",
    )
    if place == "search":
        _offer_search(question, view, limits)
        return
    plans = kept(_plans, points, limits.at_most if place == "limit" else None)
    if not plans:
        st.info("No method with a fairness weight (λ) has been trained, so nothing can be refined.")
        return
    looks = method_looks(plans)
    st.markdown(
        "\n".join(
            f"- **{looks[name].title}**: λ {', '.join(f'{one:g}' for one in plan.weights)}, "
            f"{plan.reason}"
            for name, plan in plans.items()
        )
    )
    specs = _specs(question, plans)
    count = sum(spec.count() for spec in specs)
    if st.button(
        f"Refine here: train {counted(count, 'run')}",
        icon=":material/zoom_in:",
        key="tradeoffs-refine",
        help="A sweep of its own with the same data, seeds and settings; its points join this "
        "chart as they finish.",
    ):
        _start(question, specs)


def _offer_search(question: Question, view: View, limits: Limits) -> None:
    """Draws what a search does and the button that starts it."""
    fairness = view.fairness.name if view.fairness.measures == "predictions" else "hgr"
    near = st.checkbox(
        f"Only around the limit ({view.fairness.symbol} at most {limits.at_most:.3g})",
        key="tradeoffs-search-near",
        disabled=fairness != view.fairness.name,
    )
    st.markdown(
        f"Tries {_TRAININGS} settings of each method and chooses the next ones by the results so "
        "far: fairness weight (λ), γ, σ, learning rate and width. It chooses on validation rows, a "
        "fifth of the training rows, so that the test rows stay unseen. It goes on when this page "
        "is closed."
    )
    search = SearchSpec(
        trainings=_TRAININGS,
        fairness=fairness,
        prediction=view.prediction.name,
        at_most=limits.at_most if near else None,
    )
    spec = SweepSpec.from_toml(store_of(question.sweeps[0]).sweeps.spec(question.sweeps[0]))
    try:
        found = searching_sweep(spec, search)
    except FremError as error:
        show_error(error)
        return
    if st.button(
        f"Search: train {counted(found.count(), 'run')}",
        icon=":material/travel_explore:",
        key="tradeoffs-search",
    ):
        _start(question, [found])


def _plans(points: pd.DataFrame, at_most: float | None) -> dict[str, Refinement]:
    found = {
        str(method): refinement(own, at_most=at_most)
        for method, own in points.groupby("method", sort=False)
    }
    return {method: plan for method, plan in found.items() if plan is not None}


def _specs(question: Question, plans: dict[str, Refinement]) -> list[SweepSpec]:
    """One sweep for each that holds some of the methods; the first of them counts."""
    left = {method: plan.weights for method, plan in plans.items()}
    specs = []
    for sweep in question.sweeps:
        spec = SweepSpec.from_toml(store_of(sweep).sweeps.spec(sweep))
        own = {one.method: left.pop(one.method) for one in spec.methods if one.method in left}
        if own:
            specs.append(refined_sweep(spec, own))
    return specs


def _start(question: Question, specs: list[SweepSpec]) -> None:
    try:
        with st.spinner("Starting …"):
            started = [queue_sweep(spec, once=True) for spec in specs]
    except FremError as error:
        show_error(error, title="Training was not started")
        return
    st.query_params["sweep"] = list(dict.fromkeys([*question.sweeps, *started]))
    st.toast("Training has started; new points appear by themselves.", icon=":material/check:")
    st.rerun()
