"""A team server: people log in with a provider, and what is private stays so by every way in."""

import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, expect

from frem_core.store import Store
from tests.browser.clicks import click_for
from tests.browser.conftest import Dashboard, settle, without_engine
from tests.browser.downloads import download
from tests.browser.forged_messages import answers, asking_for, connection, rerun
from tests.browser.oidc import log_in, running_provider, write_secrets
from tests.private_sweeps import ADA, ANN, CHOSEN, ROLES, SECRET, TABLE, VERA, Private, add_private
from tests.sweeps.processes import wait_until
from tools.dashboard import free_port

PEOPLE = {
    "ann": {"email": ANN, "email_verified": True},
    "vera": {"email": VERA, "email_verified": True},
    "ada": {"email": ADA},
    "eve": {"email": "eve@elsewhere.org"},
    "mallory": {"email": ANN, "email_verified": False},  # says so herself
}
ICONS = "1em Material Symbols Rounded"
DOWNLOAD = re.compile(rb"[0-9a-f]{32}")


@dataclass(frozen=True)
class Team:
    """A dashboard with a login, and what ann keeps there."""

    at: Dashboard
    store: Store
    private: Private


@pytest.fixture(scope="module")
def team(
    chromium: Browser,
    start_server: Callable[..., Dashboard],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Team]:
    home, port = tmp_path_factory.mktemp("team"), free_port()
    with running_provider(PEOPLE) as provider, without_engine(home / "data") as store:
        write_secrets(home, provider, port)
        at = start_server(home / "data", port=port, HOME=str(home), **ROLES)
        yield Team(at, store, add_private(store))


Arrive = Callable[[], BrowserContext]


def words(page: Page) -> str:
    return page.locator("body").inner_text()


@pytest.mark.parametrize(
    ("name", "reason"), [("eve", "is not on the list"), ("mallory", "has not verified")]
)
def test_whom_the_list_does_not_know_sees_only_why(
    team: Team, new_viewer: Arrive, name: str, reason: str
) -> None:
    viewer, refused = new_viewer(), []
    viewer.on("response", lambda one: refused.append(one.url) if one.status == 403 else None)
    page = log_in(viewer, team.at, name)
    expect(page.get_by_text(reason)).to_be_visible()
    assert page.evaluate(f"document.fonts.load('{ICONS}').then(found => found.length)")
    assert not refused  # icons without their font are drawn as words
    assert page.get_by_test_id("stPageLink").count() == 0
    assert SECRET not in words(page)


@pytest.mark.slow
def test_people_see_who_they_are_and_their_own(team: Team, new_viewer: Arrive) -> None:
    page = log_in(new_viewer(), team.at, "ann", f"Train?sweep={team.private.sweep}")
    expect(
        page.get_by_text(re.compile(r"Logged in as ann@.?example.org \(author\)"))
    ).to_be_visible()
    page.goto(f"{team.at.address}/Train?sweep={team.private.sweep}")
    settle(page)
    expect(page.get_by_role("heading", name=f"{SECRET} by ann")).to_be_visible()
    expect(page.get_by_text(re.compile("queued by ann@"))).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(
        re.compile("end_session")
    )  # the provider asks whether it is to forget her too
    page.goto(f"{team.at.address}/Train?sweep={team.private.sweep}")
    settle(page)
    expect(page.get_by_text("Please log in to go on.")).to_be_visible()
    assert SECRET not in words(page)


