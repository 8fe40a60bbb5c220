"""One front for each of several sensitive attributes, and one for all of them together."""

from dataclasses import replace

import streamlit as st

from frem_core.attributes import ALL_TOGETHER
from frem_core.evaluation import get_score
from frem_core.figures import pareto_fronts_figure, plain_text
from studio.chart import chart
from studio.style import is_dark
from studio.tradeoffs.points import points_of
from studio.tradeoffs.question import Question
from studio.tradeoffs.view import View, attribute_scores

_PANEL_WIDTH = 330


def show_attribute_fronts(question: Question, view: View) -> None:
    """Draws a front for each attribute and for all together, by the score in view."""
    base = view.fairness.name.partition("@")[0]
    names = [name for name in attribute_scores(question) if name.partition("@")[0] == base]
    if not names:
        return
    st.header("Each attribute, and all together", anchor=False)
    st.markdown(
        "A model can be fair in every attribute and unfair in a combination of them: the last "
        "chart looks at all of them together, where there are enough people."
    )
    with st.grid(len(names), min_column_width=_PANEL_WIDTH, key="attribute-fronts") as grid:
        for name in names:
            with grid.cell():
                _show_front(question, replace(view, fairness=get_score(name)))


def _show_front(question: Question, view: View) -> None:
    points = points_of(question, view)
    attribute = view.fairness.name.partition("@")[2]
    title = "all together" if attribute == ALL_TOGETHER else attribute
    st.markdown(f"**{plain_text(title)}**")
    if points.empty:
        st.caption("No finished run has this score.")
        return
    chart(
        pareto_fronts_figure(
            points,
            prediction="prediction",
            fairness="fairness",
            prediction_title=view.prediction.short_axis_title,
            fairness_title=view.fairness.short_axis_title,
            dark=is_dark(),
        ),
        points[["method", "words", "prediction", "fairness", "seeds"]],
        key=f"attribute-front-{question.key}-{view.key}",
        alt=f"{view.fairness.symbol} along x and {view.prediction.axis_symbol} along y; smallest "
        f"{view.fairness.symbol}: {points['fairness'].min():.3f}.",
        file_name=f"front-{view.fairness.name.replace('@', '-of-')}",
    )
