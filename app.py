"""FREM Studio, Start page: what this is, an example with one click, and what has been trained."""

import streamlit as st

from studio.page import page
from studio.start.live import show_live
from studio.start.picture import show_picture
from studio.start.welcome import go_to_dataset, show_welcome

with page("FREM Studio"):
    go_to_dataset()
    words, picture = st.columns([1, 1], gap="large", vertical_alignment="center")
    with words:
        show_welcome()
    with picture:
        show_picture()
    show_live()
