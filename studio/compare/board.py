"""The Compare page from top to bottom."""

import streamlit as st

from frem_core.figures import plain_text
from frem_core.figures.run_look import run_looks
from studio.compare.chooser import Picked, offered_sweeps, show_chooser, show_nothing_yet
from studio.compare.compared import ComparedRun, read_runs
from studio.compare.front import show_front
from studio.compare.people import choose_people
from studio.compare.predictions import show_predictions
from studio.compare.probe import show_probe
from studio.compare.profile import show_profile
from studio.compare.refusal import show_refusal
from studio.compare.representation import show_representation
from studio.compare.scales import scales_of
from studio.compare.scores import show_scores
from studio.compare.settings_of import run_titles, why_not_comparable
from studio.compare.waiting import show_waiting, unfinished_sweep
from studio.compare.walk import show_walk
from studio.compare.words import conclusions
from studio.guard import guard
from studio.store import is_example
from studio.theme import is_dark
from studio.tradeoffs.sweeps import show_about_examples


def show_board() -> None:
    """Draws the choice of runs and everything about them."""
    waiting = unfinished_sweep()
    if waiting is not None:
        show_waiting(waiting)
        return
    sweeps = offered_sweeps()
    if sweeps.empty:
        show_nothing_yet()
        return
    picked = show_chooser(sweeps)
    show_about_examples(list(dict.fromkeys(picked.runs["sweep"])))
    titles = run_titles(picked.runs)
    refusal = why_not_comparable(picked.runs, titles)
    if refusal is not None:
        show_refusal(refusal, picked)
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


def _show_charts(picked: Picked, readable: list[ComparedRun]) -> None:
    scales = scales_of(readable[0].run)
    people = choose_people(picked.runs, readable[0])
    show_predictions(readable, scales, people)
    show_representation(readable, scales, people)
    show_profile(readable, scales, people)
    with guard():
        show_probe(readable, scales)


def _show_missing(missing: dict[str, str], *, of_an_example: bool) -> None:
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
            f"{plain_text(reason, longest=None)} Its scores are still shown; to see its charts, "
            "delete the run and train it again.",
            title=f"The files of {plain_text(title)} are missing",
            icon=":material/folder_off:",
        )
