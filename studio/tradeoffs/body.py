"""Everything below the choice of sweeps; redraws itself while runs are under way."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text, spreadsheet_csv
from frem_core.sweeps.portable import needs_tables, portable_file
from frem_core.words import NOTIONS
from studio.address import keep_address
from studio.chart import charts_every
from studio.guard import guard
from studio.store import is_live, runs_table, store_of
from studio.style import keep_steady
from studio.takehome.report import offer_report
from studio.tradeoffs.attributes import show_attribute_fronts
from studio.tradeoffs.chance import Chance, chance_of, readable_runs
from studio.tradeoffs.decision import show_decision
from studio.tradeoffs.fronts import show_fronts, show_hypervolumes
from studio.tradeoffs.inspection import choose_point, show_point
from studio.tradeoffs.limits import Limits, current_limits
from studio.tradeoffs.points import points_of
from studio.tradeoffs.question import Question, questions_of, show_state
from studio.tradeoffs.refine import show_collapsed, show_refine
from studio.tradeoffs.uncertainty import uncertainty_of
from studio.tradeoffs.view import View, choose_paper, current_view, show_controls, show_meaning
from studio.verdicts import show_verdicts

_REFRESH_SECONDS: Final = 2.0
_TIMED: Final = "tradeoffs-timed"


def show_body(sweeps: list[str]) -> None:
    """Draws the fragment, with a timer while something is still to come."""
    timed = is_live(sweeps) or bool(st.session_state.pop(_TIMED, False))
    runs = sum(len(runs_table(sweep)) for sweep in sweeps) if timed else 0
    interval = charts_every(_REFRESH_SECONDS, runs) if timed else None
    if timed:
        keep_steady()
    st.fragment(_draw, run_every=interval)(sweeps, interval is not None)


@guard()
def _draw(sweeps: list[str], is_timed: bool) -> None:
    live = is_live(sweeps)
    questions = questions_of(sweeps)
    if not questions:
        st.info("These sweeps have no runs any more; they may have been deleted.")
        return
    keep_address("trade-offs")
    is_pending = _show_question(_choose_question(questions), live=live)
    if (live or is_pending) != is_timed:
        st.session_state[_TIMED] = is_pending
        st.rerun()  # once more as a whole, to start or end the timer


def _choose_question(questions: list[Question]) -> Question:
    known = {question.key: question for question in questions}
    if len(questions) == 1:
        return questions[0]
    given = st.query_params.get("subject", "")
    chosen = given if given in known else questions[0].key
    st.info(
        f"The chosen sweeps ask {len(questions)} different questions. Scores on different data or "
        "under different notions of fairness cannot be compared, so each has a chart of its own.",
        icon=":material/call_split:",
    )
    st.segmented_control(
        "Question",
        list(known),
        format_func=lambda key: plain_text(
            f"{known[key].dataset}, {NOTIONS.get(known[key].notion, known[key].notion)}"
        ),
        default=chosen,
        required=True,
        key=f"tradeoffs-subject-{chosen}",
        on_change=_choose,
        args=(f"tradeoffs-subject-{chosen}",),
    )
    return known[chosen]


def _choose(key: str) -> None:
    for name in ("at_most", "at_least", "run", "prediction", "fairness"):
        st.query_params.pop(name, None)
    st.query_params["subject"] = st.session_state[key]


def _show_question(question: Question, *, live: bool) -> bool:
    """Draws one question; returns whether something is still being measured for it."""
    show_state(question)
    view = current_view(question)
    show_controls(question, view)
    with st.container(horizontal=True, vertical_alignment="center"):
        show_meaning(view)
        paper = choose_paper(question, view)
    points = points_of(question, view)
    if points.empty:
        _show_no_points(question, live=live)
        return False
    limits = current_limits(points)
    best = limits.best(points[(points["method"] != "unfair") & ~points["no_better"]])
    chances = {
        str(point["method"]): chance_of(question, view, point) for point in best.to_dict("records")
    }
    band = _band(question, view, points, limits, chances)
    unsure = uncertainty_of(question, view, points)
    clicked = show_fronts(
        question,
        view,
        points,
        band,
        paper=paper,
        limits=limits,
        marked=best["point"].tolist(),
        unsure=unsure,
    )
    show_collapsed(points)
    show_verdicts(question.runs)
    point = choose_point(points, clicked)
    if point is not None:
        show_point(question, point, unsure.answer(points, point))
    show_decision(question, view, points, limits, chances, unsure)
    show_refine(question, view, points, limits)
    show_attribute_fronts(question, view)
    show_hypervolumes(question, view, points)
    _show_exports(question)
    measured = any(chance.is_pending for chance in (band, *chances.values()))
    return measured or unsure.is_pending


def _band(
    question: Question,
    view: View,
    points: pd.DataFrame,
    limits: Limits,
    chances: dict[str, Chance],
) -> Chance:
    """Chance as the chart shows it: of the first choice, or of the setting nearest to the limit."""
    for chance in chances.values():
        if chance.is_pending or chance.words:
            return chance
    order = (points["fairness"] - limits.at_most).abs().sort_values(kind="stable").index
    nearest = (points.loc[index].to_dict() for index in order)
    readable = (point for point in nearest if readable_runs(question, point))
    return chance_of(question, view, next(readable, points.iloc[0].to_dict()))


def _show_no_points(question: Question, *, live: bool) -> None:
    done = int((question.runs["state"] == "done").sum())
    if done:
        st.info("No finished run has both of these scores. Choose another score above.")
    elif live:
        st.info(
            "The first run is still under way. Its point appears here by itself.",
            icon=":material/hourglass_top:",
        )
        st.skeleton(height=420)
    else:
        st.info(
            "No run of this sweep has finished. Resume it on the Train page, or choose another "
            "sweep above.",
            icon=":material/pause_circle:",
        )


def _show_exports(question: Question) -> None:
    """Draws the downloads; the chart itself is saved from its toolbar or below it."""
    st.header("Take it along", anchor=False)
    with st.container(horizontal=True):
        offer_report(question.sweeps, key="tradeoffs")
        st.download_button(
            "All runs as CSV",
            data=lambda: spreadsheet_csv(question.runs.assign(dataset_name=question.dataset)),
            file_name="runs.csv",
            mime="text/csv",
            key="tradeoffs-runs-csv",
            on_click="ignore",
            icon=":material/download:",
            help="One row per run with every setting, score and timing.",
        )
        for sweep in question.sweeps:
            _offer_toml(sweep, alone=len(question.sweeps) == 1)
    st.caption(
        "The sweep as TOML trains the same again: `frem sweep sweep.toml`. Below each chart are "
        "its table and the chart itself, as picture and as HTML."
    )


def _offer_toml(sweep: str, *, alone: bool) -> None:
    store = store_of(sweep)  # the click is answered where nobody knows who asked
    text = store.sweeps.spec(sweep)
    zipped = needs_tables(text)
    st.download_button(
        "Sweep as TOML" if alone else f"Sweep {sweep} as TOML",
        data=lambda: portable_file(text, store.tables),
        file_name=f"sweep-{sweep}.{'zip' if zipped else 'toml'}",
        mime="application/zip" if zipped else "application/toml",
        key=f"tradeoffs-toml-{sweep}",
        on_click="ignore",
        icon=":material/download:",
        help="In a zip with your table, which it needs on another computer." if zipped else None,
    )
