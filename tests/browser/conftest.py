"""A dashboard and a real Chromium for the browser tests."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from frem_core.store import Store
from frem_core.sweeps.engine_lease import EngineLease
from studio.page import menu_entries
from tests.sweeps.processes import end_engine
from tools.dashboard import PATIENCE, Dashboard, settle, start_dashboard

__all__ = ["PATIENCE", "Dashboard", "address", "settle", "without_engine"]

expect.set_options(timeout=PATIENCE)


def address(page: Page) -> dict[str, list[str]]:
    """What the address of a page says after its question mark."""
    return parse_qs(urlparse(page.url).query)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks all tests of this folder."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def dashboards() -> Iterator[list[Dashboard]]:
    """All that were started; at the end of the session each has ended or is killed and named."""
    started: list[Dashboard] = []
    yield started
    for dashboard in started:
        dashboard.process.terminate()  # all at once; each takes a moment to end
    hung = [trouble for dashboard in started if (trouble := dashboard.stop())]
    assert not hung, "\n".join(hung)


@pytest.fixture(scope="module")
def start_server(dashboards: list[Dashboard]) -> Iterator[Callable[..., Dashboard]]:
    """Starts further dashboards, each over a data folder; asked to end with the file."""
    started: list[Dashboard] = []

    def start(home: Path, **settings: Any) -> Dashboard:
        started.append(start_dashboard(home, **settings))
        dashboards.append(started[-1])
        return started[-1]

    yield start
    for dashboard in started:
        dashboard.process.terminate()  # the end of the session looks whether it did


@pytest.fixture(scope="session")
def server(
    chromium: Browser, dashboards: list[Dashboard], tmp_path_factory: pytest.TempPathFactory
) -> Dashboard:
    """A dashboard over an empty store; needs a browser first, or the test is left out."""
    dashboards.append(start_dashboard(tmp_path_factory.mktemp("browser-home")))
    return dashboards[-1]


@pytest.fixture(scope="session")
def training_server(
    chromium: Browser, dashboards: list[Dashboard], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Dashboard]:
    """A dashboard with an engine; tests that train share both and look at their own sweep."""
    dashboard = start_dashboard(tmp_path_factory.mktemp("training-home"), FREM_WORKERS="1")
    dashboards.append(dashboard)
    yield dashboard
    store = Store(folder=dashboard.home)
    end_engine(store)
    store.close()


@contextmanager
def without_engine(home: Path) -> Iterator[Store]:
    """The store of a dashboard over which nothing trains: the engine's place is taken."""
    store = Store(folder=home)
    lease = EngineLease(store, "a test")
    assert lease.acquire()  # or pages that wait for points would start an engine
    ended = threading.Event()

    def stay_alive() -> None:
        while not ended.wait(10.0):
            lease.say()  # or pages would tell of an engine that hangs

    alive = threading.Thread(target=stay_alive, daemon=True)
    alive.start()
    yield store
    ended.set()
    alive.join()
    lease.release()
    store.close()


@pytest.fixture(scope="session")
def finished_server(
    chromium: Browser, dashboards: list[Dashboard], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Dashboard]:
    """A dashboard for tests that bring finished sweeps of their own; nothing trains there."""
    home = tmp_path_factory.mktemp("finished-home")
    with without_engine(home):
        dashboards.append(start_dashboard(home))
        yield dashboards[-1]


@pytest.fixture
def new_viewer(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes people who look at the dashboard, each in a browser window of their own."""
    viewers: list[BrowserContext] = []

    def arrive(**settings: Any) -> BrowserContext:
        # Without movement there is less to draw, and nothing that fades in or out meanwhile.
        viewer = chromium.new_context(
            viewport={"width": 1440, "height": 900}, reduced_motion="reduce", **settings
        )
        viewer.set_default_timeout(PATIENCE)
        viewers.append(viewer)
        return viewer

    yield arrive
    for viewer in viewers:
        viewer.close()


@pytest.fixture
def context(new_viewer: Callable[..., BrowserContext]) -> BrowserContext:
    """The viewer whom `visit` lets look."""
    return new_viewer()


@pytest.fixture
def visit(context: BrowserContext, server: Dashboard) -> Callable[..., Page]:
    """Opens a path of the dashboard and waits until it has drawn everything, with the menu."""

    def open_path(path: str = "", *, at: Dashboard = server) -> Page:
        page = context.new_page()
        page.goto(f"{at.address}/{path}")
        settle(page)
        links = page.get_by_test_id("stSidebar").get_by_test_id("stPageLink")
        # An icon stands before each name.
        expect(links).to_have_text([re.compile(f"{name}$") for _, name in menu_entries()])
        return page

    return open_path
