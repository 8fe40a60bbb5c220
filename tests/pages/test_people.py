"""What people of each role see and may do; the private things of others are to nobody."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from frem_core.errors import FremError
from frem_core.store import Store
from studio import people
from studio.people import NotAllowedError, person_of
from studio.reading import find_job, start_reading
from studio.rights import may_change, take_upload
from studio.store import forget_sweeps, runs_table, store_of, sweeps_table, the_store
from studio.submitted import queue_sweep
from studio.tables import forget_owners, share, the_tables
from tests.pages.conftest import ROOT
from tests.private_sweeps import (
    ADA,
    ANN,
    BEN,
    CHOSEN,
    ROLES,
    SECRET,
    TABLE,
    VERA,
    Private,
    add_private,
    addresses,
)


class Visitor(dict[str, Any]):
    """What Streamlit knows of somebody at the door."""

    is_logged_in = True


class Switch:
    """Lets another person sit down in front of the pages."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch.setattr

    def __call__(self, address: str) -> None:
        self._patch("streamlit.user", Visitor(email=address, email_verified=True))


@pytest.fixture
def log_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> Switch:
    for module in ("studio.people", "studio.door"):
        monkeypatch.setattr(f"{module}.login_is_set_up", lambda: True)
    # Tests ask outside of a page too; as if a page did.
    monkeypatch.setattr("studio.people._is_server", lambda: True)
    for name, value in ROLES.items():
        monkeypatch.setenv(name, value)
    forget_owners()
    return Switch(monkeypatch)


@pytest.fixture
def private(log_in: Switch) -> Private:
    log_in(ANN)
    return add_private(the_store())


def opened(script: str, address: dict[str, str]) -> AppTest:
    at = AppTest.from_file(str(ROOT / script), default_timeout=240)
    for name, value in address.items():
        at.query_params[name] = value
    return at.run()


def everything(at: AppTest) -> str:
    """All that went to the browser, but for the address, which the viewer typed."""
    return "\n".join(str(element.proto) for element in _elements(at._tree))


def _elements(block: Any) -> list[Any]:
    found = []
    for child in block.children.values():
        found += _elements(child) if hasattr(child, "children") else [child]
    return found


