"""Plans a sweep on a dataset: with the form, or from a file."""

from typing import Final

import streamlit as st

from frem_core.datasets import Dataset, available_datasets, dataset_card
from frem_core.errors import FremError
from frem_core.figures import plain_text, shown_text
from studio.choice import Choice, choose
from studio.guard import show_error
from studio.link import page_link
from studio.loading import load_choice, load_described
from studio.train.launch import show_launch
from studio.train.sweep_file import show_spec_file
from studio.train.sweep_form import sweep_form
from studio.train.sweeps import show_sweep_list
from studio.words import the_sensitive, the_target

_WAYS: Final = {"form": "With a form", "file": "From a file"}
_CARD_WIDTH = 270


def show_plan(choice: Choice | None) -> None:
    """Draws everything before a sweep is started."""
    show_sweep_list()
    way = st.segmented_control(
        "Describe a new sweep",
        list(_WAYS),
        default="form",
        format_func=_WAYS.__getitem__,
        required=True,
        key="train-way",
        help="A sweep trains several methods with several settings on one dataset, to be "
        "compared with each other.",
        persist_state="session",
    )
    if way == "file":
        _show_file()
    elif choice is None:
        _show_no_dataset()
    elif not choice.is_complete:
        _show_incomplete(choice)
    elif choice.table_id is None and choice.dataset not in available_datasets():
        show_error(
            f"The address names a dataset '{shown_text(choice.dataset, longest=40)}', which is "
            "not built in. Take another one below."
        )
        _show_no_dataset()
    else:
        _show_form(choice)


def _show_form(choice: Choice) -> None:
    dataset = load_choice(choice)
    _show_dataset(choice, dataset)
    try:
        spec = sweep_form(choice, dataset)
        show_launch(spec, dataset)
    except FremError as error:
        show_error(error, title="This cannot be trained yet")


def _show_file() -> None:
    try:
        spec = show_spec_file()
        if spec is not None:
            show_launch(spec, load_described(spec.dataset))
    except FremError as error:
        show_error(error, title="This file cannot be used")


def _show_dataset(choice: Choice, dataset: Dataset) -> None:
    built_in = choice.dataset in available_datasets()
    title = dataset_card(choice.dataset).title if built_in else dataset.name
    kind = "a number"
    if dataset.task == "classification":
        kind = "yes or no" if dataset.n_classes == 2 else f"one of {dataset.n_classes} classes"
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        border=True,
        key="train-data",
    ):
        st.markdown(
            f"**{plain_text(title)}**: {dataset.n_rows:,} rows. Predicts "
            f"**{plain_text(the_target(dataset))}** ({kind}); the prediction should not follow "
            f"**{plain_text(the_sensitive(dataset))}**."
        )
        page_link("pages/1_Data.py", "Change", icon=":material/database:", choice=choice)


def _show_no_dataset() -> None:
    """Draws what to do next: take a built-in dataset with one click, or bring a table."""
    st.header("First, a dataset", anchor=False)
    st.markdown(
        "Methods are trained on a dataset with a target and one continuous sensitive attribute. "
        "Take one that is built in, or bring a table of your own."
    )
    with st.grid(3, min_column_width=_CARD_WIDTH, border=True, key="train-cards") as grid:
        for name in available_datasets():
            card = dataset_card(name)
            with grid.cell():
                st.subheader(plain_text(card.title), anchor=False)
                st.markdown(plain_text(card.question, longest=None))
                st.button(
                    "Train on this",
                    key=f"train-on-{name}",
                    icon=":material/model_training:",
                    help=f"Use {card.title}",
                    on_click=choose,
                    args=(Choice.built_in(name),),
                )
        with grid.cell():
            st.subheader("A table of your own", anchor=False)
            st.markdown("Upload a CSV, Parquet or Excel file and say what its columns are.")
            page_link("pages/1_Data.py", "Bring a table", icon=":material/upload_file:")


def _show_incomplete(choice: Choice) -> None:
    """Draws what is missing when a table was uploaded but its columns were not named."""
    st.info(
        "The columns of your table are not named yet: which one is predicted, and which one the "
        "prediction should not follow?",
        icon=":material/view_column:",
    )
    page_link("pages/1_Data.py", "Name the columns", icon=":material/arrow_forward:", choice=choice)
