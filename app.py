"""FREM Studio, Start page: what this is, an example with one click, and what has been trained."""

from studio.page import page
from studio.start.live import go_to_dataset, show_live

with page("FREM Studio"):
    go_to_dataset()
    show_live()
