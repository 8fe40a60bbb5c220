from pathlib import Path

from streamlit.testing.v1 import AppTest

from studio.page import menu_entries
from tests.pages.conftest import ROOT, OpenPage


def test_pages_are_listed_by_number_under_readable_names(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name in ("10_Ablations.py", "2_Estimator_lab.py", "_draft.py", "Notes.py"):
        (tmp_path / "pages" / name).touch()
    assert menu_entries(tmp_path) == [
        ("app.py", "Start"),
        ("pages/2_Estimator_lab.py", "Estimator lab"),
        ("pages/10_Ablations.py", "Ablations"),
        ("pages/Notes.py", "Notes"),
    ]


def test_without_pages_there_is_the_start_page(tmp_path: Path) -> None:
    assert menu_entries(tmp_path) == [("app.py", "Start")]


def test_the_whole_menu_is_on_every_page(open_start: OpenPage) -> None:
    app = open_start()
    entries = menu_entries()
    assert [link.proto.label for link in app.sidebar.get("page_link")] == [
        label for _, label in entries
    ]
    for script, _ in entries[1:]:
        app.switch_page(script).run()
        assert not app.exception
        assert len(app.sidebar.get("page_link")) == len(entries)


def test_a_page_on_its_own_goes_without_the_menu() -> None:
    for script, _ in menu_entries()[1:]:
        app = AppTest.from_file(str(ROOT / script), default_timeout=240).run()
        assert not app.exception