def _fetched(viewer: BrowserContext | None, address: str) -> int:
    request = urllib.request.Request(address)
    if viewer is not None:
        cookies = "; ".join(f"{one['name']}={one['value']}" for one in viewer.cookies())
        request.add_header("Cookie", cookies)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_no_message_and_no_link_leads_to_what_another_person_keeps(
    team: Team, new_viewer: Arrive
) -> None:
    heard: list[bytes] = []
    sessions: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on(
            "framereceived",
            lambda frame: heard.append(
                bytes(frame, "latin-1") if isinstance(frame, str) else frame
            ),
        )

    ann, vera = new_viewer(), new_viewer()
    ann.on("page", lambda page: page.on("websocket", listen))
    page = log_in(ann, team.at, "ann")
    page.goto(f"{team.at.address}/Train?sweep={team.private.sweep}")
    settle(page)
    expect(page.get_by_role("heading", name=f"{SECRET} by ann")).to_be_visible()
    page.get_by_text("All runs as a table").click()
    file = download(page.get_by_role("button", name="Download as CSV").first)
    assert SECRET in b"".join(heard).decode("latin-1")
    ids = {found.decode() for found in DOWNLOAD.findall(b"\n".join(heard))}
    buttons = {
        found.decode() for found in re.findall(rb"\$\$ID-[0-9a-f]+-[\w-]+", b"\n".join(heard))
    }
    assert any(button.endswith("delete-sweep") for button in buttons)
    sessions = re.findall(
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        b"\n".join(heard).decode("latin-1"),
    )
    assert ids
    assert sessions
    link = file.url
    assert _fetched(ann, link) == 200

    log_in(vera, team.at, "vera")
    # A link that was passed on, with another login and with none.
    assert _fetched(vera, link) == 403
    assert _fetched(None, link) == 403
    told = b""
    with connection(vera, team.at.address) as socket:
        told += answers(socket, rerun("Train", f"sweep={team.private.sweep}", sorted(buttons)))
        told += answers(socket, rerun("Data", f"dataset={CHOSEN}", sorted(buttons)))
        told += answers(socket, rerun("Data", f"reading={TABLE}"))
        for one in sorted(ids):
            socket.send(asking_for(one).SerializeToString())
        told += answers(socket, rerun("Data", ""))  # by then all of them are answered, or not
    for session in sorted(set(sessions))[:3]:
        with connection(vera, team.at.address, session) as socket:
            told += answers(socket, rerun("Train", f"sweep={team.private.sweep}", sorted(buttons)))
    text = told.decode("latin-1")
    assert "vera" in text  # she is known and was answered
    for typed in (f"sweep={team.private.sweep}",):
        text = text.replace(typed, "")
    assert SECRET not in text
    assert "/media/" not in text
    # Nothing of ann's is gone.
    assert team.store.tables.find(TABLE).rows == 200
    assert team.private.sweep in set(team.store.sweeps.frame()["id"])
    # And without any login there is nothing at all.
    with connection(new_viewer(), team.at.address) as socket:
        nothing = answers(socket, rerun("Train", f"sweep={team.private.sweep}", sorted(buttons)))
    assert SECRET.encode() not in nothing
    assert b"Please log in" in nothing


@pytest.mark.slow
def test_an_uploaded_table_is_its_owners_until_it_is_shared(
    team: Team, new_viewer: Arrive, tmp_path: Path
) -> None:
    file = tmp_path / "watzmann.csv"
    file.write_text("age,pay\n" + "\n".join(f"{20 + n % 50},{n}" for n in range(60)) + "\n")
    page = log_in(new_viewer(), team.at, "ann")
    page.goto(f"{team.at.address}/Data")
    settle(page)
    page.locator("input[type=file]").set_input_files(file)
    expect(page).to_have_url(re.compile("dataset=table"))
    settle(page)
    expect(page.get_by_text("watzmann.csv").first).to_be_visible()
    address = page.url
    [table] = re.findall(r"dataset=table-(\w+)", address)
    other = log_in(new_viewer(), team.at, "vera")
    other.goto(address)
    settle(other)
    assert "watzmann" not in words(other)
    page.get_by_text("Choose another dataset").click()
    kept = page.get_by_role("button", name=re.compile("tables?, "))
    # The words, not the switch: it lies below them, out of a mouse's reach.
    everybody = page.locator(f".st-key-share-{table}").get_by_text("Everybody may see it")
    click_for(kept, everybody)
    everybody.click()
    wait_until(lambda: team.store.owners.of(table)[ANN], "it was shared")
    other.goto(address)
    settle(other)
    expect(other.get_by_text("watzmann.csv").first).to_be_visible()
    assert other.locator("input[type=file]").count() == 0  # a viewer brings nothing
    everybody.click()
    wait_until(lambda: not team.store.owners.of(table)[ANN], "it was private again")
    other.goto(address)
    settle(other)
    assert "watzmann" not in words(other)
