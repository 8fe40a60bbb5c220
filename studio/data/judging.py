"""What counts as fair here, and which outcome counts as the positive one."""

from dataclasses import replace
from typing import Final

import streamlit as st

from frem_core.datasets import Dataset
from frem_core.figures import plain_text, shown_text
from studio.choice import Choice, change
from studio.words import target_title

_NOTIONS: Final = {
    "dp": "Everyone alike (demographic parity)",
    "eo": "Those with a positive outcome alike (equal opportunity)",
}


def show_judging(choice: Choice, dataset: Dataset) -> None:
    """Draws the choice of the fairness notion and, for a user's table, of the positive class."""
    if dataset.class_names is None:
        st.caption(
            "Fairness is judged over all rows (demographic parity): equal opportunity needs a "
            "target with two classes."
        )
        return
    with st.container(horizontal=True, gap="large", key="judging"):
        if choice.table_id is not None:
            _choose_positive(choice, dataset.class_names)
        _choose_notion(choice, dataset)


def _choose_positive(choice: Choice, class_names: tuple[str, str]) -> None:
    names = sorted(class_names)
    key = f"positive-{choice.dataset}-{choice.target}-{class_names[1]}"
    st.segmented_control(
        f"Positive outcome of {plain_text(choice.target, longest=30)}",
        names,
        default=class_names[1],
        required=True,
        format_func=shown_text,
        key=key,
        on_change=lambda: change(replace(choice, positive=st.session_state[key])),
        help="The outcome whose probability is predicted. Accuracy is the same either way; the "
        "positive rate and equal opportunity are about this one.",
    )


def _choose_notion(choice: Choice, dataset: Dataset) -> None:
    assert dataset.class_names is not None
    key = f"fairness-{choice.dataset}-{choice.fairness}"
    st.segmented_control(
        "Who is to be treated alike",
        list(_NOTIONS),
        default=choice.fairness,
        required=True,
        format_func=_NOTIONS.__getitem__,
        key=key,
        on_change=lambda: change(replace(choice, fairness=st.session_state[key])),
        help="Demographic parity: predictions must not follow the sensitive attribute among all "
        "rows, E[ŷ | S = s] = E[ŷ]. Equal opportunity: the same among the rows with "
        f"{plain_text(target_title(dataset))} = {plain_text(dataset.class_names[1])} only. "
        "Training starts with this notion.",
    )
