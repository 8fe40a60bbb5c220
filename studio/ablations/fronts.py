"""The fronts of the variants, how much they differ, and what follows."""

import pandas as pd
import streamlit as st

from frem_core.ablations import (
    compare_variants,
    conclude_fronts,
    variant_fronts,
    variant_looks,
)
from frem_core.ablations.comparison import Split
from frem_core.evaluation import get_score
from frem_core.figures import pareto_fronts_figure, shown_text
from studio.ablations.areas import show_areas
from studio.ablations.scores import choose_scores
from studio.ablations.subject import Subject
from studio.chart import chart
from studio.theme import is_dark

UNFINISHED = "What follows from it is said when all models are trained."


def show_fronts(subject: Subject, runs: pd.DataFrame, *, is_complete: bool) -> None:
    """Draws conclusion, fronts and areas.

    Args:
        subject: what is looked at.
        runs: the runs of its sweep.
        is_complete: whether no more runs are to come.
    """
    conclusion = st.container()
    prediction, fairness = choose_scores(subject)
    comparison = compare_variants(subject.ablation, runs, prediction=prediction, fairness=fairness)
    words = conclude_fronts(comparison) if is_complete else UNFINISHED
    conclusion.success(words, icon=":material/lightbulb:") if is_complete else conclusion.caption(
        words
    )
    draw_fronts(subject, runs, prediction, fairness, "test", words)
    show_areas(comparison, key="ablation-areas", file_name=f"{subject.ablation.name}-areas")


def draw_fronts(
    subject: Subject, runs: pd.DataFrame, prediction: str, fairness: str, split: Split, words: str
) -> None:
    """Draws the fronts of all variants on one split.

    Args:
        subject: what is looked at.
        runs: the runs of its sweep.
        prediction: name of the prediction score.
        fairness: name of the fairness score.
        split: ``"train"`` or ``"test"``.
        words: the main point, for readers who cannot see the chart.
    """
    ablation = subject.ablation
    table = variant_fronts(ablation, runs, prediction=prediction, fairness=fairness, split=split)
    titles = {variant.name: variant.title for variant in ablation.all_variants}
    chart(
        pareto_fronts_figure(
            table,
            prediction=prediction,
            fairness=fairness,
            prediction_title=get_score(prediction).axis_title,
            fairness_title=get_score(fairness).axis_title,
            series="variant",
            looks=variant_looks(ablation),
            dark=is_dark(),
            height=460,
        ),
        table.assign(variant=table["variant"].map(titles)).drop(columns="words"),
        key=f"ablation-fronts-{split}",
        alt=f"Trade-off of {shown_text(', '.join(titles.values()), longest=None)} on {split} rows. "
        f"{words}",
        file_name=f"{ablation.name}-{split}",
    )
