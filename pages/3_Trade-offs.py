"""Trade-offs: what fairness costs, method by method, and which setting keeps a promise."""

import streamlit as st

from studio.address import remember_address
from studio.page import page
from studio.store import show_about_examples, sweeps_and_examples
from studio.tradeoffs.sweeps import choose_sweeps, show_no_sweeps

LEAD = (
    "How much prediction quality does fairness cost? Every trained setting is a point: further up "
    "predicts better, further left is fairer. Say what you need, and see which method can promise "
    "it."
)

with page("Trade-offs", lead=LEAD):
    remember_address("trade-offs")
    sweeps = sweeps_and_examples()
    if sweeps.empty:
        show_no_sweeps()
    elif chosen := choose_sweeps(sweeps):
        show_about_examples(chosen)
        # Here: it brings torch along, and the empty page should not wait for that.
        from studio.tradeoffs.body import show_body

        show_body(chosen)
    else:
        st.info("Choose at least one sweep above.", icon=":material/arrow_upward:")
