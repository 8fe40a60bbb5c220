"""Faults stand on every page once, and lost files can be made again with one click."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from frem_core.store import RunState, Store
from frem_core.watching import faults
from studio.engine import _look_after
from studio.faults import _faults
from tests.store.examples import OWNER, add_sweep, new_run, result


def _looks() -> None:
    import streamlit as st

    from studio.page import page
    from studio.store import the_store

    with page("Trial"):
        st.markdown(f"{len(the_store().sweeps.frame())} sweeps")


def _reads_a_file() -> None:
    from studio.page import page
    from studio.store import the_store

    with page("Trial"):
        store = the_store()
        store.artefacts.read(store.runs.frame()["id"][0], "weights")


@pytest.fixture(autouse=True)
def fresh(home: Path) -> None:
    _faults.clear()
    _look_after.clear()


def test_a_fault_is_shown_above_what_can_still_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    app = AppTest.from_function(_looks, default_timeout=240).run()
    assert not app.error
    monkeypatch.setattr(
        faults, "_LOOKS", [lambda store: faults.Fault("full disk", "The disk is <b>full</b>.")]
    )
    _faults.clear()
    app.run()
    assert len(app.error) == 1
    assert "<b>" not in app.error[0].value
    assert "0 sweeps" in app.markdown[-1].value


def test_a_store_that_cannot_be_opened_is_told_once(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "store.db").write_bytes(b"something else" * 100)
    app = AppTest.from_function(_looks, default_timeout=240).run()
    assert len(app.error) == 1
    assert "is not a database" in app.error[0].value
    assert app.title[0].value == "Trial"


def test_a_lost_file_is_made_again_with_one_click(home: Path, started_engines: list[Store]) -> None:
    store = Store(folder=home)
    add_sweep(store, [new_run()])
    [[run]] = store.queue.claim(OWNER, bundles=1)
    store.results.finish(OWNER, run.id, result())
    next(store.artefacts.folder.glob("*/*")).unlink()
    app = AppTest.from_function(_reads_a_file, default_timeout=240).run()
    assert "is missing" in app.error[0].value
    app.button(key=f"make_again_{run.id}").click().run()
    assert not app.exception
    assert store.runs.get(run.id).state == RunState.QUEUED
    assert len(started_engines) == 1


def test_health_starts_the_engine_that_waiting_runs_need(
    home: Path, started_engines: list[Store]
) -> None:
    store = Store(folder=home)
    add_sweep(store, [new_run()])
    page = Path(__file__).parents[2] / "pages" / "8_Health.py"
    app = AppTest.from_file(str(page), default_timeout=240).run()
    assert not app.exception
    assert any("is starting" in caption.value for caption in app.main.caption)
    assert len(started_engines) == 1