@pytest.mark.parametrize(
    "every", [pytest.param(4, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]
)
def test_a_viewer_finds_nothing_of_a_private_table_at_any_address(
    private: Private, log_in: Switch, every: int
) -> None:
    shown_to_owner = 0
    tried = addresses(private)[2 * (every > 1) :: every]
    for script, address in tried:
        log_in(ANN)
        forget_sweeps()
        shown_to_owner += SECRET in everything(opened(script, address))  # and fills every cache
        log_in(VERA)
        at = opened(script, address)
        assert not at.exception, (script, address)
        shown = everything(at)
        for typed in address.values():
            shown = shown.replace(typed, "")
        assert SECRET not in shown, (script, address)
        assert f"{SECRET}_age" not in shown
    assert shown_to_owner > len(tried) / 2  # or this would look for what nobody is shown


@pytest.mark.parametrize("who", [VERA, BEN])
def test_nothing_private_is_reached_behind_the_pages(
    private: Private, log_in: Switch, who: str
) -> None:
    log_in(who)
    assert TABLE not in {table.id for table in the_tables().list()}
    assert private.sweep not in set(sweeps_table()["id"])
    assert find_job(TABLE) is None
    for reach in (
        lambda: the_tables().find(TABLE),
        lambda: the_tables().load(TABLE),
        lambda: the_tables().load_sample(TABLE),
        lambda: the_tables().column_names(TABLE),
        lambda: the_tables().delete(TABLE),
        lambda: store_of(private.sweep),
        lambda: runs_table(private.sweep),
    ):
        with pytest.raises(FremError, match=r"not kept|There is no sweep"):
            reach()
    assert the_store().tables.find(TABLE).rows == 200


def test_sharing_shows_the_table_and_its_sweeps_and_unsharing_hides_them(
    private: Private, log_in: Switch
) -> None:
    share(TABLE, with_all=True)
    log_in(VERA)
    assert SECRET in everything(opened("pages/3_Trade-offs.py", {"sweep": private.sweep}))
    with pytest.raises(NotAllowedError, match="not yours"):
        the_tables().delete(TABLE)
    share(TABLE, with_all=False)  # not hers to decide
    assert private.sweep in set(sweeps_table()["id"])
    log_in(ANN)
    share(TABLE, with_all=False)
    log_in(VERA)
    assert private.sweep not in set(sweeps_table()["id"])


def test_a_forgotten_table_still_hides_its_sweeps(private: Private, log_in: Switch) -> None:
    the_tables().delete(TABLE)
    assert not the_store().tables.list()
    assert private.sweep in set(sweeps_table()["id"])
    log_in(BEN)
    assert private.sweep not in set(sweeps_table()["id"])


def test_an_administrator_sees_and_deletes_everything(private: Private, log_in: Switch) -> None:
    log_in(ADA)
    assert private.sweep in set(sweeps_table()["id"])
    assert may_change(private.sweep)
    assert SECRET in everything(opened("pages/1_Data.py", {"dataset": CHOSEN}))
    the_tables().delete(TABLE)
    assert not the_store().tables.list()


@pytest.mark.parametrize(("who", "may"), [(ANN, True), (BEN, False), (VERA, False), (ADA, True)])
def test_only_its_author_and_administrators_may_delete_a_sweep(
    private: Private, log_in: Switch, who: str, may: bool
) -> None:
    log_in(who)
    at = opened("pages/2_Train.py", {"sweep": private.public_sweep})
    assert any("queued by ann" in one.value for one in at.caption)
    buttons = {button.key for button in at.button}
    assert ("delete-sweep" in buttons) == may
    if may:
        at.button(key="delete-sweep").click().run()
        assert private.public_sweep not in set(the_store().sweeps.frame()["id"])


def test_a_button_that_was_another_persons_does_nothing(private: Private, log_in: Switch) -> None:
    at = opened("pages/2_Train.py", {"sweep": private.public_sweep})  # as ann
    log_in(BEN)  # the same session goes on as somebody else: the check is where it happens
    at.button(key="delete-sweep").click().run()
    assert private.public_sweep in set(the_store().sweeps.frame()["id"])


class Upload:
    name = "people.csv"

    def __init__(self, rows: int = 30) -> None:
        lines = "\n".join(f"{n},{n % 2}" for n in range(rows))
        self._content = f"age,y\n{lines}\n".encode()

    def getbuffer(self) -> memoryview:
        return memoryview(self._content)


def test_viewers_neither_upload_nor_train(private: Private, log_in: Switch) -> None:
    log_in(VERA)
    job = start_reading(Upload())
    assert job.state == "failed"
    assert "not bring tables or train" in job.message
    from frem_core.sweeps.example import example_sweep

    with pytest.raises(NotAllowedError, match="FREM_AUTHORS"):
        queue_sweep(example_sweep())
    assert [table.id for table in the_store().tables.list()] == [TABLE]
    at = opened("pages/1_Data.py", {})
    assert not at.get("file_uploader")


def test_an_upload_is_private_and_the_same_file_of_two_people_is_both_theirs(
    log_in: Switch,
) -> None:
    log_in(ANN)
    job = start_reading(Upload())
    assert job.state == "done"
    log_in(BEN)
    assert the_tables().list() == []
    assert start_reading(Upload()).state == "done"
    assert [table.id for table in the_tables().list()] == [job.id]
    the_tables().delete(job.id)
    log_in(ANN)
    assert [table.id for table in the_tables().list()] == [job.id]  # ben forgot it, ann did not


NEW = "0" * 20  # the id of a table that is about to be kept


def test_shares_of_disk_and_queue(
    private: Private, log_in: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREM_QUOTA_UPLOADS", "20 kB")
    take_upload(NEW, 10)
    with pytest.raises(NotAllowedError, match="Delete a table first"):
        take_upload(NEW, 20_000)
    log_in(BEN)
    take_upload(NEW, 19_000)  # everybody has their own share
    monkeypatch.setenv("FREM_QUOTA_UPLOADS", "much")
    with pytest.raises(FremError, match="must be a size such as 500MB"):
        take_upload(NEW, 1)
    monkeypatch.delenv("FREM_QUOTA_UPLOADS")
    monkeypatch.setenv("FREM_QUOTA_RUNS", "3")
    from frem_core.sweeps.example import example_sweep

    with pytest.raises(FremError, match=r"would be waiting or under way; at most 3 may"):
        queue_sweep(example_sweep())
    assert BEN not in set(the_store().sweeps.frame()["queued_by"])
    monkeypatch.setenv("FREM_QUOTA_RUNS", "500")
    sweep = queue_sweep(example_sweep())
    store: Store = the_store()
    assert store.sweeps.frame(sweep)["queued_by"].item() == BEN
    store.sweeps.cancel(sweep)
    with pytest.raises(FremError, match="at most 2 may"):
        store.sweeps.resume(sweep, most_unfinished=2)


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({"email": "ANN@example.org"}, "author"),
        ({"email": "eve@elsewhere.org"}, None),
        ({"email": "ann@example.org", "email_verified": False}, None),
        ({"email": "", "sub": "7"}, None),
        ({"email": "vera@example.org"}, "viewer"),
        ({"email": "ada@example.org"}, "administrator"),
        ({"email": "ann@example.org.evil.com"}, None),
    ],
)
def test_who_is_who(
    claims: dict[str, Any], role: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ROLES.items():
        monkeypatch.setenv(name, value)
    person = person_of(claims)
    assert (person.role if person else None) == role


def test_without_roles_everybody_admitted_is_an_author(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ROLES:
        monkeypatch.delenv(name, raising=False)
    assert people.role_of("ann@example.org") == "author"
    assert person_of({"sub": "7"}) == people.Person("account 7", "author")


def test_a_thread_of_the_server_that_nobody_asked_sees_nothing(
    private: Private, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = Visitor()
    nobody.is_logged_in = False
    monkeypatch.setattr("streamlit.user", nobody)
    with pytest.raises(FremError, match="Please log in"):
        sweeps_table()
    with pytest.raises(FremError, match="Please log in"):
        the_tables()
