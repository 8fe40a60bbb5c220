"""The chosen dataset, or what is still missing to show it."""

from studio.choice import Choice
from studio.data.bias import show_bias
from studio.data.columns_form import show_columns_form
from studio.data.judging import show_judging
from studio.data.next_step import show_next_step
from studio.data.overview import show_overview
from studio.data.reliability import show_reliability
from studio.loading import load_choice


def show_dataset(choice: Choice | None) -> None:
    """Draws everything below the cards."""
    if choice is None:
        return
    if choice.table_id is not None:
        show_columns_form(choice)
    if choice.is_complete:
        dataset = load_choice(choice)
        show_overview(dataset)
        show_judging(choice, dataset)
        show_next_step(choice, key="next-step")
        show_bias(choice, dataset)
        show_reliability(choice, dataset)
        show_next_step(choice, key="next-step-below")
