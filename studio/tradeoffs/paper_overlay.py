"""The paper's printed numbers beside one's own."""

import pandas as pd
import streamlit as st

from frem_core.evaluation import get_score
from frem_core.paper import paper_points, paper_scores
from studio.tradeoffs.subject import Subject
from studio.tradeoffs.view import View


def choose_paper(subject: Subject, view: View) -> pd.DataFrame | None:
    """Draws a switch where the paper prints these scores; returns them when it is on."""
    if subject.notion != "dp" or subject.builtin not in set(paper_scores()["dataset"]):
        return None
    printed = paper_points(subject.builtin, view.prediction.name, view.fairness.name)
    is_there = len(printed) > 0 and view.split == "test"
    key = "tradeoffs-paper" if is_there else "tradeoffs-no-paper"
    shown = st.toggle(
        "Show the paper's numbers",
        value=is_there and st.query_params.get("paper") == "1",
        key=key,
        disabled=not is_there,
        on_change=_remember_paper,
        args=(key,),
        help="Hollow points: one model of each method as printed in the FREM paper "
        f"({printed['table'].iloc[0]}), from its own splits and settings."
        if is_there
        else f"The paper prints {_printed_scores(subject.builtin)} on test rows. Choose these "
        "scores to see its numbers beside yours.",
    )
    return printed if shown and is_there else None


def _printed_scores(dataset: str) -> str:
    scores = paper_scores()
    metrics = [
        get_score(name) for name in scores.loc[scores["dataset"] == dataset, "score"].unique()
    ]
    return ", ".join(metric.axis_symbol for metric in metrics)


def _remember_paper(key: str) -> None:
    if st.session_state[key]:
        st.query_params["paper"] = "1"
    else:
        st.query_params.pop("paper", None)
