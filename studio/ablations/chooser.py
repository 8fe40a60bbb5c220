"""Chooses the dataset and the question."""

from dataclasses import replace
from typing import Any

import streamlit as st

from frem_core.ablations import get_ablation
from frem_core.datasets import available_datasets, dataset_card
from frem_core.figures import shown_text
from frem_core.words import counted
from studio.ablations.experiment import (
    ABLATION,
    Experiment,
    ablation_names,
    current_effort,
)
from studio.choice import Choice, change, current_choice
from studio.link import page_link
from studio.store import sweeps_table
from studio.tables import find_table, is_kept

_USUAL = Choice.built_in("crime")
_CARD_WIDTH = 290


def choose_dataset() -> Choice:
    """Draws the choice of the dataset and returns it; Communities and Crime at first."""
    chosen = current_choice()
    usable = chosen is not None and _is_usable(chosen)
    current = chosen if usable and chosen is not None else _USUAL
    options = [Choice.built_in(name) for name in available_datasets()]
    if current.table_id is not None:
        options.append(current)
    place = next(number for number, one in enumerate(options) if one.dataset == current.dataset)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    key = f"ablation-dataset-{current.dataset}"
    left.selectbox(
        "Dataset",
        range(len(options)),
        index=place,
        format_func=lambda number: _title(options[number]),
        key=key,
        on_change=lambda: change(options[st.session_state[key]]),
        help="Any dataset, your own tables too: choose or upload one on the Data page first.",
    )
    with right:
        page_link("pages/1_Data.py", "Use a table of my own", icon=":material/upload_file:")
    if chosen is not None and not usable:
        st.info(
            "The table chosen before is gone or its columns are not named yet; Communities and "
            "Crime is shown instead.",
            icon=":material/info:",
        )
    # Ablations follow the paper, which compares under demographic parity.
    return replace(current, fairness="dp")


def _is_usable(choice: Choice) -> bool:
    if choice.table_id is None:
        return choice.dataset in available_datasets()
    return choice.is_complete and is_kept(choice.table_id)


def _title(choice: Choice) -> str:
    if choice.table_id is None:
        return dataset_card(choice.dataset).title
    return shown_text(find_table(choice.table_id).name, longest=50)


def show_cards(choice: Choice) -> None:
    """Draws one card per question, with how far it is."""
    with st.grid(3, min_column_width=_CARD_WIDTH, border=True, key="ablation-cards") as grid:
        for name in ablation_names():
            experiment = Experiment(get_ablation(name), choice, current_effort())
            with grid.cell():
                st.subheader(experiment.ablation.title, anchor=False)
                st.markdown(experiment.ablation.question)
                st.caption(_state_words(experiment))
                st.button(
                    "Look into it",
                    key=f"ablation-{name}",
                    help=experiment.ablation.title,
                    on_click=_open,
                    args=(name,),
                )


def show_tabs(choice: Choice, experiment: Experiment) -> None:
    """Draws the questions as one row, with the current one marked."""
    names = ablation_names()
    key = f"ablation-tabs-{experiment.ablation.name}"
    st.pills(
        "Question",
        names,
        default=experiment.ablation.name,
        required=True,
        format_func=lambda name: get_ablation(name).title,
        key=key,
        on_change=lambda: _open(st.session_state[key]),
    )


def _open(name: str) -> None:
    st.query_params[ABLATION] = name


def _state_words(experiment: Experiment) -> str:
    sweep = experiment.sweep
    if sweep is None:
        return f"Not started · {counted(experiment.spec.count(), 'model')}"
    sweeps = sweeps_table()
    row: Any = next(sweeps[sweeps["id"] == sweep].itertuples())
    state = "Training" if row.queued or row.running else "Trained"
    return f"{state}: {row.done:,} of {row.runs:,} models"
