"""FREM Studio, Start page: choose a dataset and see how it depends on its sensitive attribute."""

from studio.choice import current_choice
from studio.data.choose_dataset import show_choice_of_dataset
from studio.data.dataset_view import show_dataset
from studio.guard import guard
from studio.page import page

LEAD = (
    "A model can follow a person's age, income or neighbourhood even when it is never told about "
    "it. FREM Studio trains models whose inner representation says as little as possible about "
    "such a continuous attribute, and shows what that costs in accuracy. Start with a dataset and "
    "see how much of the sensitive attribute its columns already give away."
)

with page("FREM Studio", lead=LEAD):
    choice = current_choice()
    with guard():
        show_choice_of_dataset(choice)
    show_dataset(choice)
