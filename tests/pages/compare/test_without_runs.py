"""What the Compare page shows before anything was trained."""

from pathlib import Path

import pytest

from frem_core.store import Store, open_store
from frem_core.sweeps import example_sweep, submit
from studio.store import close_store
from tests.pages.compare.page import asked, figures, lines, open_page, profile_of


def test_without_runs_it_says_what_to_do(home: Path) -> None:
    close_store()
    app = open_page()
    assert app.subheader[0].value == "Nothing to compare yet"
    assert not app.get("plotly_chart")
    close_store()


def test_an_example_opens_on_runs_that_have_all_files(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FREM_EXAMPLES")
    close_store()
    app = open_page()
    assert not app.warning
    assert len(figures(app)) == 5
    assert len(lines(profile_of(app))) == len(asked(app, "run")) >= 2
    notes = [note.value for note in app.info]
    assert any(note.startswith("An example that comes with") for note in notes)
    assert not any("scores only" in note for note in notes)
    close_store()


def test_a_sweep_without_a_finished_run_is_waited_for(
    home: Path, started_engines: list[Store]
) -> None:
    close_store()
    store = open_store()
    sweep = submit(store, example_sweep())
    app = open_page(sweep=sweep)
    assert "still under way" in app.info[0].value
    assert not app.get("plotly_chart")
    assert [one.url for one in started_engines] == [store.url]  # one that died is replaced
    store.sweeps.cancel(sweep)
    close_store()
    assert "has finished. Resume it" in open_page(sweep=sweep).info[0].value
    store.close()
    close_store()
