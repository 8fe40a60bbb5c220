"""Train: choose methods and settings, start a sweep and watch it."""

import streamlit as st

from studio.choice import current_choice
from studio.page import page
from studio.train.launch import SWEEP
from studio.train.plan import show_plan
from studio.train.sweep_view import show_sweep

LEAD = (
    "Train several methods at several strengths of fairness and see what fairness costs. "
    "Training goes on in the background: you may close this page and come back."
)

with page("Train", lead=LEAD):
    choice = current_choice()
    if SWEEP in st.query_params:
        show_sweep(st.query_params[SWEEP])
    else:
        show_plan(choice)
