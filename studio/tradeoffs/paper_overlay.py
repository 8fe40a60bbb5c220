"""The paper's printed numbers beside one's own."""

import pandas as pd
import streamlit as st

from frem_core.paper import paper_points
from studio.tradeoffs.subject import Subject
from studio.tradeoffs.view import View


def choose_paper(subject: Subject, view: View) -> pd.DataFrame | None:
    """Draws a switch where the paper prints these scores; returns them when it is on."""
    printed = paper_points(subject.builtin, view.prediction.name, view.fairness.name)
    if printed.empty or subject.notion != "dp" or view.split != "test":
        return None
    key = "tradeoffs-paper"
    shown = st.toggle(
        "Show the paper's numbers",
        value=st.query_params.get("paper") == "1",
        key=key,
        on_change=_remember_paper,
        args=(key,),
        help=f"Hollow points: one model of each method as printed in the FREM paper "
        f"({printed['table'].iloc[0]}), from its own splits and settings.",
    )
    return printed if shown else None


def _remember_paper(key: str) -> None:
    if st.session_state[key]:
        st.query_params["paper"] = "1"
    else:
        st.query_params.pop("paper", None)
