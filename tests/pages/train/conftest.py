"""The store that the Train page reads."""

from pathlib import Path

import pytest

from frem_core.store import Store
from studio.engine import finished_runs
from studio.store import close_store, the_store


@pytest.fixture
def store(home: Path) -> Store:
    close_store()
    finished_runs.clear()
    return the_store()
