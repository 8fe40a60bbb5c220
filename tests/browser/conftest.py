"""A dashboard and a real Chromium for the browser tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tools.dashboard import CHROMIUM, PATIENCE, Dashboard, settle, start_chromium, start_dashboard

__all__ = ["PATIENCE", "Dashboard", "settle"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks all tests of this folder; one worker runs them, so that one browser is enough."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def start_server() -> Iterator[Callable[[Path], Dashboard]]:
    """Starts dashboards on free ports, each over a data folder; all end with the session."""
    started: list[Dashboard] = []

    def start(home: Path) -> Dashboard:
        started.append(start_dashboard(home))
        return started[-1]

    yield start
    for dashboard in started:
        dashboard.stop()


@pytest.fixture(scope="session")
def server(
    chromium: Browser,
    start_server: Callable[[Path], Dashboard],
    tmp_path_factory: pytest.TempPathFactory,
) -> Dashboard:
    """The dashboard most tests look at; needs a browser first, or the test is left out."""
    return start_server(tmp_path_factory.mktemp("browser-home"))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed here (Debian: apt-get install chromium)")
    with start_chromium() as browser:
        yield browser


@pytest.fixture(params=["light"])
def context(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A fresh viewer; parametrize indirectly with "dark" for the dark theme."""
    context = chromium.new_context(
        viewport={"width": 1440, "height": 900},
        color_scheme=request.param,
        accept_downloads=True,
    )
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def visit(context: BrowserContext, server: Dashboard) -> Callable[..., Page]:
    """Opens a path of the dashboard and waits until it has drawn everything."""

    def open_path(path: str = "", *, at: Dashboard = server) -> Page:
        page = context.new_page()
        page.goto(f"{at.address}/{path}")
        settle(page)
        return page

    return open_path
