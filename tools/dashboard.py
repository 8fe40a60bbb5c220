"""Starts a dashboard and a Chromium, for browser tests, benchmarks and screenshots."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 60_000  # milliseconds; a busy machine is slow, not wrong
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_IDLE = """() => {const app = document.querySelector('[data-testid=stApp]');
 return !!app && app.dataset.testScriptState === 'notRunning'
        && app.dataset.testConnectionState === 'CONNECTED'
        && !document.querySelector('[data-testid=stSkeleton]')}"""


@dataclass(frozen=True)
class Dashboard:
    """A running dashboard.

    Attributes:
        address: without a slash at the end.
        process: the server.
        home: its data folder.
    """

    address: str
    process: subprocess.Popen[bytes]
    home: Path

    def stop(self) -> None:
        """Ends the server."""
        self.process.terminate()
        self.process.wait(timeout=30)


def start_dashboard(home: Path, **variables: str) -> Dashboard:
    """Starts a dashboard on a free port over a data folder and waits until it answers.

    Args:
        home: the data folder.
        variables: further settings for its environment.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
        cwd=ROOT,
        # Empty pages are looked at too; whoever wants the examples says so.
        env={"FREM_EXAMPLES": "off", **os.environ, **variables, "FREM_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    dashboard = Dashboard(f"http://127.0.0.1:{port}", process, home)
    deadline = time.monotonic() + PATIENCE / 1000
    while not _answers(dashboard):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise RuntimeError("The dashboard did not start.")
    return dashboard


def _answers(dashboard: Dashboard) -> bool:
    try:
        with urllib.request.urlopen(f"{dashboard.address}/_stcore/health", timeout=5) as answer:
            return bool(answer.read() == b"ok")
    except OSError:
        return False


@contextmanager
def start_chromium(beside: Browser | None = None) -> Iterator[Browser]:
    """A headless browser: Debian's, so that none has to be downloaded.

    Args:
        beside: a browser that runs already; this one then is a second process of its own.
    """
    with ExitStack() as stack:
        kind = (
            stack.enter_context(sync_playwright()).chromium
            if beside is None
            else beside.browser_type
        )
        browser = kind.launch(executable_path=CHROMIUM, headless=True, args=list(_ARGUMENTS))
        stack.callback(browser.close)
        yield browser


def settle(page: Page, patience: int = PATIENCE) -> None:
    """Waits until a page has nothing left to do."""
    page.wait_for_function(_IDLE, timeout=patience)
