"""The example: one click starts it, and the page leads through what comes of it to an answer."""

from typing import Any, Final

import pandas as pd
import streamlit as st

from frem_core.figures.front_points import constant_of, front_points
from frem_core.pareto import best_under_constraints
from frem_core.sweeps import example_sweep
from frem_core.words import per_cent
from studio.choice import Choice
from studio.link import page_link
from studio.loading import load_choice
from studio.store import runs_table, sweeps_table
from studio.submitted import start_once, submitted_sweep

_CHOICE: Final = Choice.built_in("crime")
_PREDICTION, _FAIRNESS = "mae", "hgr"
_SHARE: Final = 0.5


def show_example(sweep: str | None) -> None:
    """Draws the question, and below it either the button or the way through the results.

    Args:
        sweep: id of the example's sweep, or None when it was not started yet.
    """
    with st.container(border=True, key="example"):
        st.subheader(
            "Crime: how much accuracy does fairness in the share of Black residents cost?",
            anchor=False,
        )
        if sweep is None:
            _show_offer()
        else:
            _show_steps(sweep)


def find_example() -> str | None:
    """The id of the example's sweep; the dataset is looked at only when there may be one."""
    return submitted_sweep(example_sweep(), _CHOICE)


def _show_offer() -> None:
    st.markdown(
        f"One click trains {example_sweep().count()} small models on this computer: one that "
        "ignores fairness, and three methods at several strengths of fairness. First results are "
        "there in about a minute, and this page leads you through them."
    )
    if st.button(
        "Run the example", type="primary", icon=":material/play_arrow:", key="run-example"
    ):
        _start()


def _start() -> None:
    with st.spinner("Starting …"):
        started = start_once(example_sweep(), load_choice(_CHOICE))
    if started:
        st.rerun()


def _show_steps(sweep: str) -> None:
    sweeps = sweeps_table()
    row = sweeps[sweeps["id"] == sweep].iloc[0]
    answer = answer_of(runs_table(sweep)) if row["done"] else None
    if answer is not None:
        st.markdown(answer)
    _show_training(sweep, row)
    st.markdown("**2. See the trade-off.** Every model is a point: further up predicts better.")
    _link("pages/3_Trade-offs.py", "Open the trade-offs", sweep, row)
    st.markdown("**3. Compare models.** See where along the attribute each one is unfair.")
    _link("pages/4_Compare.py", "Compare them", sweep, row)


def _show_training(sweep: str, row: "pd.Series[Any]") -> None:
    done, total = int(row["done"]), int(row["runs"])
    if row["queued"] or row["running"]:
        st.markdown("**1. Watch it train.** It goes on when you leave this page.")
        st.progress(float(row["progress"]), text=f"{done} of {total} models trained")
    elif done == total:
        st.markdown(f"**1. Look at the training.** All {total} models are trained.")
    else:
        st.markdown(
            f"**1. Watch it train.** {done} of {total} models are trained; the others failed or "
            "were cancelled."
        )
        if st.button("Train the rest", icon=":material/replay:", key="resume-example"):
            _start()
    page_link("pages/2_Train.py", "Open the training", icon=":material/monitoring:", sweep=sweep)


def _link(script: str, label: str, sweep: str, row: "pd.Series[Any]") -> None:
    if row["done"]:
        page_link(script, label, icon=":material/arrow_forward:", sweep=sweep)
    else:
        st.caption("As soon as the first models are trained.")


def answer_of(runs: pd.DataFrame) -> str | None:
    """Says what FREM costs where it at least halves the dependence; None while that is unknown.

    Args:
        runs: the runs of the example, finished or not.
    """
    points = front_points(runs, prediction=_PREDICTION, fairness=_FAIRNESS)
    ordinary = points[points["method"] == "unfair"]
    fair = points[points["method"] == "frem"]
    if ordinary.empty or fair.empty:
        return None
    useful = fair[~fair["no_better"]]
    before = ordinary.iloc[0]
    limit = _SHARE * float(before["fairness"])
    best = best_under_constraints(useful, "prediction", "max", at_most={"fairness": limit})
    if best.empty:
        least = fair["fairness"].min()
        return (
            f"**So far:** without fairness the dependence (HGR) is {before['fairness']:.2f}; FREM "
            f"brings it down to {least:.2f} at best. More models are still to come, or more "
            "fairness is needed."
        )
    after = best.iloc[0]
    error, larger = 1 - float(before["prediction"]), 1 - float(after["prediction"])
    # A rate is predicted: its error has no points, as the share of right answers would have.
    cost = (
        f"makes the mean error {per_cent(larger / error - 1)} larger"
        if larger - error > 0.0005
        else "does not make the mean error larger"
    )
    so_far = "" if (runs["state"] == "done").all() else " so far"
    return (
        f"**The answer{so_far}:** at least halving the dependence on the share of Black residents "
        f"(HGR from {before['fairness']:.2f} to {after['fairness']:.2f}) {cost}: it goes from "
        f"{error:.3f} to {larger:.3f} with FREM, {after['words']}{_constant_words(points)}."
    )


def _constant_words(points: pd.DataFrame) -> str:
    constant = constant_of(points)
    if constant is None:
        return ""
    return f"; predicting the same for everybody would be off by {1 - constant:.3f}"
