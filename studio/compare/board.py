"""The Compare page from top to bottom."""

import streamlit as st

from frem_core.errors import FremError
from frem_core.figures import plain_text
from frem_core.figures.looks import run_looks
from frem_core.figures.run_titles import run_titles
from frem_core.store import DamagedFileError
from studio.compare.attributes import show_attributes
from studio.compare.catalogue import short_id, sweeps_with_results
from studio.compare.chooser import Picked, show_chooser
from studio.compare.classes import choose_class
from studio.compare.comparable import comparable_instead, why_not_comparable
from studio.compare.compared import ComparedRun, choose_people, read_runs
from studio.compare.front import show_front, show_walk
from studio.compare.predictions import show_predictions
from studio.compare.probe import show_probe
from studio.compare.profile import show_profile
from studio.compare.representation import show_representation
from studio.compare.scales import scales_of
from studio.compare.scores import conclusions, show_scores
from studio.compare.waiting import show_nothing_yet, show_waiting, unfinished_sweep
from studio.guard import guard, offer_to_make_again
from studio.store import is_example, show_about_examples
from studio.style import is_dark
from studio.takehome.model import offer_model
from studio.takehome.report import offer_report


def show_board() -> None:
    """Draws the choice of runs and everything about them."""
    waiting = unfinished_sweep()
    if waiting is not None:
        show_waiting(waiting)
        return
    sweeps = sweeps_with_results()
    if sweeps.empty:
        show_nothing_yet()
        return
    picked = show_chooser(sweeps)
    show_about_examples(list(dict.fromkeys(picked.runs["sweep"])))
    titles = run_titles(picked.runs)
    refusal = why_not_comparable(picked.runs, titles)
    if refusal is not None:
        _show_refusal(refusal, picked)
        return
    _show_comparison(picked, titles)


def _show_comparison(picked: Picked, titles: list[str]) -> None:
    looks = run_looks(zip(picked.runs["method"], titles, strict=True), dark=is_dark())
    readable, missing = read_runs(picked.runs, looks)
    sweep = str(picked.known["sweep"].iloc[0])
    _show_missing(missing, of_an_example=is_example(sweep))
    left, right = st.columns([5, 6], gap="large")
    with left, guard():
        show_walk(picked)
        sentences = conclusions(picked.runs, titles, scales_of(picked.runs.iloc[0]).sensitive)
        st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    with right, guard():
        show_front(picked, titles)
    with guard():
        show_scores(picked.runs, titles, len(readable[0].outputs.s) if readable else None)
    if readable:
        _show_charts(picked, readable)
    _show_takeaway(picked, titles)


def _show_charts(picked: Picked, readable: list[ComparedRun]) -> None:
    runs, scales = choose_class(readable, scales_of(readable[0].run))
    people = choose_people(picked.runs, runs[0])
    show_predictions(runs, scales, people)
    show_attributes(runs, scales, people)
    show_representation(runs, scales, people)
    show_profile(runs, scales, people)
    with guard():
        show_probe(runs, scales)


def _show_takeaway(picked: Picked, titles: list[str]) -> None:
    st.header("Take it along", anchor=False)
    sweeps = list(dict.fromkeys(map(str, picked.runs["sweep"])))
    with guard(), st.container(horizontal=True):
        offer_report(sweeps, key="compare", runs=list(map(str, picked.runs["id"])))
    own = zip(picked.runs["sweep"], picked.runs["id"], titles, strict=True)
    for place, (sweep, run, title) in enumerate(own):
        with guard():
            st.markdown(f"**{plain_text(title)}**")
            offer_model(str(sweep), str(run), title=title, key=f"compare-{place}")


def _show_missing(missing: dict[str, FremError], *, of_an_example: bool) -> None:
    if of_an_example and missing:
        names = ", ".join(plain_text(title) for title in missing)
        st.info(
            f"Of this example only the scores are kept for {names}. The charts below show the "
            "other runs.",
            icon=":material/folder_off:",
        )
        return
    for title, reason in missing.items():
        st.warning(
            f"{plain_text(reason, longest=None)} Its scores are still shown; its charts come back "
            "when it has been trained once more.",
            title=f"The files of {plain_text(title)} are missing",
            icon=":material/folder_off:",
        )
        if isinstance(reason, DamagedFileError):
            offer_to_make_again(reason.run)


def _show_refusal(reason: str, picked: Picked) -> None:
    """Draws the reason and a way on."""
    st.error(
        plain_text(reason, longest=None),
        title="These runs cannot be compared",
        icon=":material/block:",
    )
    instead = comparable_instead(picked.runs, picked.offered)
    titles = ", ".join(plain_text(title) for title in run_titles(instead, picked.known))
    st.markdown(f"Tested on the same rows as the first one: {titles}.")
    st.button(
        "Compare these instead",
        type="primary",
        icon=":material/compare_arrows:",
        key="compare-instead",
        on_click=_take,
        args=([short_id(run) for run in instead["id"]],),
    )


def _take(runs: list[str]) -> None:
    st.query_params["run"] = runs
