"""Ablations: change one choice behind FREM at a time and see what it does, on any dataset."""

from studio.ablations.chooser import choose_dataset, show_cards, show_tabs
from studio.ablations.detail import show_detail
from studio.ablations.experiment import current_experiment
from studio.address import remember_address
from studio.page import page

LEAD = (
    "How much do the choices behind FREM matter? Each question trains a few variants that differ "
    "in one respect and compares their trade-offs. One click starts it; nothing is trained twice."
)

with page("Ablations", lead=LEAD):
    remember_address("ablations")
    choice = choose_dataset()
    experiment = current_experiment(choice)
    if experiment is None:
        show_cards(choice)
    else:
        show_tabs(choice, experiment)
        show_detail(experiment)
