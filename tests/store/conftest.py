import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from frem_core.store import Store
from tests.store.postgresql import create_database, running_server

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    with running_server() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"])
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the same store as often as called, as several processes would."""
    url = None
    if request.param == "postgresql":
        server = request.getfixturevalue("postgresql_server")
        url = create_database(server, f"test{next(_numbers)}")
    opened: list[Store] = []

    def open_store() -> Store:
        opened.append(Store(url, tmp_path / "home"))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


@pytest.fixture
def store(open_again: Callable[[], Store]) -> Store:
    return open_again()
