"""A provider of logins on this machine, and people who log in with it in a real browser."""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tools.dashboard import Dashboard, free_port, settle


@contextmanager
def running_provider(people: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    """Runs the provider; gives its address.

    Args:
        people: what it says of each of them, by the name they log in with.
    """
    port = free_port()
    known = [json.dumps({"sub": name, **claims}) for name, claims in people.items()]
    users = [part for one in known for part in ("--user-claims", one)]
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "-p", str(port), *users],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        while not _answers(address):
            assert process.poll() is None, "the provider ended"
            time.sleep(0.05)
        yield address
    finally:
        process.terminate()
        process.wait()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/.well-known/openid-configuration", timeout=5):
            return True
    except OSError:
        return False


def write_secrets(home: Path, provider: str, port: int) -> None:
    """Sets the login up as an administrator does, in the folder of the user who runs it."""
    folder = home / ".streamlit"
    folder.mkdir(parents=True)
    (folder / "secrets.toml").write_text(
        "[auth]\n"
        f'redirect_uri = "http://127.0.0.1:{port}/oauth2callback"\n'
        'cookie_secret = "only for this test"\nclient_id = "frem"\nclient_secret = "none"\n'
        f'server_metadata_url = "{provider}/.well-known/openid-configuration"\n'
    )


def log_in(viewer: BrowserContext, at: Dashboard, name: str, path: str = "") -> Page:
    """Opens a page as somebody who has to log in first, and does so."""
    page = viewer.new_page()
    page.goto(f"{at.address}/{path}")
    settle(page)
    expect(page.get_by_text("Please log in to go on.")).to_be_visible()
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_url(f"{at.address}/**")
    settle(page)
    return page
