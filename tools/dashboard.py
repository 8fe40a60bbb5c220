"""Starts a dashboard and a Chromium, for browser tests, benchmarks and screenshots."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 300_000  # milliseconds; a busy machine is slow, not wrong
_SECONDS_TO_END = 120
_LOOK_EVERY = 50  # milliseconds; by default a page is drawn anew for every look
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
    "--disable-features=AutofillServerCommunication",
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
        log: what it wrote to its standard error.
    """

    address: str
    process: subprocess.Popen[bytes]
    home: Path
    log: IO[bytes]

    def stop(self) -> str:
        """Ends the server; returns what is to be said of one that had to be killed, or ""."""
        self.process.terminate()
        with self.log:
            try:
                self.process.wait(_SECONDS_TO_END)
                return ""
            except subprocess.TimeoutExpired:
                # With this signal, Python writes down what each of its threads waits for.
                self.process.send_signal(signal.SIGABRT)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            self.process.kill()
            self.process.wait()
            return (
                f"The dashboard {self.address} over {self.home} (process {self.process.pid}) did "
                f"not end within {_SECONDS_TO_END} s and was killed.\n{self.last_words()}"
            )

    def last_words(self, length: int = 4_000) -> str:
        """The end of what the server wrote to its standard error."""
        size = self.log.seek(0, os.SEEK_END)
        self.log.seek(max(0, size - length))
        return self.log.read().decode(errors="replace")


def start_dashboard(home: Path, *, port: int | None = None, **variables: str) -> Dashboard:
    """Starts a dashboard over a data folder and waits until it answers.

    Args:
        home: the data folder.
        port: where it listens; a free one by default.
        variables: further settings for its environment.
    """
    port = port or free_port()
    log = tempfile.TemporaryFile()  # noqa: SIM115  # read when the server has ended
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
        cwd=ROOT,
        # Empty pages are looked at too; whoever wants the examples says so.
        env={"FREM_EXAMPLES": "off", **os.environ, **variables}
        | {"FREM_HOME": str(home), "PYTHONFAULTHANDLER": "1"},
        stdout=subprocess.DEVNULL,
        stderr=log,
    )
    dashboard = Dashboard(f"http://127.0.0.1:{port}", process, home, log)
    try:
        wait_until_it_answers(dashboard.address, process)
    except RuntimeError as error:
        with log:
            raise RuntimeError(f"{error}\n{dashboard.last_words()}") from error
    return dashboard


def free_port() -> int:
    """Returns a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_until_it_answers(address: str, process: "subprocess.Popen[Any]") -> None:
    """Waits for a server; one that ended or never answers is killed and a RuntimeError."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not answers(address):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            process.wait()
            raise RuntimeError("The dashboard did not start.")
        time.sleep(0.05)  # leaves the machine to the server


def answers(address: str) -> bool:
    """Whether a dashboard is there and well."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
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
    page.wait_for_function(_IDLE, timeout=patience, polling=_LOOK_EVERY)
