"""Compare: finished runs side by side on the rows they were tested on."""

from studio.address import remember_address
from studio.compare.board import show_board
from studio.page import page

LEAD = (
    "Put trained models side by side: what they predict along the sensitive attribute, what their "
    "inner representation still says about it, and what that costs in accuracy."
)

with page("Compare", lead=LEAD):
    remember_address("compare")
    show_board()
