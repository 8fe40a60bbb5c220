"""Which scores the axes of the chart show: chosen, explained, and beside the paper's numbers."""

from dataclasses import dataclass
from typing import Final, Literal

import pandas as pd
import streamlit as st

from frem_core.evaluation import available_scores, get_score
from frem_core.metrics import Metric, usual_metric
from frem_core.paper import paper_points, paper_scores
from studio.address import to_address
from studio.chart import kept
from studio.tradeoffs.question import Question
from studio.verdicts import first_fairness

SPLITS: Final = {"test": "Test rows", "train": "Training rows"}

Purpose = Literal["prediction", "fairness"]


@dataclass(frozen=True)
class View:
    """The axes of the chart.

    Attributes:
        prediction: the score along y.
        fairness: the score along x.
        split: ``"test"`` or ``"train"``.
    """

    prediction: Metric
    fairness: Metric
    split: str

    @property
    def scores(self) -> dict[str, str]:
        """The view as arguments of `front_points`."""
        return {
            "prediction": self.prediction.name,
            "fairness": self.fairness.name,
            "split": self.split,
        }

    @property
    def key(self) -> str:
        """Names the view in keys of widgets whose values make sense for these axes only."""
        return f"{self.prediction.name}-{self.fairness.name}-{self.split}"


def current_view(question: Question) -> View:
    """The axes in the address; what is missing or not defined for the task is the usual one."""
    split = st.query_params.get("split", "test")
    return View(
        prediction=_score_in_address(question, "prediction", usual_metric(question.task)),
        fairness=_score_in_address(question, "fairness", first_fairness(question.runs)),
        split=split if split in SPLITS else "test",
    )


def _score_in_address(question: Question, purpose: Purpose, usual: Metric) -> Metric:
    given = st.query_params.get(purpose, "")
    return get_score(given) if given in _offered(question, purpose) else usual


def attribute_scores(question: Question) -> list[str]:
    """Scores of each of several sensitive attributes and of all together, as its runs have them."""
    named = [str(name).removeprefix("test.") for name in question.runs.columns]
    return [name for name in named if "@" in name and "." not in name.partition("@")[0]]


def _offered(question: Question, purpose: Purpose) -> list[str]:
    usual = available_scores(question.task, purpose)
    return usual + (attribute_scores(question) if purpose == "fairness" else [])


def show_controls(question: Question, view: View) -> None:
    """Draws the choices of both axes and of the rows; they go through the address."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _choose_score(question, "prediction", "Prediction score", view.prediction, width=300)
        _choose_score(question, "fairness", "Unfairness score", view.fairness, width=410)
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
    question: Question, purpose: Purpose, label: str, chosen: Metric, *, width: int
) -> None:
    names = _offered(question, purpose)
    key = f"tradeoffs-{purpose}-{question.key}-{chosen.name}"
    st.selectbox(
        label,
        names,
        index=names.index(chosen.name),
        format_func=lambda name: get_score(name).axis_full_name,
        key=key,
        on_change=_choose,
        args=(purpose, key),
        width=width,
    )


def _choose(name: str, key: str) -> None:
    # A limit on one score means nothing on another; on other rows it means the same.
    limit = {"prediction": "at_least", "fairness": "at_most"}.get(name)
    if limit is not None:
        st.query_params.pop(limit, None)
    to_address(name, key)


def _explain(metric: Metric) -> None:
    st.markdown(f"**{metric.axis_full_name}** · {metric.direction}")
    st.code(f"{metric.symbol} = {metric.formula}", language=None, wrap_lines=True)
    st.markdown(metric.help)


def choose_paper(question: Question, view: View) -> pd.DataFrame | None:
    """Draws a switch where the paper prints these scores; returns them when it is on."""
    if question.notion != "dp" or question.builtin not in set(paper_scores()["dataset"]):
        return None
    printed = kept(paper_points, question.builtin, view.prediction.name, view.fairness.name)
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
        else f"The paper prints {_printed_scores(question.builtin)} on test rows. Choose these "
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
