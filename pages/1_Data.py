"""Data: choose or bring a table and see how it depends on its sensitive attribute."""

from studio.choice import current_choice
from studio.data.choose import show_choice_of_dataset
from studio.data.overview import show_dataset
from studio.guard import guard
from studio.page import page

LEAD = (
    "Choose a dataset or bring your own table. See who is in it, how much its columns already "
    "give away about the sensitive attribute, and where along that attribute there are enough "
    "rows to say anything."
)

with page("Data", lead=LEAD):
    choice = current_choice()
    with guard():
        show_choice_of_dataset(choice)
    show_dataset(choice)
