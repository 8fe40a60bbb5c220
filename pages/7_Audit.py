"""Audit: what any model's predictions say along a continuous attribute, with certainty."""

from studio.address import remember_address
from studio.audit.board import show_board
from studio.page import page

LEAD = (
    "Bring the predictions of any model, or choose a trained run, and see how far they follow a "
    "continuous attribute such as age: without bins, with bands and intervals, as a document."
)

with page("Audit", lead=LEAD):
    remember_address("audit")
    show_board()
