"""Health: engine, workers, queue, disk and slow queries, for administrators."""

from studio.health.board import show_board
from studio.page import page

with page("Health", lead="How the server is doing. For administrators."):
    show_board()
