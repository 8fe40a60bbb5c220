"""The Train page before a dataset is chosen."""

import streamlit as st

from frem_core.datasets import available_datasets, dataset_card
from frem_core.figures import plain_text
from studio.choice import Choice, choose
from studio.link import page_link

_CARD_WIDTH = 270


def show_no_dataset() -> None:
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


def show_incomplete(choice: Choice) -> None:
    """Draws what is missing when a table was uploaded but its columns were not named."""
    st.info(
        "The columns of your table are not named yet: which one is predicted, and which one the "
        "prediction should not follow?",
        icon=":material/view_column:",
    )
    page_link("pages/1_Data.py", "Name the columns", icon=":material/arrow_forward:", choice=choice)
