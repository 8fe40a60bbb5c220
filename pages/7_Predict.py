"""Predict: what a trained model says about new rows."""

from studio.page import page
from studio.takehome.predict import show_predict

LEAD = (
    "Give a model new rows and take its predictions along. The sensitive attribute is not needed; "
    "what the model never saw is counted."
)

with page("Predict", lead=LEAD):
    show_predict()
