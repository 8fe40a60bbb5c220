"""Cards to choose a dataset from."""

import streamlit as st

from frem_core.datasets import available_datasets, dataset_card
from frem_core.figures import plain_text
from studio.choice import UPLOAD_ERROR, Choice, choose
from studio.data.upload import show_upload
from studio.tables import is_kept

_CARD_WIDTH = 270


def show_choice_of_dataset(current: Choice | None) -> None:
    """Draws the cards; once a dataset is chosen they step aside for it."""
    if current is None:
        _show_cards(None)
        return
    needed = (
        "reading" in st.query_params
        or st.session_state.get(UPLOAD_ERROR) is not None
        or not _exists(current)
    )
    with st.expander(
        "Choose another dataset",
        expanded=needed,
        icon=":material/database:",
        key=f"cards-{needed}",
    ):
        _show_cards(current)


def _exists(choice: Choice) -> bool:
    if choice.table_id is None:
        return choice.dataset in available_datasets()
    return is_kept(choice.table_id)


def _show_cards(current: Choice | None) -> None:
    chosen = current.dataset if current else None
    st.header("Bring a table of your own", anchor=False)
    with st.container(border=True, key="upload-card"):
        show_upload(current)
    st.header("Or take one that is built in", anchor=False)
    with st.grid(3, min_column_width=_CARD_WIDTH, border=True, key="dataset-cards") as grid:
        for name in available_datasets():
            with grid.cell():
                _show_card(name, chosen=name == chosen)


def _show_card(name: str, *, chosen: bool) -> None:
    card = dataset_card(name)
    st.subheader(plain_text(card.title), anchor=False)
    st.markdown(plain_text(card.question, longest=None))
    st.caption(plain_text(card.description, longest=None))
    st.button(
        "Chosen" if chosen else "Look at this dataset",
        key=f"choose-{name}",
        type="primary" if chosen else "secondary",
        icon=":material/check:" if chosen else None,
        help=f"Open {card.title}",
        on_click=choose,
        args=(Choice(name),),
    )
