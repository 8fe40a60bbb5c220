"""What the web server does besides answering."""

import weakref

from studio.server import collect_in_turn
from tests.sweeps.processes import wait_until


class Ring:
    """Refers to itself, as figures do."""

    def __init__(self) -> None:
        self.itself = self


def test_what_pages_left_is_thrown_away_in_turn() -> None:
    left = weakref.ref(Ring())
    ended = collect_in_turn(every=0.02)
    wait_until(lambda: left() is None, "the ring was found")
    ended.set()
