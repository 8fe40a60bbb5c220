"""At first start Trade-offs and Compare show the examples and say that they are examples."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from frem_core.library import about_example
from studio.store import (
    close_store,
    is_example,
    runs_table,
    store_of,
    sweeps_and_examples,
    sweeps_table,
    the_store,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def first_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_HOME", str(tmp_path))
    monkeypatch.delenv("FREM_EXAMPLES", raising=False)
    close_store()


def test_examples_are_read_from_the_library_only() -> None:
    sweeps = sweeps_and_examples()
    assert sweeps["is_example"].all()
    assert len(sweeps_table()) == 0
    for sweep in sweeps["id"]:
        assert is_example(sweep)
        assert store_of(sweep) is not the_store()
        assert len(runs_table(sweep)) == about_example(sweep).runs


def test_they_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_EXAMPLES", "off")
    assert sweeps_and_examples().empty


def test_trade_offs_shows_an_example_and_says_how_it_was_made() -> None:
    app = AppTest.from_file(str(ROOT / "pages" / "3_Trade-offs.py"), default_timeout=240).run()
    assert not app.exception
    chosen = sweeps_and_examples()["id"].iloc[0]
    assert about_example(chosen).sentence in [note.value for note in app.info]
    assert app.get("plotly_chart")


def test_compare_offers_the_examples() -> None:
    app = AppTest.from_file(str(ROOT / "pages" / "4_Compare.py"), default_timeout=240).run()
    assert not app.exception
    assert "Nothing to compare yet" not in [header.value for header in app.subheader]
