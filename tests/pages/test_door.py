"""On an open address nobody sees anything without a login."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
SCRIPTS = ["app.py", *(f"pages/{one.name}" for one in sorted((ROOT / "pages").glob("*.py")))]


def opened(script: str, monkeypatch: pytest.MonkeyPatch, address: str, *hosts: str) -> AppTest:
    options = {"server.address": address, "server.allowedHosts": ["localhost", *hosts]}
    monkeypatch.setattr("studio.door.st.get_option", options.get)
    monkeypatch.setattr("studio.door.login_is_set_up", lambda: False)
    return AppTest.from_file(str(ROOT / script), default_timeout=120).run()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_page_on_an_open_address_shows_why_it_is_closed_and_nothing_else(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FREM_GUARDED", raising=False)
    at = opened(script, monkeypatch, "0.0.0.0")
    assert not at.exception
    (error,) = at.error
    assert "no login is set up" in error.value
    assert not at.title
    assert not at.button
    assert not at.selectbox


def test_a_name_for_people_elsewhere_is_an_open_address_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("FREM_GUARDED", raising=False)
    at = opened("app.py", monkeypatch, "127.0.0.1", "studio.example.org")
    assert ["no login is set up" in one.value for one in at.error] == [True]
    assert not at.title


def test_it_opens_where_something_else_guards_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_GUARDED", "yes")
    at = opened("pages/5_Estimator_lab.py", monkeypatch, "0.0.0.0")
    assert not at.error
    assert at.title[0].value == "Estimator lab"


class Visitor(dict[str, str]):
    """What Streamlit knows of somebody at the door."""

    is_logged_in = True


@pytest.mark.parametrize(
    ("visitor", "allowed", "expected"),
    [
        (None, "", "Please log in"),
        ("ann@example.org", "bob@example.org", "not on the list"),
        ("ann@example.org", "@example.org", None),
    ],
)
def test_a_login_admits_those_on_the_list(
    visitor: str | None, allowed: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Visitor() if visitor is None else Visitor(email=visitor)
    known.is_logged_in = visitor is not None
    for module in ("door", "people"):
        monkeypatch.setattr(f"studio.{module}.login_is_set_up", lambda: True)
    monkeypatch.setattr("studio.door.st.user", known)
    monkeypatch.setenv("FREM_ALLOW", allowed)
    at = AppTest.from_file(str(ROOT / "pages/5_Estimator_lab.py"), default_timeout=120).run()
    assert not at.exception
    shown = " ".join(one.value for one in (*at.error, *at.markdown))
    if expected is None:
        assert any(one.value == "Estimator lab" for one in at.title)
        assert any(one.value.startswith("Logged in as ann") for one in at.sidebar.caption)
    else:
        assert expected in shown
        assert not any(one.value == "Estimator lab" for one in at.title)
