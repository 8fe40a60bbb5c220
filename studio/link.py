"""Links between pages that carry the view along."""

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from studio.choice import Choice, address_of


def page_link(
    script: str, label: str, *, icon: str, choice: Choice | None = None, **address: str | list[str]
) -> None:
    """Draws a link to another page, with a dataset and more parameters in its address.

    A page that does not exist, or a script that is run on its own, goes without.

    Args:
        script: e.g. ``"pages/1_Data.py"``.
        label: of the link.
        icon: e.g. ``":material/arrow_forward:"``.
        choice: the dataset to carry along.
        address: further parameters, e.g. ``sweep="1a2b"``.
    """
    parameters = (address_of(choice) if choice is not None else {}) | address
    try:
        st.page_link(script, label=label, icon=icon, query_params=parameters)
    except (StreamlitPageNotFoundError, KeyError):
        return
