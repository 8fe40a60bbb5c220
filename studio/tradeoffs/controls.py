"""The choice of scores, and what they mean."""

import streamlit as st

from frem_core.evaluation import get_score
from frem_core.metrics import Metric
from studio.address import to_address
from studio.tradeoffs.subject import Subject
from studio.tradeoffs.view import SPLITS, View, scores_for


def show_controls(subject: Subject, view: View) -> None:
    """Draws the choices of both axes and of the rows; they go through the address."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _choose_score(subject, "prediction", "Prediction score", view.prediction, width=300)
        _choose_score(subject, "fairness", "Unfairness score", view.fairness, width=410)
        st.segmented_control(
            "Measured on",
            list(SPLITS),
            format_func=SPLITS.__getitem__,
            default=view.split,
            required=True,
            key=f"tradeoffs-split-{view.split}",
            on_change=_choose,
            args=("split", f"tradeoffs-split-{view.split}"),
            help="Test rows were not used for training. A method that is good on training rows "
            "only has learned them by heart.",
        )


def show_meaning(view: View) -> None:
    """Draws what both scores measure, on demand."""
    with st.popover("What the scores mean", icon=":material/function:"):
        for metric in (view.prediction, view.fairness):
            _explain(metric)


def _choose_score(
    subject: Subject, purpose: str, label: str, chosen: Metric, *, width: int
) -> None:
    names = scores_for(subject, purpose)
    key = f"tradeoffs-{purpose}-{subject.key}-{chosen.name}"
    st.selectbox(
        label,
        names,
        index=names.index(chosen.name),
        format_func=_label,
        key=key,
        on_change=_choose,
        args=(purpose, key),
        width=width,
    )


def _choose(name: str, key: str) -> None:
    # Limits on one score mean nothing on another.
    for limit in ("at_most", "at_least"):
        st.query_params.pop(limit, None)
    to_address(name, key)


def _label(name: str) -> str:
    metric = get_score(name)
    return f"{metric.axis_label} ({metric.axis_symbol})"


def _explain(metric: Metric) -> None:
    st.markdown(f"**{metric.axis_label} ({metric.axis_symbol})** · {metric.direction}")
    st.code(f"{metric.symbol} = {metric.formula}", language=None, wrap_lines=True)
    st.markdown(metric.help)
