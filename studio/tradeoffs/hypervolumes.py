"""One number for a whole front."""

import pandas as pd
import streamlit as st

from frem_core.figures import method_looks
from studio.decimals import decimals
from studio.tradeoffs.points import hypervolumes_of
from studio.tradeoffs.subject import Subject
from studio.tradeoffs.view import View


def show_hypervolumes(subject: Subject, view: View) -> None:
    """Draws the table of hypervolumes with their intervals and the common reference point."""
    table, (worst_prediction, worst_fairness) = hypervolumes_of(subject, view)
    st.header("Whole fronts in one number", anchor=False)
    st.markdown(
        "The **hypervolume** is the area of the chart that a method's front dominates: larger is "
        f"better. It is measured from the worst corner that any run reached, prediction "
        f"{worst_prediction:.3f} and unfairness {worst_fairness:.{decimals(worst_fairness)}f}, so "
        "it compares methods within this chart only. Overlapping intervals mean that the order "
        "may be chance."
    )
    looks = method_looks(table["method"])
    largest = float(table["hypervolume"].max()) or 1.0
    shown = pd.DataFrame(
        {
            "Method": [looks[name].title for name in table["method"]],
            "Hypervolume": table["hypervolume"],
            "Of the largest": 100 * table["hypervolume"] / largest,
            "95 % from": table["low"],
            "to": table["high"],
            "Seeds": table["seeds"],
        }
    )
    number = st.column_config.NumberColumn(format="%.5f")
    st.dataframe(
        shown,
        hide_index=True,
        placeholder="–",
        column_config={
            "Hypervolume": number,
            "95 % from": number,
            "to": number,
            "Of the largest": st.column_config.ProgressColumn(
                format="%.0f %%", min_value=0.0, max_value=100.0
            ),
        },
        key="tradeoffs-hypervolumes",
        alt="Hypervolume of each method with its bootstrap interval over seeds",
    )
    if (table["seeds"] == 1).any():
        st.caption("With one seed there is no interval: train more seeds to know how sure this is.")
