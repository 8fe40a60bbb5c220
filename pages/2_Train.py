"""Train: choose methods and settings, start a sweep and watch it."""

import streamlit as st

from studio.choice import current_choice
from studio.page import page
from studio.train.plan import show_plan
from studio.train.sweep_view import show_sweep
from studio.train.sweeps import opened_sweep

LEAD = (
    "Train several methods at several strengths of fairness and see what fairness costs. "
    "Training goes on in the background: you may close this page and come back."
)

with page("Train", lead=LEAD):
    came_by_menu = not st.query_params
    choice = current_choice()
    sweep = opened_sweep(choice, came_by_menu=came_by_menu)
    if sweep is None:
        show_plan(choice)
    else:
        show_sweep(sweep)
