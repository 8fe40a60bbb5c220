"""A dashboard and a real Chromium for the browser tests."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
IDLE = """() => {const app = document.querySelector('[data-testid=stApp]');
 return !!app && app.dataset.testScriptState === 'notRunning'
        && app.dataset.testConnectionState === 'CONNECTED'
        && !document.querySelector('[data-testid=stSkeleton]')}"""
PATIENCE = 60_000  # milliseconds; a busy machine is slow, not wrong


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks all tests of this folder; one worker runs them, so that one browser is enough."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@dataclass(frozen=True)
class Server:
    """A running dashboard."""

    address: str
    process: subprocess.Popen[bytes]
    home: Path


@pytest.fixture(scope="session")
def start_server() -> Iterator[Callable[[Path], Server]]:
    """Starts dashboards on free ports, each over a data folder; all end with the session."""
    started: list[Server] = []

    def start(home: Path) -> Server:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
            cwd=ROOT,
            env={**os.environ, "FREM_HOME": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        server = Server(f"http://127.0.0.1:{port}", process, home)
        started.append(server)
        _wait_until_healthy(server)
        return server

    yield start
    for server in started:
        server.process.terminate()
    for server in started:
        server.process.wait(timeout=30)


def _wait_until_healthy(server: Server) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=5) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            assert server.process.poll() is None, "the dashboard ended at once"
            assert time.monotonic() < deadline, "the dashboard did not start"


@pytest.fixture(scope="session")
def server(
    start_server: Callable[[Path], Server], tmp_path_factory: pytest.TempPathFactory
) -> Server:
    """The dashboard most tests look at."""
    return start_server(tmp_path_factory.mktemp("browser-home"))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed here (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(ARGUMENTS)
        )
        yield browser
        browser.close()


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
def visit(context: BrowserContext, server: Server) -> Callable[..., Page]:
    """Opens a path of the dashboard and waits until it has drawn everything."""

    def open_path(path: str = "", *, at: Server = server) -> Page:
        page = context.new_page()
        page.goto(f"{at.address}/{path}")
        settle(page)
        return page

    return open_path


def settle(page: Page) -> None:
    """Waits until the page has nothing left to do."""
    page.wait_for_function(IDLE, timeout=PATIENCE)
