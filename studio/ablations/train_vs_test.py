"""The same fronts on training rows and on test rows."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.ablations import compare_variants, conclude_fronts, conclude_train_vs_test
from frem_core.ablations.comparison import Split
from studio.ablations.areas import show_areas
from studio.ablations.fronts import UNFINISHED, draw_fronts
from studio.ablations.scores import choose_scores
from studio.ablations.subject import Subject

_TITLES: Final[dict[Split, str]] = {
    "train": "On the rows it was trained on",
    "test": "On rows it has never seen",
}


def show_train_vs_test(subject: Subject, runs: pd.DataFrame, *, is_complete: bool) -> None:
    """Draws both charts side by side and says whether what holds on one holds on the other.

    Args:
        subject: what is looked at.
        runs: the runs of its sweep.
        is_complete: whether no more runs are to come.
    """
    conclusion = st.container()
    prediction, fairness = choose_scores(subject)
    parts = {
        split: compare_variants(
            subject.ablation, runs, prediction=prediction, fairness=fairness, split=split
        )
        for split in _TITLES
    }
    if is_complete:
        words = conclude_train_vs_test(parts["train"], parts["test"])
        conclusion.success(words, icon=":material/lightbulb:")
    else:
        conclusion.caption(UNFINISHED)
    with st.grid(2, min_column_width=420, key="train-and-test") as grid:
        for split, title in _TITLES.items():
            with grid.cell():
                st.subheader(title, anchor=False)
                words = conclude_fronts(parts[split]) if is_complete else UNFINISHED
                draw_fronts(subject, runs, prediction, fairness, split, words)
                show_areas(
                    parts[split],
                    key=f"ablation-areas-{split}",
                    file_name=f"{subject.ablation.name}-{split}-areas",
                )
