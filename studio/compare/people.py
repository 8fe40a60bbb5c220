"""Whose rows the charts look at: everybody's, or those with a positive outcome."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from studio.compare.compared import ComparedRun
from studio.compare.score_names import notion_of, task_of

_FEWEST = 20


@dataclass(frozen=True)
class People:
    """The rows that count.

    Attributes:
        positive_only: whether only rows with Y = 1 count, as equal opportunity asks.
    """

    positive_only: bool

    def of(self, one: ComparedRun) -> NDArray[np.bool_]:
        """Which test rows of a run count, (n,)."""
        y = one.outputs.y
        return y == 1 if self.positive_only else np.ones(len(y), dtype=bool)


def choose_people(runs: pd.DataFrame, first: ComparedRun) -> People:
    """Draws the switch for classifications; the address remembers it."""
    if task_of(runs) != "classification" or int((first.outputs.y == 1).sum()) < _FEWEST:
        return People(positive_only=False)
    usual = notion_of(runs)
    notion = st.query_params.get("notion", usual)
    st.session_state["compare-people"] = notion == "eo"
    st.toggle(
        "Only people with a positive outcome (equal opportunity)",
        key="compare-people",
        on_change=_take_people,
        help="Demographic parity compares everybody; equal opportunity compares those whose true "
        "outcome is positive. This concerns the charts; the scores are what they are.",
    )
    return People(positive_only=notion == "eo")


def _take_people() -> None:
    st.query_params["notion"] = "eo" if st.session_state["compare-people"] else "dp"
