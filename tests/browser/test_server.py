import re
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from studio.page import menu_entries
from tests.browser.access import check_access, check_phone
from tests.browser.clicks import click_for
from tests.browser.conftest import Dashboard, settle
from tests.browser.recording_proxy import recording_proxy

_NOWHERE_FIRST = ("Estimator lab",)
_WITHOUT_RUNS = {
    "Trade-offs": "Nothing has been trained yet",
    "Compare": "Nothing to compare yet",
}


def _path(script: str) -> str:
    return "" if script == "app.py" else Path(script).stem.split("_", 1)[1]


def test_health_is_answered_on_the_loopback_only(server: Dashboard) -> None:
    with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=120) as answer:
        assert answer.read() == b"ok"
    family = [psutil.Process(server.process.pid)]
    family += family[0].children(recursive=True)
    listening = {
        connection.laddr.ip
        for process in family
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {"127.0.0.1"}


def test_every_answer_keeps_foreign_pages_and_scripts_out(server: Dashboard) -> None:
    """Pages, files, what is not there and what is refused: all say the same to the browser."""
    for path in ("", "Train?sweep=x", "_stcore/health", "_stcore/host-config"):
        with urllib.request.urlopen(f"{server.address}/{path}", timeout=120) as answer:
            _check_headers(answer.headers)
    # Nor does the server let programs drive its pages, or tell numbers of its own.
    nothing = ("agent/interact", "agent/mcp", "metrics")
    for path in (f"media/{'0' * 64}.csv", "metrics", *(f"_stcore/{one}" for one in nothing)):
        with pytest.raises(urllib.error.HTTPError, match="Error 4") as refused:
            urllib.request.urlopen(f"{server.address}/{path}", data=b"{}", timeout=120)
        with refused.value as answer:
            _check_headers(answer.headers)


def _check_headers(headers: Message) -> None:
    parts = (part.split(maxsplit=1) for part in headers["Content-Security-Policy"].split(";"))
    policy = dict(parts)
    assert policy["frame-ancestors"] == "'none'"
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == "'none'"
    own, *hashes = policy["script-src"].split()
    assert own == "'self'"
    assert all(one.startswith("'sha256-") for one in hashes)
    assert headers.get_all("X-Frame-Options") == ["DENY"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_a_foreign_page_cannot_frame_it(server: Dashboard, context: BrowserContext) -> None:
    page = context.new_page()
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        page.set_content(f'<iframe src="{server.address}/Train"></iframe>')
    assert page.frame_locator("iframe").get_by_test_id("stApp").count() == 0


def _deep_links() -> list[Any]:
    """All pages; some are the first page of a server in other files, one stands for the rest."""
    return [
        pytest.param(script, label, marks=[] if label in _NOWHERE_FIRST else pytest.mark.slow)
        for script, label in menu_entries()
    ]


@pytest.mark.parametrize(("script", "label"), _deep_links())
def test_a_deep_link_is_right_as_the_first_request_of_a_fresh_server(
    script: str,
    label: str,
    start_server: Callable[[Path], Dashboard],
    visit: Callable[..., Page],
    tmp_path: Path,
) -> None:
    fresh = start_server(tmp_path)
    page = visit(_path(script), at=fresh)
    heading = "FREM Studio" if label == "Start" else label
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    assert page.get_by_text("Page not found").count() == 0
    fresh.process.terminate()


def test_the_menu_leads_to_every_page_and_back_and_fetches_nothing_from_elsewhere(
    new_viewer: Callable[..., BrowserContext], server: Dashboard
) -> None:
    with recording_proxy() as proxy:
        page = new_viewer(proxy={"server": proxy.address}).new_page()
        page.goto(f"{server.address}/Data?dataset=crime")
        _walk_through_the_menu(page)
        assert proxy.asked == []
        with pytest.raises(Error, match="elsewhere"):  # so the proxy would have been asked
            page.goto("http://elsewhere.example/")
        assert proxy.asked[0] == "GET http://elsewhere.example/ HTTP/1.1"


def _walk_through_the_menu(page: Page) -> None:
    settle(page)
    sidebar = page.get_by_test_id("stSidebar")
    for _, label in menu_entries():
        title = "FREM Studio" if label == "Start" else label
        heading = page.get_by_role("heading", level=1, name=title, exact=True)
        click_for(sidebar.get_by_role("link", name=label), heading)
        settle(page)
        if label in _WITHOUT_RUNS:
            expect(page.get_by_role("heading", name=_WITHOUT_RUNS[label])).to_be_visible()
            main = page.get_by_test_id("stMain")
            expect(main.get_by_role("link", name="Train models")).to_be_visible()
    data = page.get_by_role("heading", level=1, name="Data", exact=True)
    click_for(sidebar.get_by_role("link", name="Data"), data)
    expect(page.get_by_role("heading", name="Communities and Crime").first).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page).to_have_url(re.compile("dataset=crime"))


def test_every_page_fits_a_phone_and_predict_and_health_are_accessible(
    visit: Callable[..., Page],
) -> None:
    """The accessibility of the other pages is looked at where they have something to show."""
    page = visit("Predict")
    for name in ("Predict", "Health"):
        page.goto(f"{page.url.rsplit('/', 1)[0]}/{name}")
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        settle(page)
        check_access(page)
    page.set_viewport_size({"width": 400, "height": 900})
    start = page.url.rsplit("/", 1)[0]
    for script, label in menu_entries():
        page.goto(f"{start}/{_path(script)}")
        title = "FREM Studio" if label == "Start" else label
        expect(page.get_by_role("heading", level=1, name=title, exact=True)).to_be_visible()
        check_phone(page)
