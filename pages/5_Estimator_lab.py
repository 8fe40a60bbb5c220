"""Estimator lab: estimators of EIPM on distributions whose true EIPM is known."""

from studio.lab.form import (
    current_settings,
    has_been_started,
    show_explanation,
    show_form,
    show_what_comes,
)
from studio.lab.results import show_results
from studio.page import page

LEAD = (
    "How well can unfairness along a continuous attribute be measured from a sample? Draw many "
    "samples from a distribution whose true value is known, and watch how far each estimator is "
    "off."
)

with page("Estimator lab", lead=LEAD):
    show_explanation()
    settings = current_settings()
    show_form(settings)
    if has_been_started():
        show_results(settings)
    else:
        show_what_comes()
