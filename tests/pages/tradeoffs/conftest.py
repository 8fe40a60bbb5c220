"""The store that the Trade-offs page reads."""

from pathlib import Path

import pytest

from frem_core.store import Store
from studio.store import close_store, the_store


@pytest.fixture
def store(home: Path) -> Store:
    close_store()
    return the_store()
