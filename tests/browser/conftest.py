"""A dashboard and a real Chromium for the browser tests."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from frem_core.store import Store
from studio.page import menu_entries
from tests.sweeps.processes import end_engine
from tools.dashboard import CHROMIUM, PATIENCE, Dashboard, settle, start_chromium, start_dashboard

__all__ = ["PATIENCE", "Dashboard", "settle"]

expect.set_options(timeout=PATIENCE)


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
    """Starts dashboards on free ports, each over a data folder; asked to end with the file."""
    started: list[Dashboard] = []

    def start(home: Path, **variables: str) -> Dashboard:
        started.append(start_dashboard(home, **variables))
        dashboards.append(started[-1])
        return started[-1]

    yield start
    for dashboard in started:
        dashboard.process.terminate()  # the end of the session looks whether it did


@pytest.fixture(scope="session")
def server(
    chromium: Browser, dashboards: list[Dashboard], tmp_path_factory: pytest.TempPathFactory
) -> Dashboard:
    """The dashboard most tests look at; needs a browser first, or the test is left out."""
    dashboards.append(start_dashboard(tmp_path_factory.mktemp("browser-home")))
    return dashboards[-1]


@pytest.fixture(scope="module")
def training_server(
    chromium: Browser,
    start_server: Callable[..., Dashboard],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Dashboard]:
    """A dashboard with an engine of its own, which ends with the tests of the file."""
    dashboard = start_server(tmp_path_factory.mktemp("training-home"), FREM_WORKERS="1")
    yield dashboard
    store = Store(folder=dashboard.home)
    end_engine(store)
    store.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed here (Debian: apt-get install chromium)")
    with start_chromium() as browser:
        yield browser


@pytest.fixture
def new_viewer(chromium: Browser) -> Iterator[Callable[[], BrowserContext]]:
    """Makes people who look at the dashboard, each in a browser window of their own."""
    viewers: list[BrowserContext] = []

    def arrive() -> BrowserContext:
        viewer = chromium.new_context(viewport={"width": 1440, "height": 900})
        viewer.set_default_timeout(PATIENCE)
        viewers.append(viewer)
        return viewer

    yield arrive
    for viewer in viewers:
        viewer.close()


@pytest.fixture
def context(new_viewer: Callable[[], BrowserContext]) -> BrowserContext:
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
