"""What the web server does besides answering."""

import subprocess
import sys
import weakref

from studio.server import collect_in_turn
from tests.pages.conftest import ROOT
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


def test_a_server_that_answers_has_its_imports_behind_it_and_says_nothing_of_them() -> None:
    code = "import app, sys; print({'torch', 'plotly', 'sqlalchemy'} <= set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("True", "")
